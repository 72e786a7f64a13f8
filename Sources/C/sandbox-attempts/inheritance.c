#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

// The most descriptors that a process may have (fs.nr_open as the kernel sets it): the limit of the program itself says
// what it may open, and not what it has been left.
#define ALL_DESCRIPTORS (1 << 20)

static bool descriptors(char **targets) {
  (void)targets;
  for (int descriptor = 3; descriptor < ALL_DESCRIPTORS; descriptor++) {
    if (fcntl(descriptor, F_GETFD) < 0) continue;
    found("descriptor %d", descriptor);
    return true;
  }
  return false;
}

static bool environment(char **targets) {
  static const char *const expected[] = {"HOME=", "LANG=", "SWIFT_BACKTRACE=", "TMPDIR=", "TZ="};
  (void)targets;
  size_t count = 0;
  for (char **variable = environ; *variable != NULL; variable++, count++) {
    bool known = false;
    for (size_t index = 0; index < 5; index++) {
      known |= strncmp(*variable, expected[index], strlen(expected[index])) == 0;
    }
    if (known) continue;
    found("%s", *variable);
    return true;
  }
  return count != 5;
}

static bool standard_streams(char **targets) {
  (void)targets;
  for (int descriptor = 0; descriptor < 3; descriptor++) {
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) return true;
  }
  return truncate("/proc/self/fd/2", 0) == 0;
}

static bool attributes(char **targets) {
  char directory[4096];
  if (getcwd(directory, sizeof directory) == NULL || strcmp(directory, targets[0]) != 0) {
    found("directory %s", directory);
    return true;
  }
  if (umask(0) != 077) return true;
  sigset_t blocked;
  sigprocmask(SIG_BLOCK, NULL, &blocked);
  for (int number = 1; number < 32; number++) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL || sigismember(&blocked, number)) {
      found("signal %d", number);
      return true;
    }
  }
  return false;
}

const struct attempt inheritance_attempts[] = {
    {"inheritance/descriptors", descriptors}, {"inheritance/environment", environment},
    {"inheritance/streams", standard_streams}, {"inheritance/attributes", attributes},
    {NULL, NULL},
};
