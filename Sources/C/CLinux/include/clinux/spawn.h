// Starting, signalling and reaping one child process, by descriptors only: nothing here can hit a reused process id.
// Every function returns 0 or a positive errno unless it says otherwise.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// One descriptor of the caller and the number that it has in the child.
struct clinux_descriptor {
  int source;
  int target;
};

// Starts path with exactly the given descriptors 0 to count-1 (targets must be 0, 1, … in order), default signal
// dispositions and an empty signal mask, by posix_spawn: no copy of the caller's memory. argv and envp end with NULL.
int clinux_spawn(const char *path, char *const argv[], char *const envp[], const struct clinux_descriptor *map,
                 size_t count, pid_t *pid, int *pidfd);

// As above, in a session of its own: no terminal's signals reach it.
int clinux_spawn_session(const char *path, char *const argv[], char *const envp[],
                         const struct clinux_descriptor *map, size_t count, pid_t *pid, int *pidfd);

// A pipe, both ends close-on-exec, the host's end non-blocking; capacity in bytes is a wish (0: the default).
int clinux_spawn_pipe(int *read_end, int *write_end, int capacity, int host_reads);

// A connected pair of stream sockets, both close-on-exec, the host's end non-blocking.
int clinux_spawn_channel(int *host_end, int *child_end);

// Sends descriptors with one byte over a connected socket, which does not wait. Returns 0 or a positive errno.
int clinux_send_descriptors(int socket, const int *descriptors, size_t count);

// A file in memory that holds the bytes, sealed against every change.
int clinux_sealed_file(const char *name, const void *bytes, size_t length, int *descriptor);

// The same of a program that is to be executed as /proc/self/fd/<descriptor>. The descriptor, which is close-on-exec, is
// above those that clinux_spawn gives to a child. EACCES: the kernel executes no files in memory.
int clinux_sealed_program(const char *name, const void *bytes, size_t length, int *descriptor);

// Writes the bytes to an empty file in memory and seals it.
int clinux_fill_and_seal(int file, const void *bytes, size_t length);

// Writes what a text in base64 stands for, at most three quarters of its length, and returns the number of bytes.
size_t clinux_base64(const void *text, size_t length, unsigned char *bytes);

// Takes constants of this program, which were read once, out of memory again: they are in its file. Not for anything that
// can be written.
void clinux_forget_constants(const void *bytes, size_t length);

// A descriptor of a process, close-on-exec; -1 with errno when there is none of this number.
int clinux_pidfd_open(pid_t pid);

int clinux_pidfd_signal(int pidfd, int number);

enum clinux_end { CLINUX_STILL_RUNNING = 0, CLINUX_EXITED = 1, CLINUX_SIGNALLED = 2 };

// Reaps the process of a pidfd. end says what happened, status is the exit code or the signal number.
int clinux_pidfd_reap(int pidfd, int wait_for_end, int *end, int *status);

// As above; peak_memory is the most that it, or one of its children, had in memory at a time, in bytes.
int clinux_pidfd_reap_with_peak(int pidfd, int wait_for_end, int *end, int *status, uint64_t *peak_memory);
