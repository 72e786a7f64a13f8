// A launcher without a policy looks at the confinement in which it runs: the probe starts it inside its own sandbox, so
// that a layer counts as enforced when it was seen to hold, not when a call returned 0.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool has_filter(void) {
  return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 &&
         socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0 && errno == EPERM;
}

static bool executes_once(void) {
  char *none[] = {NULL};
  execve("/", none, none);  // a directory: EACCES where execve works
  return errno == ENOSYS;
}

static bool has_no_privileges(void) {
  char text[8192];
  int descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  ssize_t length = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  if (length <= 0) return false;
  text[length] = 0;
  return strstr(text, "CapPrm:\t0000000000000000\n") != NULL && strstr(text, "CapEff:\t0000000000000000\n") != NULL &&
         getuid() != 0 && geteuid() != 0 && getgid() != 0;
}

static bool has_landlock(void) {
  int descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) close(descriptor);
  return descriptor < 0;
}

static bool has_own_root(void) {
  struct statfs status;
  return statfs("/", &status) == 0 && status.f_type == TMPFS_MAGIC;
}

static bool has_limits(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0;
}

// "net:[4026531840]" is that of the host: the own must be another.
static bool has_namespace_besides(const char *host) {
  char path[64], own[64] = {0};
  snprintf(path, sizeof path, "/proc/self/ns/%.*s", (int)strcspn(host, ":"), host);
  return readlink(path, own, sizeof own - 1) > 0 && strcmp(own, host) != 0;
}

int self_check(char **arguments) {
  int missing = 0;
  if (!has_filter()) missing |= LAUNCH_MISSING_SECCOMP;
  if (!executes_once()) missing |= LAUNCH_MISSING_EXEC_ONCE;
  if (!has_no_privileges()) missing |= LAUNCH_MISSING_CREDENTIALS;
  if (!has_landlock()) missing |= LAUNCH_MISSING_LANDLOCK;
  if (!has_own_root()) missing |= LAUNCH_MISSING_OWN_ROOT;
  if (getpid() != 2) missing |= LAUNCH_MISSING_PID_NAMESPACE;
  if (!has_limits()) missing |= LAUNCH_MISSING_LIMITS;
  for (char **host = arguments + 1; arguments[0] != NULL && *host != NULL; host++) {
    if (!has_namespace_besides(*host)) missing |= LAUNCH_MISSING_NAMESPACE;
  }
  return missing;
}
