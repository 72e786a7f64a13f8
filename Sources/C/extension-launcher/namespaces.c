// Namespaces, one call each, so that a refusal names the one that is refused.
//
// A real root needs no user namespace: it may make the others itself, and it gives up its ids and every capability
// before the extension starts. A user namespace would add nothing but the kernel code that only its capabilities reach.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_text(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, descriptor >= 0);
  ssize_t length = (ssize_t)strlen(text);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, write(descriptor, text, (size_t)length) == length);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, close(descriptor) == 0);
}

static void write_map(const char *path, unsigned id) {
  char line[64];
  snprintf(line, sizeof line, "%u %u 1", id, id);
  write_text(path, line);
}

static void enter_user_namespace(const struct launch_policy *policy) {
  unsigned user = getuid(), group = getgid();
  if (user != policy->user_id || group != policy->group_id) stage_failed(LAUNCH_STAGE_USER_NAMESPACE, EPERM);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, unshare(CLONE_NEWUSER) == 0);
  write_text("/proc/self/setgroups", "deny");
  write_map("/proc/self/uid_map", user);
  write_map("/proc/self/gid_map", group);
}

void namespaces_enter(const struct launch_policy *policy) {
  if (policy_has(policy, LAUNCH_USER_NAMESPACE)) enter_user_namespace(policy);
  static const struct {
    enum launch_facility facility;
    enum launch_stage stage;
    int flag;
  } namespaces[] = {
      {LAUNCH_MOUNT_NAMESPACE, LAUNCH_STAGE_MOUNT_NAMESPACE, CLONE_NEWNS},
      {LAUNCH_PID_NAMESPACE, LAUNCH_STAGE_PID_NAMESPACE, CLONE_NEWPID},
      {LAUNCH_NETWORK_NAMESPACE, LAUNCH_STAGE_NETWORK_NAMESPACE, CLONE_NEWNET},
      {LAUNCH_IPC_NAMESPACE, LAUNCH_STAGE_IPC_NAMESPACE, CLONE_NEWIPC},
      {LAUNCH_UTS_NAMESPACE, LAUNCH_STAGE_UTS_NAMESPACE, CLONE_NEWUTS},
      {LAUNCH_CGROUP_NAMESPACE, LAUNCH_STAGE_CGROUP_NAMESPACE, CLONE_NEWCGROUP},
  };
  for (size_t index = 0; index < sizeof namespaces / sizeof *namespaces; index++) {
    if (!policy_has(policy, namespaces[index].facility)) continue;
    stage_check(namespaces[index].stage, unshare(namespaces[index].flag) == 0);
  }
}
