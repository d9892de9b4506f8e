// The scripted upstream: answers /<name>/... with the bytes of <folder>/<name>.whole, or with a stream of 50 tokens a second,
// each token in its own segment with the time at which it was sent.
//
//   upstream <port, 0 for any> <folder> <name>...    prints its port when it listens
#include "http.h"
#include <sys/timerfd.h>

#define TOKEN_MICROS 20000
#define STREAM_TOKENS 3000
#define MAX_SCRIPTS 16

struct script {
  const char *name;
  struct bytes whole, opening, token, ending;
  size_t stamp; // the position of the digits in a token
};

struct connection {
  struct bytes request;
  struct bytes unsent; // the rest of a whole response, in the memory of its script
  int waits;           // until the socket accepts more
  const struct script *streaming;
  int64_t due;
  int tokens;
  int place; // index in the list of streams
};

static struct script scripts[MAX_SCRIPTS];
static int script_count;
static struct connection connections[MAX_CONNECTIONS];
static int streams[MAX_CONNECTIONS];
static int stream_count;
static unsigned streams_ever;
static int poll_fd;

static struct bytes read_part(const char *folder, const char *name, const char *part) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%s", folder, name, part);
  return read_file(path);
}

static void load_script(const char *folder, const char *name) {
  if (script_count == MAX_SCRIPTS) fail("too many scripts");
  struct script *script = &scripts[script_count++];
  script->name = name;
  script->whole = read_part(folder, name, "whole");
  script->opening = read_part(folder, name, "opening");
  script->token = read_part(folder, name, "token");
  script->ending = read_part(folder, name, "ending");
  const char *stamp = memmem(script->token.data, script->token.length, "~0000000000000000~", STAMP_DIGITS + 2);
  if (stamp == NULL) fail("the token of %s has no place for its time", name);
  script->stamp = (size_t)(stamp + 1 - script->token.data);
}

static const struct script *find_script(const struct bytes *request) {
  const char *path = memchr(request->data, '/', request->length);
  for (int i = 0; path != NULL && i < script_count; i++) {
    size_t length = strlen(scripts[i].name);
    if (strncmp(path + 1, scripts[i].name, length) == 0 && path[1 + length] == '/') return &scripts[i];
  }
  return NULL;
}

static void leave_streams(struct connection *connection) {
  int last = streams[--stream_count];
  streams[connection->place] = last;
  connections[last].place = connection->place;
  connection->streaming = NULL;
}

static void close_connection(int socket) {
  struct connection *connection = &connections[socket];
  if (connection->streaming != NULL) leave_streams(connection);
  connection->request.length = 0;
  connection->unsent.length = 0;
  connection->waits = 0;
  close(socket);
}

// A small write to a fast reader is always complete; a slow reader is disconnected.
static int send_all(int socket, const struct bytes *bytes) {
  if (write(socket, bytes->data, bytes->length) == (ssize_t)bytes->length) return 1;
  close_connection(socket);
  return 0;
}

static void start_stream(int socket, const struct script *script) {
  struct connection *connection = &connections[socket];
  if (!send_all(socket, &script->opening)) return;
  // Streams are spread over the interval between tokens, the same in every run.
  streams_ever++;
  connection->due = now_micros() + TOKEN_MICROS + (int64_t)(streams_ever * 2654435769u / 4294967296.0 * TOKEN_MICROS);
  connection->streaming = script;
  connection->tokens = 0;
  connection->place = stream_count;
  streams[stream_count++] = socket;
}

static void send_token(int socket) {
  struct connection *connection = &connections[socket];
  const struct script *script = connection->streaming;
  int64_t now = now_micros();
  char *digit = script->token.data + script->stamp + STAMP_DIGITS;
  for (int64_t rest = now, i = 0; i < STAMP_DIGITS; i++, rest /= 10) *--digit = (char)('0' + rest % 10);
  connection->due += TOKEN_MICROS;
  if (connection->due < now) connection->due = now + TOKEN_MICROS;
  if (!send_all(socket, &script->token)) return;
  if (++connection->tokens < STREAM_TOKENS) return;
  leave_streams(connection);
  send_all(socket, &script->ending);
}

