// Shared by the load generator and the upstream: whole files, non-blocking sockets, and the end of an HTTP message.
#ifndef BENCH_HTTP_H
#define BENCH_HTTP_H
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_CONNECTIONS 16384
#define STAMP_DIGITS 16

struct bytes {
  char *data;
  size_t length;
  size_t room;
};

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  exit(1);
}

// Microseconds of the clock that all processes of a machine share.
static inline int64_t now_micros(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static inline void make_room(struct bytes *bytes, size_t more) {
  if (bytes->length + more <= bytes->room) return;
  while (bytes->length + more > bytes->room) bytes->room = bytes->room == 0 ? 65536 : bytes->room * 2;
  bytes->data = realloc(bytes->data, bytes->room);
  if (bytes->data == NULL) fail("out of memory");
}

static inline struct bytes read_file(const char *path) {
  struct bytes bytes = {0};
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("cannot open %s: %s", path, strerror(errno));
  for (;;) {
    make_room(&bytes, 65536);
    size_t count = fread(bytes.data + bytes.length, 1, 65536, file);
    if (count == 0) break;
    bytes.length += count;
  }
  fclose(file);
  return bytes;
}

static inline void prepare_socket(int socket) {
  int on = 1;
  fcntl(socket, F_SETFL, O_NONBLOCK);
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (socket >= MAX_CONNECTIONS) fail("too many connections");
}

static inline struct sockaddr_in loopback(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The length of the message that begins here; 0 if its end has not arrived.
static inline size_t message_length(const struct bytes *bytes) {
  const char *head_end = memmem(bytes->data, bytes->length, "\r\n\r\n", 4);
  if (head_end == NULL) return 0;
  size_t head = (size_t)(head_end - bytes->data) + 4;
  size_t length = head;
  for (const char *line = bytes->data; line < head_end;) {
    if (strncasecmp(line, "content-length:", 15) == 0) length = head + strtoul(line + 15, NULL, 10);
    if (strncasecmp(line, "transfer-encoding:", 18) == 0) {
      // Nothing is pipelined, so the last chunk is at the end of the received bytes.
      int ended = bytes->length >= head + 5 && memcmp(bytes->data + bytes->length - 5, "0\r\n\r\n", 5) == 0;
      return ended ? bytes->length : 0;
    }
    line = (const char *)memchr(line, '\n', (size_t)(head_end + 2 - line)) + 1;
  }
  return bytes->length >= length ? length : 0;
}

#endif
