// Confines itself as its policy says, then becomes the extension.
//
// Up to three processes come out of one: the monitor, which the host holds; the init, process 1 of the pid namespace
// (without one, the monitor is the init); the extension. Monitor and init keep nothing but the pipes that they answer on.

#include "launcher.h"

#include <fcntl.h>

int main(int count, char **arguments) {
  if (version_asked(count, arguments)) return version_print();
  if (fcntl(LAUNCH_DESCRIPTOR_POLICY, F_GETFD) < 0) return self_check(arguments);

  descriptors_reset();
  uint32_t made = 0;
  bool standby = standby_asked(count, arguments);
  if (standby) {
    const struct launch_policy ahead = standby_policy(arguments);
    made = ahead.facilities;
    session_start();
    namespaces_enter(&ahead, 0);
    standby_await();
  }
  const struct launch_policy *policy = policy_read();
  if (policy_has(policy, LAUNCH_ADMISSION)) admission_await();
  if (!standby) session_start();
  namespaces_enter(policy, made);
  int watched = LAUNCH_DESCRIPTOR_CONTROL;
  if (policy_has(policy, LAUNCH_PID_NAMESPACE)) watched = monitor_fork_init(policy);

  if (policy_has(policy, LAUNCH_MOUNT_NAMESPACE)) mounts_build(policy);
  if (policy_has(policy, LAUNCH_CREDENTIALS)) credentials_drop(policy);
  int listener = exec_once_install(policy);
  init_fork_extension(listener, watched);

  directory_enter(policy);
  if (policy_has(policy, LAUNCH_LIMITS)) limits_apply(policy);
  if (policy_has(policy, LAUNCH_LANDLOCK)) landlock_apply(policy);
  if (policy_has(policy, LAUNCH_SECCOMP)) seccomp_apply(policy);
  execute(policy);
}
