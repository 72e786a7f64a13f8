// The plugin of the benchmark's floor: reads frames with Content-Length headers and writes each back, whole, all of one
// read in one write.
//
// With a command as its arguments it runs that instead and prints the most memory that it had, in KiB. A process starts
// with the figure of the one that started it, so the benchmark itself would see its own.
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct buffer {
  char *bytes;
  size_t used, capacity;
};

static void reserve(struct buffer *buffer, size_t capacity) {
  if (capacity <= buffer->capacity) return;
  buffer->bytes = realloc(buffer->bytes, capacity);
  if (!buffer->bytes) _exit(1);
  buffer->capacity = capacity;
}

/// The length of the frame at the start of the bytes; 0 while its header is not whole.
static size_t frame_length(const char *bytes, size_t size) {
  static const char name[] = "Content-Length: ";
  size_t at = sizeof name - 1, body = 0;
  if (size < at) return 0;
  if (memcmp(bytes, name, at) != 0) _exit(2);
  for (; at < size && bytes[at] >= '0' && bytes[at] <= '9'; at++) body = body * 10 + (size_t)(bytes[at] - '0');
  return at + 4 <= size ? at + 4 + body : 0;
}

static void flush(struct buffer *output) {
  for (size_t done = 0; done < output->used;) {
    ssize_t count = write(1, output->bytes + done, output->used - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) _exit(3);
    done += (size_t)count;
  }
  output->used = 0;
}

static int print_memory(char *const command[]) {
  pid_t pid;
  int status;
  struct rusage usage;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (posix_spawn(&pid, command[0], &actions, NULL, command, environ) != 0) return 4;
  while (wait4(pid, &status, 0, &usage) < 0) {
    if (errno != EINTR) return 5;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 6;
  return printf("%ld\n", usage.ru_maxrss) < 0 || fflush(stdout) != 0 ? 7 : 0;
}

int main(int count, char *arguments[]) {
  if (count > 1) return print_memory(arguments + 1);
  struct buffer input = {0}, output = {0};
  reserve(&input, 64 << 10);
  for (;;) {
    ssize_t got = read(0, input.bytes + input.used, input.capacity - input.used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    input.used += (size_t)got;
    size_t done = 0, length;
    while ((length = frame_length(input.bytes + done, input.used - done)) > 0) {
      if (length > input.used - done) {
        reserve(&input, length + done);
        break;
      }
      reserve(&output, output.used + length);
      memcpy(output.bytes + output.used, input.bytes + done, length);
      output.used += length;
      done += length;
    }
    memmove(input.bytes, input.bytes + done, input.used - done);
    input.used -= done;
    flush(&output);
  }
}
