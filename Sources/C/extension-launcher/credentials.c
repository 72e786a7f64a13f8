// Credentials: the extension's own user and group, no supplementary group of a real root, no capability.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void check(bool succeeded) { stage_check(LAUNCH_STAGE_CREDENTIALS, succeeded); }

static void drop_bounding_set(void) {
  for (int capability = 0; capability < 64; capability++) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    if (errno == EINVAL && capability > 0) return;  // past the last capability of this kernel
    stage_failed(LAUNCH_STAGE_CREDENTIALS, errno);
  }
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[2] = {{0}};
  check(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0);
  check(syscall(SYS_capset, &header, none) == 0);
}

static void require_ids(const struct launch_policy *policy) {
  uid_t user, effective_user, saved_user;
  gid_t group, effective_group, saved_group;
  check(getresuid(&user, &effective_user, &saved_user) == 0);
  check(getresgid(&group, &effective_group, &saved_group) == 0);
  bool users = user == policy->user_id && effective_user == user && saved_user == user;
  bool groups = group == policy->group_id && effective_group == group && saved_group == group;
  if (!users || !groups) stage_failed(LAUNCH_STAGE_CREDENTIALS, EPERM);
}

void credentials_drop(const struct launch_policy *policy) {
  bool root = geteuid() == 0;
  // Without privileges the bounding set cannot be changed, nor can anything be gained from it: no_new_privs is set.
  if (root || policy_has(policy, LAUNCH_USER_NAMESPACE)) drop_bounding_set();
  if (root) {
    check(setgroups(0, NULL) == 0);
    check(setresgid(policy->group_id, policy->group_id, policy->group_id) == 0);
    check(setresuid(policy->user_id, policy->user_id, policy->user_id) == 0);
  }
  require_ids(policy);
  drop_capabilities();
}
