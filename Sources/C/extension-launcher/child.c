// What the monitor and the init have in common while the extension runs: they wait for one child and for the end of one
// pipe, and can do nothing else any more.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void note_child(int number) { (void)number; }

static void set_child_signal(void (*handler)(int), int how) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_NOCLDSTOP};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  stage_check(LAUNCH_STAGE_INIT, sigaction(SIGCHLD, &action, NULL) == 0);
  stage_check(LAUNCH_STAGE_INIT, sigprocmask(how, &set, NULL) == 0);
}

// SIGCHLD is delivered only inside ppoll, so no end of a child falls between a look and a wait.
void child_watch(void) { set_child_signal(note_child, SIG_BLOCK); }

void child_forget(void) { set_child_signal(SIG_DFL, SIG_UNBLOCK); }

void child_confine(pid_t child) {
  stage_check(LAUNCH_STAGE_INIT, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
  seccomp_apply_waiting(child);
}

// Waits until something can be read from first or second (-1: none), or a child changed. False: the watched pipe or
// socket ended. A pipe tells its end as POLLHUP, a socket whose peer only writes no more as POLLRDHUP.
bool child_poll(int watched, int first, int second) {
  struct pollfd descriptors[] = {
      {.fd = watched, .events = POLLRDHUP}, {.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  sigset_t none;
  sigemptyset(&none);
  int ready = ppoll(descriptors, 3, NULL, &none);
  if (ready < 0) return errno == EINTR;
  return descriptors[0].revents == 0;
}

// Waits for the end of the child and reaps whatever else ends. False: the watched pipe ended first.
bool child_wait(int watched, pid_t child, int *wait_status) {
  for (;;) {
    pid_t ended = waitpid(-1, wait_status, WNOHANG | __WALL);
    if (ended == child) return true;
    if (ended > 0) continue;
    if (ended < 0 && errno != EINTR) return false;
    if (!child_poll(watched, -1, -1)) return false;
  }
}

// Ends the child, which nobody has waited for, and leaves nothing of it: an orphan would stay in the table of processes
// where process 1 waits for nobody.
void child_end(pid_t child) {
  int wait_status;
  (void)kill(child, SIGKILL);
  while (waitpid(child, &wait_status, __WALL) < 0 && errno == EINTR) continue;
}
