#define _GNU_SOURCE
#include "clinux/signals.h"

#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int clinux_stop_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  // What nohup has a process ignore it does not see here either: the kernel drops such a signal.
  sigaddset(&set, SIGHUP);
  if (pthread_sigmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int clinux_is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int clinux_read_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}
