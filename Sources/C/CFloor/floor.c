#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

uint64_t floor_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int floor_start(const char *path, struct floor_plugin *plugin) {
  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) != 0) return errno;
  if (pipe2(output, O_CLOEXEC) != 0) {
    int failure = errno;
    close(input[0]);
    close(input[1]);
    return failure;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  char *argv[] = {(char *)path, NULL};
  int failure = posix_spawn(&plugin->pid, path, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  plugin->input = input[1];
  plugin->output = output[0];
  if (failure) {
    close(input[1]);
    close(output[0]);
  }
  return failure;
}

/// Anything but an exit with 0 is EPROTO.
static int reap(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return errno;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPROTO;
}

int floor_stop(struct floor_plugin *plugin) {
  close(plugin->input);
  close(plugin->output);
  return reap(plugin->pid);
}

static int write_all(int descriptor, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = write(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes += count;
    size -= (size_t)count;
  }
  return 0;
}

/// A frame in one piece; the caller frees it.
static char *make_frame(const void *body, size_t size, size_t *length) {
  char *frame = malloc(size + 64);
  if (!frame) return NULL;
  int header = snprintf(frame, 64, "Content-Length: %zu\r\n\r\n", size);
  memcpy(frame + header, body, size);
  *length = (size_t)header + size;
  return frame;
}

/// Reads exactly `size` bytes: every echo is as long as its frame.
static int read_all(int descriptor, char *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EPIPE;
    bytes += count;
    size -= (size_t)count;
  }
  return 0;
}

int floor_round_trips(struct floor_plugin *plugin, const void *body, size_t size, uint64_t *nanoseconds, size_t count) {
  size_t length = 0;
  char *frame = make_frame(body, size, &length), *echo = frame ? malloc(length) : NULL;
  int failure = echo ? 0 : ENOMEM;
  uint64_t start = floor_now();
  for (size_t index = 0; index < count && !failure; index++) {
    failure = write_all(plugin->input, frame, length);
    if (!failure) failure = read_all(plugin->output, echo, length);
    uint64_t end = floor_now();
    if (nanoseconds) nanoseconds[index] = end - start;
    start = end;
  }
  if (!failure && count > 0 && memcmp(frame, echo, length) != 0) failure = EPROTO;
  free(echo);
  free(frame);
  return failure;
}

int floor_round_trip(struct floor_plugin *plugin, const void *body, size_t size, uint64_t *nanoseconds) {
  return floor_round_trips(plugin, body, size, nanoseconds, 1);
}

int floor_pipeline(struct floor_plugin *plugin, const void *body, size_t size, size_t in_flight, size_t count,
                   uint64_t *nanoseconds) {
  size_t length = 0;
  char *frame = make_frame(body, size, &length);
  char *batch = frame ? malloc(length * in_flight) : NULL, *echo = batch ? malloc(length * in_flight) : NULL;
  int failure = echo ? 0 : ENOMEM;
  for (size_t index = 0; index < in_flight && !failure; index++) memcpy(batch + index * length, frame, length);
  uint64_t start = floor_now();
  size_t sent = 0, answered = 0, partial = 0;
  while (answered < count && !failure) {
    size_t room = in_flight - (sent - answered), left = count - sent, now = room < left ? room : left;
    if (now) failure = write_all(plugin->input, batch, now * length);
    sent += now;
    if (failure) break;
    ssize_t got = read(plugin->output, echo, length * in_flight);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      failure = got < 0 ? errno : EPIPE;
      break;
    }
    partial += (size_t)got;
    answered += partial / length;
    partial %= length;
  }
  *nanoseconds = floor_now() - start;
  free(echo);
  free(batch);
  free(frame);
  return failure;
}

int floor_cold(const char *path, const void *body, size_t size, uint64_t *nanoseconds) {
  struct floor_plugin plugin;
  uint64_t start = floor_now();
  int failure = floor_start(path, &plugin);
  if (failure) return failure;
  failure = floor_round_trip(&plugin, body, size, NULL);
  *nanoseconds = floor_now() - start;
  int ending = floor_stop(&plugin);
  return failure ? failure : ending;
}

int floor_spawn_and_wait(char *const argv[], uint64_t *nanoseconds) {
  pid_t pid;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  uint64_t start = floor_now();
  int failure = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
  if (!failure) failure = reap(pid);
  *nanoseconds = floor_now() - start;
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

// The child waits until its parent has set the counter, which starts with the program.
static void wait_and_run(int gate, char *const argv[]) {
  char byte;
  int null = open("/dev/null", O_WRONLY);
  if (read(gate, &byte, 1) == 1 && null >= 0 && dup2(null, 1) == 1 && dup2(null, 2) == 2) execv(argv[0], argv);
  _exit(127);
}

int floor_count_instructions(char *const argv[], uint64_t *count) {
  int gate[2];
  if (pipe2(gate, O_CLOEXEC) != 0) return errno;
  pid_t pid = fork();
  if (pid < 0) {
    int failure = errno;
    close(gate[0]);
    close(gate[1]);
    return failure;
  }
  if (pid == 0) {
    close(gate[1]);
    wait_and_run(gate[0], argv);
  }
  close(gate[0]);
  struct perf_event_attr wanted = {
      .type = PERF_TYPE_HARDWARE, .size = sizeof wanted, .config = PERF_COUNT_HW_INSTRUCTIONS, .disabled = 1,
      .enable_on_exec = 1, .inherit = 1, .exclude_kernel = 1, .exclude_hv = 1};
  int counter = (int)syscall(SYS_perf_event_open, &wanted, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
  int failure = counter < 0 ? errno : 0;
  // Without the byte it ends.
  if (!failure && write(gate[1], "x", 1) != 1) failure = errno;
  close(gate[1]);
  int end = reap(pid);
  if (!failure) failure = end;
  if (!failure && read(counter, count, sizeof *count) != sizeof *count) failure = errno ? errno : EIO;
  if (counter >= 0) close(counter);
  return failure;
}

int floor_memory(const char *path, char *const command[], long *kibibytes) {
  size_t count = 0;
  while (command[count]) count++;
  char **argv = calloc(count + 2, sizeof *argv);
  if (!argv) return ENOMEM;
  argv[0] = (char *)path;
  memcpy(argv + 1, command, count * sizeof *argv);
  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) {
    free(argv);
    return errno;
  }
  pid_t pid;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  int failure = posix_spawn(&pid, path, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  char text[32] = {0};
  if (!failure && read(output[0], text, sizeof text - 1) < 0) failure = errno;
  close(output[0]);
  if (!failure) failure = reap(pid);
  *kibibytes = strtol(text, NULL, 10);
  free(argv);
  return failure;
}
