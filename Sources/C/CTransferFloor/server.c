#define _GNU_SOURCE
#include "transfer-floor.h"
#include "loopback-listener.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static char piece[1 << 18];

static int send_all(int connection, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    bytes += sent;
    count -= (size_t)sent;
  }
  return 0;
}

static int answer(int connection, unsigned long long count) {
  char head[128];
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: %llu\r\n\r\n", count);
  if (count < sizeof piece - 128) {
    // One packet for a small file.
    char whole[128 + 8192];
    if (count > 8192) return send_all(connection, head, (size_t)length) || send_all(connection, piece, count);
    memcpy(whole, head, (size_t)length);
    memcpy(whole + length, piece, count);
    return send_all(connection, whole, (size_t)length + count);
  }
  if (send_all(connection, head, (size_t)length)) return -1;
  while (count > 0) {
    size_t part = count < sizeof piece ? (size_t)count : sizeof piece;
    if (send_all(connection, piece, part)) return -1;
    count -= part;
  }
  return 0;
}

static void *serve(void *context) {
  int connection = (int)(intptr_t)context;
  char *buffer = malloc(sizeof piece + 1);
  size_t held = 0;
  while (buffer) {
    buffer[held] = 0;
    char *end = strstr(buffer, "\r\n\r\n");
    if (!end) {
      ssize_t count = held < 65536 ? recv(connection, buffer + held, 65536 - held, 0) : 0;
      if (count <= 0) break;
      held += (size_t)count;
      continue;
    }
    unsigned long long wanted = 0, body = 0;
    sscanf(buffer, "GET /%llu", &wanted);
    char *field = strcasestr(buffer, "\r\nContent-Length:");
    if (field && field < end) body = strtoull(field + 17, NULL, 10);
    size_t used = (size_t)(end + 4 - buffer);
    held -= used;
    memmove(buffer, buffer + used, held);
    unsigned long long there = held < body ? held : body;
    held -= there;
    memmove(buffer, buffer + there, held);
    body -= there;
    while (body > 0) {
      ssize_t count = recv(connection, buffer, body < sizeof piece ? (size_t)body : sizeof piece, 0);
      if (count <= 0) break;
      body -= (unsigned long long)count;
    }
    if (body > 0 || answer(connection, wanted)) break;
  }
  free(buffer);
  close(connection);
  return NULL;
}

pid_t transfer_floor_server(int *port) {
  int listener = loopback_listener(port);
  if (listener < 0) return -errno;
  pid_t process = fork();
  if (process != 0) {
    int error = errno;
    close(listener);
    return process > 0 ? process : -error;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int connection; (connection = accept(listener, NULL, NULL)) >= 0;) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)connection) == 0) pthread_detach(thread);
    else close(connection);
  }
  _exit(1);
}
