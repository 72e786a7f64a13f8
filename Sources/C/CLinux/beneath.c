#define _GNU_SOURCE
#include "clinux/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
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

int clinux_make_folder_beneath(const char *directory, const char *path) {
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct open_how how = {
      .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  while (folder >= 0 && *path) {
    size_t length = strcspn(path, "/");
    char name[NAME_MAX + 1];
    int error = length > NAME_MAX ? ENAMETOOLONG : 0;
    if (!error) {
      memcpy(name, path, length);
      name[length] = 0;
      if (length == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) error = EINVAL;
    }
    int is_new = !error && mkdirat(folder, name, 0777) == 0;
    if (!error && !is_new && errno != EEXIST) error = errno;
    int next = error ? -1 : (int)syscall(SYS_openat2, folder, name, &how, sizeof how);
    if (!error && next < 0) error = errno;
    struct stat status;
    // It belongs to whom the folder above it belongs to, where this process may say so.
    if (is_new && next >= 0 && fstat(folder, &status) == 0 && status.st_uid != geteuid() &&
        fchown(next, status.st_uid, status.st_gid) != 0) {
      error = errno;
      close(next);
      next = -1;
    }
    close(folder);
    errno = error;
    folder = next;
    path += length + (path[length] == '/');
  }
  return folder;
}
