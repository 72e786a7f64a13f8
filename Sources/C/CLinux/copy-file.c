#define _GNU_SOURCE
#include "clinux/copy-file.h"

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t copy_through_memory(int source, int target, int64_t done, int64_t limit) {
  static _Thread_local char buffer[1 << 16];
  for (;;) {
    ssize_t count = pread(source, buffer, sizeof buffer, done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
    if (count == 0) return done;
    if (count > limit - done) return -EFBIG;
    for (ssize_t written = 0; written < count;) {
      ssize_t part = pwrite(target, buffer + written, (size_t)(count - written), done + written);
      if (part < 0 && errno == EINTR) continue;
      if (part < 0) return -errno;
      written += part;
    }
    done += count;
  }
}

int64_t clinux_copy_file(int source, int target, int64_t limit) {
  struct stat status;
  if (ioctl(target, FICLONE, source) == 0) {
    if (fstat(target, &status) != 0) return -errno;
    return status.st_size > limit ? -EFBIG : status.st_size;
  }
  off64_t from = 0, to = 0;
  for (;;) {
    ssize_t count = copy_file_range(source, &from, target, &to, 1 << 26, 0);
    if (count < 0 && errno == EINTR) continue;
    // A file system without the call, or with a hole in it: the rest goes through memory.
    if (count < 0 && errno != ENOSPC && errno != EDQUOT) return copy_through_memory(source, target, to, limit);
    if (count < 0) return -errno;
    if (to > limit) return -EFBIG;
    if (count == 0) return copy_through_memory(source, target, to, limit);
  }
}
