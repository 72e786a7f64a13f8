// An own root: an empty file system in memory with the paths of the policy mounted at their own names, nothing else.
//
// Every source is cloned before the new root covers the old one, and its restrictions are set before it is attached, so
// no moment shows a path with more rights than the policy gives.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// <sys/mount.h> and <linux/mount.h> cannot be included together before glibc 2.37.
#define PROPAGATION_PRIVATE (1u << 18)
#define DETACH_LAZILY 2

static int checked(enum launch_stage stage, long result) {
  stage_check(stage, result >= 0);
  return (int)result;
}

static void set_attributes(enum launch_stage stage, int tree, unsigned flags, struct mount_attr attributes) {
  checked(stage, syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | flags, &attributes, sizeof attributes));
}

static uint64_t attributes_of(uint32_t kind) {
  switch (kind) {
    case LAUNCH_PATH_READ:
      return MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    case LAUNCH_PATH_READ_EXECUTE:
      return MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    case LAUNCH_PATH_READ_WRITE:
      return MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    default:
      return MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY;
  }
}

static int clone_tree(enum launch_stage stage, int directory, const char *path, unsigned flags) {
  unsigned clone = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE;
  return checked(stage, syscall(SYS_open_tree, directory, path, clone | flags));
}

static int new_filesystem(enum launch_stage stage, const char *type, const char *const options[][2],
                          uint64_t attributes) {
  int context = checked(stage, syscall(SYS_fsopen, type, FSOPEN_CLOEXEC));
  for (; (*options)[0] != NULL; options++) {
    checked(stage, syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, (*options)[0], (*options)[1], 0));
  }
  checked(stage, syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0));
  int tree = checked(stage, syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes));
  close(context);
  return tree;
}

// Makes the directories above a relative name, which is changed and changed back.
static void make_parents(int root, char *name) {
  for (char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (mkdirat(root, name, 0755) != 0 && errno != EEXIST) stage_failed(LAUNCH_STAGE_MOUNTS, errno);
    *slash = '/';
  }
}

static void make_target(int root, const char *name, bool directory) {
  if (directory) {
    if (mkdirat(root, name, 0755) != 0 && errno != EEXIST) stage_failed(LAUNCH_STAGE_MOUNTS, errno);
    return;
  }
  if (mknodat(root, name, S_IFREG | 0444, 0) != 0 && errno != EEXIST) stage_failed(LAUNCH_STAGE_MOUNTS, errno);
}

static void attach(enum launch_stage stage, int tree, int root, const char *name) {
  checked(stage, syscall(SYS_move_mount, tree, "", root, name, MOVE_MOUNT_F_EMPTY_PATH));
}

struct source {
  int tree;
  bool directory;
};

static void clone_sources(const struct launch_policy *policy, struct source *sources) {
  for (uint32_t index = 0; index < policy->path_count; index++) {
    const struct launch_path *path = &policy_paths(policy)[index];
    if (path->kind == LAUNCH_PATH_LINK) continue;
    int descriptor = path_open(policy, path, LAUNCH_STAGE_MOUNTS, &sources[index].directory);
    int tree = clone_tree(LAUNCH_STAGE_MOUNTS, descriptor, "", AT_EMPTY_PATH);
    close(descriptor);
    struct mount_attr attributes = {.attr_set = attributes_of(path->kind)};
    set_attributes(LAUNCH_STAGE_MOUNTS, tree, AT_RECURSIVE, attributes);
    sources[index].tree = tree;
  }
}

static void attach_sources(const struct launch_policy *policy, const struct source *sources, int root) {
  for (uint32_t index = 0; index < policy->path_count; index++) {
    const struct launch_path *path = &policy_paths(policy)[index];
    char *name = strdup(policy_string(policy, path->path) + 1);
    stage_check(LAUNCH_STAGE_MOUNTS, name != NULL);
    make_parents(root, name);
    if (path->kind == LAUNCH_PATH_LINK) {
      checked(LAUNCH_STAGE_MOUNTS, symlinkat(policy_string(policy, path->target), root, name));
    } else {
      make_target(root, name, sources[index].directory);
      attach(LAUNCH_STAGE_MOUNTS, sources[index].tree, root, name);
      close(sources[index].tree);
    }
    free(name);
  }
}

// The procfs must be that of the extension's own pid namespace: libdispatch reads /proc/<tid>/stat and traps when it
// cannot. Read-only, because the system calls that look harmless (open, write) would otherwise reach its control files.
static int clone_proc(const struct launch_policy *policy) {
  uint64_t attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  if (policy_has(policy, LAUNCH_PRIVATE_PROC)) {
    static const char *const options[][2] = {{"subset", "pid"}, {NULL, NULL}};
    return new_filesystem(LAUNCH_STAGE_PROC, "proc", options, attributes);
  }
  if (!policy_has(policy, LAUNCH_HOST_PROC)) return -1;
  int tree = clone_tree(LAUNCH_STAGE_PROC, AT_FDCWD, "/proc", 0);
  set_attributes(LAUNCH_STAGE_PROC, tree, AT_RECURSIVE, (struct mount_attr){.attr_set = attributes});
  return tree;
}

static void enter_root(int root) {
  set_attributes(LAUNCH_STAGE_ROOT, root, 0, (struct mount_attr){.attr_set = MOUNT_ATTR_RDONLY});
  checked(LAUNCH_STAGE_ROOT, fchdir(root));
  close(root);
  checked(LAUNCH_STAGE_ROOT, syscall(SYS_pivot_root, ".", "."));
  checked(LAUNCH_STAGE_ROOT, syscall(SYS_umount2, ".", DETACH_LAZILY));
  checked(LAUNCH_STAGE_ROOT, chdir("/"));
}

void mounts_build(const struct launch_policy *policy) {
  struct mount_attr private = {.propagation = PROPAGATION_PRIVATE};
  checked(LAUNCH_STAGE_MOUNTS, syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &private, sizeof private));
  struct source *sources = calloc((size_t)policy->path_count + 1, sizeof *sources);
  stage_check(LAUNCH_STAGE_MOUNTS, sources != NULL);
  mode_t mask = umask(0);
  clone_sources(policy, sources);
  int proc = clone_proc(policy);
  static const char *const options[][2] = {{"size", "64k"}, {"mode", "755"}, {NULL, NULL}};
  int root = new_filesystem(
      LAUNCH_STAGE_ROOT, "tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
  attach(LAUNCH_STAGE_ROOT, root, AT_FDCWD, "/");
  attach_sources(policy, sources, root);
  if (proc >= 0) {
    make_target(root, "proc", true);
    attach(LAUNCH_STAGE_PROC, proc, root, "proc");
    close(proc);
  }
  enter_root(root);
  umask(mask);
  free(sources);
}
