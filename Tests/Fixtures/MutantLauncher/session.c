// "session": the session, signals and mask of the host stay. "noNewPrivileges": executing a program may give rights.

#define _GNU_SOURCE
#include "mutant.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define session_start whole_session_start
#define prctl(option, ...) (mutant_lacks("noNewPrivileges") ? 0 : prctl(option, __VA_ARGS__))
#include "../../../Sources/C/extension-launcher/session.c"
#undef prctl
#undef session_start

void session_start(void) {
  if (!mutant_lacks("session")) return whole_session_start();
  stage_check(LAUNCH_STAGE_SESSION, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
}
