// The floor of the benchmark: what a host and a plugin in C need at the least to exchange the same bytes. posix_spawn,
// two pipes of the default size, Content-Length framing, blocking reads and writes, an echo by memcpy; no JSON, no
// sandbox, no deadlines.
//
// Functions return 0 or a positive errno. Times are nanoseconds of CLOCK_MONOTONIC.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct floor_plugin {
  pid_t pid;
  int input;
  int output;
};

uint64_t floor_now(void);

// Starts the plugin at path.
int floor_start(const char *path, struct floor_plugin *plugin);

// Closes the pipes and reaps the plugin.
int floor_stop(struct floor_plugin *plugin);

// Sends a frame with the body and reads its echo; nanoseconds may be NULL.
int floor_round_trip(struct floor_plugin *plugin, const void *body, size_t size, uint64_t *nanoseconds);

// count round trips; the time of each.
int floor_round_trips(struct floor_plugin *plugin, const void *body, size_t size, uint64_t *nanoseconds, size_t count);

// count frames with at most in_flight unanswered at a time; the time of all together.
int floor_pipeline(struct floor_plugin *plugin, const void *body, size_t size, size_t in_flight, size_t count,
                   uint64_t *nanoseconds);

// From the start of a plugin to its first echo, after which it is stopped.
int floor_cold(const char *path, const void *body, size_t size, uint64_t *nanoseconds);

// From the start of a program without arguments to its end. What it writes goes to /dev/null. EPROTO when it does not exit
// with 0.
int floor_spawn_and_wait(char *const argv[], uint64_t *nanoseconds);

// Runs a program to its end: the instructions that it and all that it started executed outside of the kernel. What it writes
// goes to /dev/null. EPROTO when it does not exit with 0; ENOENT, EACCES, EPERM or ENOSYS where the machine does not count.
int floor_count_instructions(char *const argv[], uint64_t *count);

// Runs a command through the plugin at path, to its end; the most memory that it had, in KiB.
int floor_memory(const char *path, char *const command[], long *kibibytes);
