#define _GNU_SOURCE
#include "clinux/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_open_beneath(const char *directory, const char *path) {
  int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return -1;
  struct open_how how = {
      .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
  int error = errno;
  close(root);
  errno = error;
  return descriptor;
}
