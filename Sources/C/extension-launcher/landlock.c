// Landlock: every right over files, network and other processes is handled, and only the paths of the policy get any.
// By bare system calls and own constants, because the headers of a build machine are older than the kernels it serves.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, ASK_VERSION = 1, PATH_BENEATH = 1 };

#define RIGHT_EXECUTE (1ull << 0)
#define RIGHT_WRITE_FILE (1ull << 1)
#define RIGHT_READ_FILE (1ull << 2)
#define RIGHT_READ_DIRECTORY (1ull << 3)
#define RIGHT_MAKE_CHARACTER_DEVICE (1ull << 6)
#define RIGHT_MAKE_SOCKET (1ull << 9)
#define RIGHT_MAKE_FIFO (1ull << 10)
#define RIGHT_MAKE_BLOCK_DEVICE (1ull << 11)
#define RIGHT_MAKE_LINK (1ull << 12)
#define RIGHT_TRUNCATE (1ull << 14)
#define RIGHT_IOCTL_DEVICE (1ull << 15)
#define RIGHTS_OF_FILES (RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL_DEVICE)

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

struct __attribute__((packed)) path_beneath {
  uint64_t rights;
  int32_t parent;
};

static int checked(long result) {
  stage_check(LAUNCH_STAGE_LANDLOCK, result >= 0);
  return (int)result;
}

// What each version of the interface added: 2 moving between directories, 3 truncating, 4 TCP, 5 device ioctls,
// 6 abstract sockets and signals.
static struct ruleset handled(uint32_t abi) {
  struct ruleset ruleset = {.files = (1ull << 13) - 1};
  if (abi >= 2) ruleset.files |= 1ull << 13;
  if (abi >= 3) ruleset.files |= RIGHT_TRUNCATE;
  if (abi >= 4) ruleset.network = 3;
  if (abi >= 5) ruleset.files |= RIGHT_IOCTL_DEVICE;
  if (abi >= 6) ruleset.scopes = 3;
  return ruleset;
}

static uint64_t rights_of(uint32_t kind) {
  switch (kind) {
    case LAUNCH_PATH_READ:
      return RIGHT_READ_FILE | RIGHT_READ_DIRECTORY;
    case LAUNCH_PATH_READ_EXECUTE:
      return RIGHT_READ_FILE | RIGHT_READ_DIRECTORY | RIGHT_EXECUTE;
    case LAUNCH_PATH_READ_WRITE:
      return ~(RIGHT_EXECUTE | RIGHT_MAKE_CHARACTER_DEVICE | RIGHT_MAKE_BLOCK_DEVICE | RIGHT_MAKE_SOCKET |
               RIGHT_MAKE_FIFO | RIGHT_MAKE_LINK | RIGHT_IOCTL_DEVICE);
    case LAUNCH_PATH_DEVICE:
      return RIGHT_READ_FILE | RIGHT_WRITE_FILE;
    case LAUNCH_PATH_DEVICE_READ:
      return RIGHT_READ_FILE;
    default:
      return 0;
  }
}

static void allow(int ruleset, int descriptor, uint64_t rights) {
  struct path_beneath rule = {.rights = rights, .parent = descriptor};
  checked(syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0));
  close(descriptor);
}

static void allow_paths(const struct launch_policy *policy, int ruleset, uint64_t files) {
  for (uint32_t index = 0; index < policy->path_count; index++) {
    const struct launch_path *path = &policy_paths(policy)[index];
    if (path->kind == LAUNCH_PATH_LINK) continue;
    bool directory;
    int descriptor = path_open(policy, path, LAUNCH_STAGE_LANDLOCK, &directory);
    uint64_t rights = rights_of(path->kind) & files;
    allow(ruleset, descriptor, directory ? rights : rights & RIGHTS_OF_FILES);
  }
}

void landlock_apply(const struct launch_policy *policy) {
  int abi = checked(syscall(CREATE_RULESET, NULL, 0, ASK_VERSION));
  bool offered = policy->landlock_abi > 0 && policy->landlock_abi <= (uint32_t)abi;
  if (!offered) stage_failed(LAUNCH_STAGE_LANDLOCK, EOPNOTSUPP);
  struct ruleset attributes = handled(policy->landlock_abi);
  int ruleset = checked(syscall(CREATE_RULESET, &attributes, sizeof attributes, 0));
  allow_paths(policy, ruleset, attributes.files);
  bool own_root = policy_has(policy, LAUNCH_MOUNT_NAMESPACE);
  if (!own_root || policy_has(policy, LAUNCH_PRIVATE_PROC) || policy_has(policy, LAUNCH_HOST_PROC)) {
    int proc = checked(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
    allow(ruleset, proc, RIGHT_READ_FILE | RIGHT_READ_DIRECTORY);
  }
  checked(syscall(RESTRICT_SELF, ruleset, 0));
  close(ruleset);
}
