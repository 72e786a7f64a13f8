// Namespaces, one call each, so that a refusal names the one that is refused.
//
// A real root needs no user namespace: it may make the others itself, and it gives up its ids and every capability
// before the extension starts. A user namespace would add nothing but the kernel code that only its capabilities reach.
// A root without CAP_SYS_ADMIN, as containers have it, becomes the extension's user first and goes on as that user does.
// A root that cannot become anybody (unshare -r) is an ordinary user outside, and is called user_id inside.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static void write_text(const char *path, const char *text) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, descriptor >= 0);
  ssize_t length = (ssize_t)strlen(text);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, write(descriptor, text, (size_t)length) == length);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, close(descriptor) == 0);
}

static void write_map(const char *path, unsigned inside, unsigned outside) {
  char line[64];
  snprintf(line, sizeof line, "%u %u 1", inside, outside);
  write_text(path, line);
}

static void take_user(const struct launch_policy *policy) {
  uid_t user = policy->user_id;
  gid_t group = policy->group_id;
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, setgroups(0, NULL) == 0);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, setresgid(group, group, group) == 0);
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, setresuid(user, user, user) == 0);
  // The maps belong to root as long as the process is not dumpable, which the change of the user has made it.
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
}

static bool is_called(unsigned own, unsigned wanted) { return own == wanted || own == 0; }

static void enter_user_namespace(const struct launch_policy *policy) {
  if (policy_has(policy, LAUNCH_TAKE_USER)) take_user(policy);
  unsigned user = getuid(), group = getgid();
  if (!is_called(user, policy->user_id) || !is_called(group, policy->group_id)) {
    stage_failed(LAUNCH_STAGE_USER_NAMESPACE, EPERM);
  }
  stage_check(LAUNCH_STAGE_USER_NAMESPACE, unshare(CLONE_NEWUSER) == 0);
  write_text("/proc/self/setgroups", "deny");
  write_map("/proc/self/uid_map", policy->user_id, user);
  write_map("/proc/self/gid_map", policy->group_id, group);
  if (policy_has(policy, LAUNCH_TAKE_USER)) {
    stage_check(LAUNCH_STAGE_USER_NAMESPACE, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
  }
}

void namespaces_enter(const struct launch_policy *policy, uint32_t made) {
  // What was made ahead cannot be left again.
  policy_require((made & ~policy->facilities) == 0);
  if (policy_has(policy, LAUNCH_USER_NAMESPACE) && !(made & LAUNCH_USER_NAMESPACE)) enter_user_namespace(policy);
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
    if (!policy_has(policy, namespaces[index].facility) || (made & namespaces[index].facility)) continue;
    stage_check(namespaces[index].stage, unshare(namespaces[index].flag) == 0);
  }
}