// Sends the tokens that are due; returns the time of the next one, 0 for none.
static int64_t send_due_tokens(void) {
  int64_t next = 0;
  int64_t now = now_micros();
  for (int i = stream_count - 1; i >= 0; i--) {
    int socket = streams[i];
    if (connections[socket].due <= now) send_token(socket);
    if (i >= stream_count || streams[i] != socket) continue;
    int64_t due = connections[socket].due;
    if (next == 0 || due < next) next = due;
  }
  return next;
}

static void send_rest(int socket) {
  struct connection *connection = &connections[socket];
  struct bytes *unsent = &connection->unsent;
  ssize_t count = write(socket, unsent->data, unsent->length);
  if (count < 0 && errno != EAGAIN) return close_connection(socket);
  if (count > 0) {
    unsent->data += count;
    unsent->length -= (size_t)count;
  }
  int waits = unsent->length > 0;
  if (waits == connection->waits) return;
  connection->waits = waits;
  struct epoll_event event = {.events = waits ? EPOLLOUT : EPOLLIN, .data.fd = socket};
  epoll_ctl(poll_fd, EPOLL_CTL_MOD, socket, &event);
}

static void answer(int socket) {
  static char missing[] = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
  struct connection *connection = &connections[socket];
  struct bytes *request = &connection->request;
  const struct script *script = find_script(request);
  size_t line = (size_t)((char *)memchr(request->data, '\n', request->length) - request->data);
  int stream = memmem(request->data, line, ":stream", 7) != NULL ||
               memmem(request->data, request->length, "\"stream\":true", 13) != NULL;
  request->length = 0;
  if (script != NULL && stream) return start_stream(socket, script);
  connection->unsent = script != NULL ? script->whole : (struct bytes){.data = missing, .length = sizeof missing - 1};
  send_rest(socket);
}

static void receive(int socket) {
  struct bytes *request = &connections[socket].request;
  make_room(request, 65536);
  ssize_t count = read(socket, request->data + request->length, request->room - request->length);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return close_connection(socket);
  request->length += (size_t)count;
  if (message_length(request) > 0) answer(socket);
}

static void accept_all(int server) {
  int socket;
  while ((socket = accept(server, NULL, NULL)) >= 0) {
    prepare_socket(socket);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = socket};
    epoll_ctl(poll_fd, EPOLL_CTL_ADD, socket, &event);
  }
}

static int listen_on(int port) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  int on = 1;
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in address = loopback(port);
  socklen_t size = sizeof address;
  if (bind(server, (struct sockaddr *)&address, size) != 0) fail("cannot bind: %s", strerror(errno));
  if (listen(server, 4096) != 0) fail("cannot listen: %s", strerror(errno));
  fcntl(server, F_SETFL, O_NONBLOCK);
  getsockname(server, (struct sockaddr *)&address, &size);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return server;
}

int main(int count, char **values) {
  if (count < 4) fail("usage: upstream <port> <folder> <name>...");
  for (int i = 3; i < count; i++) load_script(values[2], values[i]);
  int server = listen_on(atoi(values[1]));
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  poll_fd = epoll_create1(0);
  int own[] = {server, timer};
  for (int i = 0; i < 2; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = own[i]};
    epoll_ctl(poll_fd, EPOLL_CTL_ADD, own[i], &event);
  }
  signal(SIGPIPE, SIG_IGN);
  for (int64_t alarm_at = 0;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(poll_fd, events, 256, -1);
    for (int i = 0; i < ready; i++) {
      int socket = events[i].data.fd;
      uint64_t ignored;
      if (socket == server) accept_all(server);
      else if (socket == timer) (void)!read(timer, &ignored, sizeof ignored);
      else if (events[i].events & EPOLLOUT) send_rest(socket);
      else receive(socket);
    }
    int64_t next = send_due_tokens();
    if (next == alarm_at) continue;
    alarm_at = next;
    struct itimerspec at = {.it_value = {.tv_sec = next / 1000000, .tv_nsec = next % 1000000 * 1000}};
    timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
  }
}
