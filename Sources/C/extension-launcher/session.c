// What a process inherits besides descriptors: session, process group, file mode mask, signals, and the power to gain
// privileges by executing a program, which ends here for every process of the sandbox.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

void session_start(void) {
  // Executed by a descriptor it would be called by its number. The kernel keeps 15 letters.
  (void)prctl(PR_SET_NAME, "extension-launcher", 0, 0, 0);
  // EPERM: this process leads a process group already, which only a wrapper around the launcher can have arranged.
  if (setsid() < 0 && errno != EPERM) stage_failed(LAUNCH_STAGE_SESSION, errno);
  stage_check(LAUNCH_STAGE_SESSION, getsid(0) == getpid());
  umask(077);
  stage_check(LAUNCH_STAGE_SESSION, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  struct sigaction standard = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    if (number == SIGKILL || number == SIGSTOP) continue;
    // EINVAL: the two real-time signals that the C library keeps for itself, at their defaults anyway.
    if (sigaction(number, &standard, NULL) != 0 && errno != EINVAL) stage_failed(LAUNCH_STAGE_SESSION, errno);
  }
  sigset_t none;
  sigemptyset(&none);
  stage_check(LAUNCH_STAGE_SESSION, sigprocmask(SIG_SETMASK, &none, NULL) == 0);
}
