#define _GNU_SOURCE
#include "clinux/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_directory(int parent, const char *name) {
  int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = openat(parent, name, flags);
  if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0) fd = openat(parent, name, flags);
  return fd;
}

static int is_directory(int parent, const struct dirent *entry) {
  if (entry->d_type != DT_UNKNOWN) return entry->d_type == DT_DIR;
  struct stat info;
  return fstatat(parent, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

static int is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

/// Empties `name` below `top`: files go, directories are moved up to `top`, so that the depth never grows.
static int flatten(int top, const char *name, unsigned long *counter) {
  int fd = open_directory(top, name);
  if (fd < 0) return -1;
  DIR *stream = fdopendir(fd);
  if (!stream) {
    close(fd);
    return -1;
  }
  fchmod(fd, 0700);
  int failure = 0;
  for (struct dirent *entry; (entry = readdir(stream));) {
    if (is_dot(entry->d_name)) continue;
    int result;
    if (is_directory(fd, entry)) {
      char moved[64];
      do {
        snprintf(moved, sizeof moved, ".remove-%lu", (*counter)++);
        result = renameat2(fd, entry->d_name, top, moved, 1 /* RENAME_NOREPLACE */);
      } while (result != 0 && errno == EEXIST);
      if (result != 0 && errno == EACCES && fchmodat(fd, entry->d_name, 0700, 0) == 0) {
        result = renameat2(fd, entry->d_name, top, moved, 1);
      }
    } else {
      result = unlinkat(fd, entry->d_name, 0);
    }
    if (result != 0 && !failure) failure = errno;
  }
  closedir(stream);
  if (unlinkat(top, name, AT_REMOVEDIR) != 0 && !failure) failure = errno;
  errno = failure;
  return failure ? -1 : 0;
}

int clinux_remove_tree(const char *path) {
  int top = open_directory(AT_FDCWD, path);
  if (top < 0) return errno == ENOENT ? 0 : -1;
  unsigned long counter = 0;
  int failure = 0;
  for (int again = 1; again && !failure;) {
    again = 0;
    int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = copy < 0 ? NULL : fdopendir(copy);
    if (!stream) {
      failure = errno;
      if (copy >= 0) close(copy);
      break;
    }
    for (struct dirent *entry; (entry = readdir(stream));) {
      if (is_dot(entry->d_name)) continue;
      again = 1;
      int result = is_directory(top, entry) ? flatten(top, entry->d_name, &counter)
                                            : unlinkat(top, entry->d_name, 0);
      if (result != 0 && errno != ENOENT && !failure) failure = errno;
    }
    closedir(stream);
  }
  close(top);
  if (!failure && rmdir(path) != 0) failure = errno;
  errno = failure;
  return failure ? -1 : 0;
}
