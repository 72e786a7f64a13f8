// Opening a path of the policy: no symbolic link anywhere in it, and of the kind that it claims to be.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool has_kind(uint32_t kind, mode_t mode) {
  switch (kind) {
    case LAUNCH_PATH_READ:
    case LAUNCH_PATH_READ_EXECUTE:
      return S_ISDIR(mode) || S_ISREG(mode);
    case LAUNCH_PATH_READ_WRITE:
      return S_ISDIR(mode);
    case LAUNCH_PATH_DEVICE:
    case LAUNCH_PATH_DEVICE_READ:
      return S_ISCHR(mode);
    default:
      return false;
  }
}

int path_open(const struct launch_policy *policy, const struct launch_path *path, enum launch_stage stage,
              bool *directory) {
  struct open_how how = {
      .flags = O_PATH | O_CLOEXEC,
      .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int descriptor = (int)syscall(SYS_openat2, AT_FDCWD, policy_string(policy, path->path), &how, sizeof how);
  stage_check(stage, descriptor >= 0);
  struct stat status;
  stage_check(stage, fstat(descriptor, &status) == 0);
  if (!has_kind(path->kind, status.st_mode)) stage_failed(stage, EINVAL);
  *directory = S_ISDIR(status.st_mode);
  return descriptor;
}
