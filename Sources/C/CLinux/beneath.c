#define _GNU_SOURCE
#include "clinux/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The rights that a thread had before.
struct rights {
  bool is_set;
  uid_t user;
  gid_t group;
  gid_t groups[64];
  int count;
};

// Gives this thread the rights of a user over files, who is in one group, and keeps the ones before. The kernel takes the
// capabilities for files away with them, and gives them back. The calls are the kernel's own: those of the C library are for
// all threads.
static int act_as(struct clinux_user user, struct rights *before) {
  before->is_set = false;
  if (!user.is_set) return 0;
  before->count = (int)syscall(SYS_getgroups, 64, before->groups);
  if (before->count < 0 || (before->count > 0 && syscall(SYS_setgroups, 0, NULL) != 0)) {
    errno = EPERM;
    return -1;
  }
  before->group = (gid_t)setfsgid(user.group);
  before->user = (uid_t)setfsuid(user.user);
  if ((uint32_t)setfsuid((uid_t)-1) == user.user && (uint32_t)setfsgid((gid_t)-1) == user.group) {
    before->is_set = true;
    return 0;
  }
  setfsuid(before->user);
  setfsgid(before->group);
  if (before->count > 0) syscall(SYS_setgroups, before->count, before->groups);
  errno = EPERM;
  return -1;
}

static void act_again(const struct rights *before) {
  if (!before->is_set) return;
  int error = errno;
  setfsuid(before->user);
  setfsgid(before->group);
  if (before->count > 0) syscall(SYS_setgroups, before->count, before->groups);
  errno = error;
}

int clinux_open_beneath(const char *directory, const char *path, struct clinux_user user) {
  struct rights before;
  int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return -1;
  struct open_how how = {
      .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int descriptor = -1;
  if (act_as(user, &before) == 0) {
    descriptor = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    act_again(&before);
  }
  int error = errno;
  close(root);
  errno = error;
  return descriptor;
}

static int make_folder(int folder, const char *path) {
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
  if (folder >= 0 && syscall(SYS_faccessat2, folder, ".", W_OK | X_OK, AT_EACCESS) != 0) {
    int error = errno;
    close(folder);
    errno = error;
    return -1;
  }
  return folder;
}

int clinux_make_folder_beneath(const char *directory, const char *path, struct clinux_user user) {
  int root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0) return -1;
  struct rights before;
  if (act_as(user, &before) != 0) {
    close(root);
    errno = EPERM;
    return -1;
  }
  int folder = make_folder(root, path);
  act_again(&before);
  return folder;
}

bool clinux_is_reached_without_links(const char *path) {
  struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  int descriptor = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
  if (descriptor < 0) return false;
  close(descriptor);
  return true;
}
