// The init: parent of the extension and, with a pid namespace, process 1. It grants the one execve, says when the
// extension runs and how it ended, and ends with the pipe that it watches.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static bool readable(int descriptor) {
  struct pollfd one = {.fd = descriptor, .events = POLLIN};
  return descriptor >= 0 && poll(&one, 1, 0) > 0;
}

// The pipe has ended, so the sandbox does.
static _Noreturn void end(pid_t extension) {
  child_end(extension);
  _exit(124);
}

// Waits for the end of the extension's preparation: end-of-file means that execve closed its end of the pipe, a byte
// that a stage failed and has been reported.
static bool await_execution(pid_t extension, int listener, int watched, int prepared) {
  while (!readable(prepared)) {
    if (readable(listener)) {
      exec_once_grant(listener);
      listener = -1;
      continue;
    }
    if (!child_poll(watched, listener, prepared)) end(extension);
  }
  // A listener that nobody asked: the process was killed before it came to execve.
  if (listener >= 0) {
    close(listener);
    return false;
  }
  char byte;
  return read(prepared, &byte, 1) == 0;
}

static void report(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    (void)status_write(LAUNCH_STATUS_ENDED, LAUNCH_END_SIGNALLED, (uint32_t)WTERMSIG(wait_status));
  } else {
    (void)status_write(LAUNCH_STATUS_ENDED, LAUNCH_END_EXITED, (uint32_t)WEXITSTATUS(wait_status));
  }
}

static _Noreturn void supervise(pid_t extension, int listener, int watched, int prepared) {
  descriptors_close(STDIN_FILENO, STDERR_FILENO);
  bool executed = await_execution(extension, listener, watched, prepared);
  close(prepared);
  if (executed) {
    (void)status_write(LAUNCH_STATUS_EXECUTED, 0, 0);
    child_confine(extension);
  }
  int wait_status;
  if (!child_wait(watched, extension, &wait_status)) end(extension);
  // A process that was killed on the way to execve has reported nothing itself.
  if (executed || WIFSIGNALED(wait_status)) report(wait_status);
  _exit(executed ? 0 : 125);
}

void init_fork_extension(int listener, int watched) {
  int prepared[2];
  stage_check(LAUNCH_STAGE_EXTENSION, pipe2(prepared, O_CLOEXEC) == 0);
  child_watch();
  pid_t parent = getpid();
  pid_t extension = fork();
  stage_check(LAUNCH_STAGE_EXTENSION, extension >= 0);
  if (extension > 0) {
    close(prepared[1]);
    supervise(extension, listener, watched, prepared[0]);
  }
  status_announce_failures_on(prepared[1]);
  close(prepared[0]);
  // Without a pid namespace that is the control socket, on which a failure is still told; execve closes it.
  if (watched != LAUNCH_DESCRIPTOR_CONTROL) close(watched);
  if (listener >= 0) close(listener);
  child_forget();
  // Without a pid namespace this is what ends the extension when the init is killed.
  stage_check(LAUNCH_STAGE_EXTENSION, prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0);
  if (getppid() != parent) stage_failed(LAUNCH_STAGE_EXTENSION, ESRCH);
}
