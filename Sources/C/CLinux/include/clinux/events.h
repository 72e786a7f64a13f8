#pragma once

#include <stddef.h>
#include <stdint.h>

// Readiness, wake-ups and threads: what an event loop needs and the Glibc module of Swift lacks.
// Every call that can fail returns a negative errno instead of setting errno.

#define CLINUX_EPERM 1

/// What one descriptor is ready for. `token` is the value given when it was added.
typedef struct clinux_event {
  uint64_t token;
  uint32_t events;
} clinux_event;

#define CLINUX_READABLE 1u
#define CLINUX_WRITABLE 4u
#define CLINUX_ERROR 8u
#define CLINUX_HANGUP 16u

/// A new epoll instance, closed on exec.
int clinux_epoll_create(void);
/// Adds `descriptor`. -EPERM: the kernel cannot wait for it (a regular file, /dev/null), it is always ready.
int clinux_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int descriptor);
/// Waits up to `milliseconds` (-1: for ever) and fills `ready`; the number filled. An interrupted wait gives 0.
int clinux_epoll_wait(int epoll, clinux_event *ready, int capacity, int milliseconds);

/// A non-blocking counter that wakes a waiting loop.
int clinux_eventfd_create(void);
void clinux_eventfd_signal(int descriptor);
void clinux_eventfd_drain(int descriptor);

/// A connected pair of stream sockets, non-blocking and closed on exec.
int clinux_stream_pair(int *first, int *second);
/// A pipe, non-blocking at both ends and closed on exec.
int clinux_stream_pipe(int *reading, int *writing);
/// Turns O_NONBLOCK on or off; the flags as they were.
int clinux_set_nonblocking(int descriptor, int on);
/// Takes the next connection of a listening socket, non-blocking and closed on exec.
int clinux_accept(int listener);

/// Closes; never retried, as Linux has closed it even when interrupted.
void clinux_close(int descriptor);
/// Reads once; 0 is the end of the stream.
long clinux_read(int descriptor, void *buffer, size_t count);
/// Writes once; a peer that is gone is -EPIPE, never a signal (sockets), or as SIGPIPE is set (pipes).
long clinux_write(int descriptor, const void *buffer, size_t count);

/// One piece of a gathered write.
typedef struct clinux_piece {
  const void *base;
  size_t count;
} clinux_piece;
/// Writes the pieces in order with one system call, at most 64 of them.
long clinux_write_pieces(int descriptor, const clinux_piece *pieces, int count);

/// Nanoseconds of CLOCK_MONOTONIC.
uint64_t clinux_monotonic_nanoseconds(void);

/// The calling thread, never 0.
static inline uintptr_t clinux_thread_current(void) { return (uintptr_t)__builtin_thread_pointer(); }
/// Starts a detached thread with all signals blocked. `name` is cut to 15 bytes.
int clinux_thread_start(const char *name, size_t stack, void (*body)(void *), void *context);
/// Lets the allocator of this process keep up to `bytes` that were freed, instead of giving every large block back to
/// the kernel at once: a message of 1 MiB spends most of its time on page faults otherwise.
void clinux_keep_freed_memory(int bytes);
/// Ignores SIGPIPE in this process, so that writing to a closed pipe is an error and not the end.
void clinux_ignore_sigpipe(void);
