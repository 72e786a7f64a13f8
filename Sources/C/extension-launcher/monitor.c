// The monitor: the process that the host holds when there is a pid namespace. It ends the sandbox when the host ends,
// and the sandbox ends when it ends, because the init watches a pipe that only the monitor holds open.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void keep(const struct launch_policy *policy, pid_t init, int alive) {
  descriptors_close(STDIN_FILENO, STDERR_FILENO);
  if (policy_has(policy, LAUNCH_CREDENTIALS)) credentials_drop(policy);
  child_confine(init);
  int wait_status;
  if (!child_wait(LAUNCH_DESCRIPTOR_CONTROL, init, &wait_status)) {
    // The init ends with its pipe, and the kernel ends every process of a namespace with its init before the init can
    // be waited for. So nothing is left of the sandbox when the monitor is gone.
    close(alive);
    while (waitpid(init, &wait_status, __WALL) < 0 && errno == EINTR) continue;
    _exit(124);
  }
  if (WIFEXITED(wait_status)) _exit(WEXITSTATUS(wait_status));
  (void)status_write(LAUNCH_STATUS_ENDED, LAUNCH_END_LOST, (uint32_t)wait_status);
  _exit(124);
}

int monitor_fork_init(const struct launch_policy *policy) {
  int alive[2];
  stage_check(LAUNCH_STAGE_INIT, pipe2(alive, O_CLOEXEC) == 0);
  child_watch();
  pid_t init = fork();
  stage_check(LAUNCH_STAGE_INIT, init >= 0);
  if (init > 0) {
    close(alive[0]);
    keep(policy, init, alive[1]);
  }
  close(alive[1]);
  return alive[0];
}
