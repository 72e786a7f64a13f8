#define _GNU_SOURCE
#include "clinux/events.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

_Static_assert(EPOLLIN == CLINUX_READABLE && EPOLLOUT == CLINUX_WRITABLE, "epoll bits");
_Static_assert(EPOLLERR == CLINUX_ERROR && EPOLLHUP == CLINUX_HANGUP, "epoll bits");

static int checked(int result) { return result < 0 ? -errno : result; }

int clinux_epoll_create(void) { return checked(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return checked(epoll_ctl(epoll, operation, descriptor, &event));
}

int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
  return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int clinux_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

int clinux_epoll_wait(int epoll, clinux_event *ready, int capacity, int milliseconds) {
  struct epoll_event events[64];
  if (capacity > 64) capacity = 64;
  int count = epoll_wait(epoll, events, capacity, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = events[i].events;
  }
  return count;
}

int clinux_eventfd_create(void) { return checked(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)); }

void clinux_eventfd_signal(int descriptor) {
  uint64_t one = 1;
  // A full counter is already a wake-up.
  ssize_t written = write(descriptor, &one, sizeof one);
  (void)written;
}

void clinux_eventfd_drain(int descriptor) {
  uint64_t value;
  ssize_t taken = read(descriptor, &value, sizeof value);
  (void)taken;
}

int clinux_stream_pair(int *first, int *second) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0) return -errno;
  *first = pair[0];
  *second = pair[1];
  return 0;
}

int clinux_stream_pipe(int *reading, int *writing) {
  int pair[2];
  if (pipe2(pair, O_CLOEXEC | O_NONBLOCK) < 0) return -errno;
  *reading = pair[0];
  *writing = pair[1];
  return 0;
}

int clinux_accept(int listener) { return checked(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)); }

int clinux_set_nonblocking(int descriptor, int on) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -errno;
  int wanted = on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;
  if (wanted != flags && fcntl(descriptor, F_SETFL, wanted) < 0) return -errno;
  return (flags & O_NONBLOCK) != 0;
}

void clinux_close(int descriptor) { close(descriptor); }

long clinux_read(int descriptor, void *buffer, size_t count) {
  ssize_t taken;
  do taken = read(descriptor, buffer, count);
  while (taken < 0 && errno == EINTR);
  return taken < 0 ? -errno : taken;
}

long clinux_write(int descriptor, const void *buffer, size_t count) {
  clinux_piece piece = {buffer, count};
  return clinux_write_pieces(descriptor, &piece, 1);
}

long clinux_write_pieces(int descriptor, const clinux_piece *pieces, int count) {
  struct iovec vectors[64];
  if (count > 64) count = 64;
  for (int i = 0; i < count; i++) {
    vectors[i].iov_base = (void *)pieces[i].base;
    vectors[i].iov_len = pieces[i].count;
  }
  ssize_t written;
  do written = count == 1 ? write(descriptor, vectors[0].iov_base, vectors[0].iov_len)
                          : writev(descriptor, vectors, count);
  while (written < 0 && errno == EINTR);
  return written < 0 ? -errno : written;
}

uint64_t clinux_monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}


struct start {
  void (*body)(void *);
  void *context;
  char name[16];
};

static void *begin(void *raw) {
  struct start start = *(struct start *)raw;
  free(raw);
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.context);
  return NULL;
}

int clinux_thread_start(const char *name, size_t stack, void (*body)(void *), void *context) {
  struct start *start = calloc(1, sizeof *start);
  if (!start) return -ENOMEM;
  start->body = body;
  start->context = context;
  strncpy(start->name, name, sizeof start->name - 1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The new thread inherits a full mask: signals go to threads that asked for them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, begin, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (failure) free(start);
  return -failure;
}

void clinux_keep_freed_memory(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
}

void clinux_ignore_sigpipe(void) { signal(SIGPIPE, SIG_IGN); }
