// The load generator: repeats one request on many connections, or reads many streams.
//
//   load <calls | streams> <port> <request file> <connections> <lead ms> <window ms> <process id>
//
// After the lead time it prints "begin", and after the window one line of JSON: what arrived in the window, the delays, and
// the CPU time of the process. A response that is not a success ends the program.
#include "http.h"

struct connection {
  struct bytes answer;
  size_t sent;
  int64_t asked_at;
  int64_t stamp; // of the current token, -1 outside a token
  int waits;     // until the socket accepts more
};

static struct connection connections[MAX_CONNECTIONS];
static struct bytes request;
static struct sockaddr_in server;
static int poll_fd;
static int streaming;
static int in_window;
static int64_t *delays; // in microseconds
static size_t delay_count, delay_room;

static void record(int64_t delay) {
  if (!in_window) return;
  if (delay_count == delay_room) {
    delay_room = delay_room == 0 ? 65536 : delay_room * 2;
    delays = realloc(delays, delay_room * sizeof *delays);
    if (delays == NULL) fail("out of memory");
  }
  delays[delay_count++] = delay;
}

static void send_rest(int socket) {
  struct connection *connection = &connections[socket];
  ssize_t count = write(socket, request.data + connection->sent, request.length - connection->sent);
  if (count < 0 && errno != EAGAIN) fail("cannot send: %s", strerror(errno));
  if (count > 0) connection->sent += (size_t)count;
  int waits = connection->sent < request.length;
  if (waits == connection->waits) return;
  connection->waits = waits;
  struct epoll_event event = {.events = EPOLLIN | (waits ? EPOLLOUT : 0), .data.fd = socket};
  epoll_ctl(poll_fd, EPOLL_CTL_MOD, socket, &event);
}

static void ask(int socket) {
  struct connection *connection = &connections[socket];
  connection->answer.length = 0;
  connection->sent = 0;
  connection->stamp = -1;
  connection->asked_at = now_micros();
  send_rest(socket);
}

static void open_connection(void) {
  int opened = socket(AF_INET, SOCK_STREAM, 0);
  if (opened < 0 || connect(opened, (struct sockaddr *)&server, sizeof server) != 0)
    fail("cannot connect: %s", strerror(errno));
  prepare_socket(opened);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = opened};
  epoll_ctl(poll_fd, EPOLL_CTL_ADD, opened, &event);
  ask(opened);
}

static void check_status(const struct bytes *answer) {
  if (answer->length >= 12 && memcmp(answer->data, "HTTP/1.1 200", 12) != 0)
    fail("not a success: %.*s", (int)(answer->length > 600 ? 600 : answer->length), answer->data);
}

// A token contains the time at which it was sent, between two tildes; it may be split between chunks.
static void read_tokens(struct connection *connection, const char *data, size_t length) {
  int64_t now = now_micros();
  for (const char *at = data, *end = data + length; at < end; at++) {
    if (connection->stamp < 0) {
      at = memchr(at, '~', (size_t)(end - at));
      if (at == NULL) return;
      connection->stamp = 0;
    } else if (*at >= '0' && *at <= '9') {
      connection->stamp = connection->stamp * 10 + (*at - '0');
    } else {
      if (*at == '~' && connection->stamp > 0) record(now - connection->stamp);
      connection->stamp = -1;
    }
  }
}

static void receive(int socket) {
  struct connection *connection = &connections[socket];
  struct bytes *answer = &connection->answer;
  make_room(answer, 65536);
  char *data = answer->data + answer->length;
  ssize_t count = read(socket, data, answer->room - answer->length);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) fail("the connection ended in the middle");
  answer->length += (size_t)count;
  check_status(answer);
  if (streaming) {
    read_tokens(connection, data, (size_t)count);
    // Of a stream only the status line is kept.
    if (answer->length > 12) answer->length = 12;
    return;
  }
  if (message_length(answer) == 0) return;
  record(now_micros() - connection->asked_at);
  ask(socket);
}

static void run_until(int64_t end) {
  struct epoll_event events[256];
  for (int64_t now; (now = now_micros()) < end;) {
    int ready = epoll_wait(poll_fd, events, 256, (int)((end - now) / 1000 + 1));
    for (int i = 0; i < ready; i++) {
      int socket = events[i].data.fd;
      if (events[i].events & EPOLLOUT) send_rest(socket);
      if (events[i].events & ~EPOLLOUT) receive(socket);
    }
  }
}

// CPU time of all threads of a process, more precise than the 10 ms steps of /proc/<id>/stat.
static int64_t cpu_micros(const char *process) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(atoi(process), &clock) != 0 || clock_gettime(clock, &time) != 0)
    fail("process %s is gone", process);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static int compare(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

int main(int count, char **values) {
  if (count != 8) fail("usage: load <calls | streams> <port> <request file> <connections> <lead ms> <window ms> <process id>");
  signal(SIGPIPE, SIG_IGN);
  streaming = strcmp(values[1], "streams") == 0;
  server = loopback(atoi(values[2]));
  request = read_file(values[3]);
  poll_fd = epoll_create1(0);
  for (int i = atoi(values[4]); i > 0; i--) {
    open_connection();
    // Streams begin one after another, so that a server does not receive all of them at once.
    if (streaming) run_until(now_micros() + 600);
  }
  run_until(now_micros() + atoi(values[5]) * 1000);

  printf("begin\n");
  fflush(stdout);
  int64_t cpu = cpu_micros(values[7]), start = now_micros();
  in_window = 1;
  run_until(start + atoi(values[6]) * 1000);
  // On a busy machine a window is longer, but never empty.
  for (int i = 0; i < 300 && delay_count == 0; i++) run_until(now_micros() + 100000);
  int64_t end = now_micros();
  cpu = cpu_micros(values[7]) - cpu;

  if (delay_count == 0) fail("nothing came in the window");
  qsort(delays, delay_count, sizeof *delays, compare);
  printf("{\"count\":%zu,\"micros\":%lld,\"cpuMicros\":%lld,\"p50\":%lld,\"p99\":%lld,\"max\":%lld}\n", delay_count,
         (long long)(end - start), (long long)cpu, (long long)delays[delay_count / 2],
         (long long)delays[delay_count * 99 / 100], (long long)delays[delay_count - 1]);
}
