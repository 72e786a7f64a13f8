#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool trace(char **targets) {
  pid_t victim = atoi(targets[0]);
  return ptrace(PTRACE_SEIZE, victim, NULL, NULL) == 0 || ptrace(PTRACE_ATTACH, victim, NULL, NULL) == 0 ||
         ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0 || ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool read_memory(char **targets) {
  pid_t victim = atoi(targets[0]);
  char bytes[16] = "overwritten";
  struct iovec here = {bytes, sizeof bytes}, there = {(void *)strtoul(targets[1], NULL, 16), sizeof bytes};
  if (process_vm_readv(victim, &here, 1, &there, 1, 0) > 0 || process_vm_writev(victim, &here, 1, &there, 1, 0) > 0) {
    return true;
  }
  const char *files[] = {"mem", "environ", "maps", "auxv", "fd/0", "syscall"};
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", victim, files[index]);
    // Some of them can be opened by anyone and tell only the owner.
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, bytes, sizeof bytes) > 0) {
      found("read %s", path);
      return true;
    }
  }
  return false;
}

// Only the victim of the test is ever really shot at. Everyone else gets signal 0, which asks whether a signal could be
// sent and sends none: a failing sandbox must not cost the machine its processes.
static bool send_signals(char **targets) {
  pid_t victim = atoi(targets[0]);
  siginfo_t info = {.si_code = SI_QUEUE};
  bool sent = kill(victim, SIGKILL) == 0 || syscall(SYS_tgkill, victim, victim, SIGKILL) == 0 ||
              syscall(SYS_tkill, victim, SIGKILL) == 0 || syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, &info) == 0;
  int descriptor = (int)syscall(SYS_pidfd_open, victim, 0);
  if (descriptor >= 0 && syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, NULL, 0) == 0) sent = true;
  return sent || kill(getppid(), 0) == 0 || killpg(0, 0) == 0 || kill(-1, 0) == 0;
}

static bool own_descriptors(char **targets) {
  pid_t victim = atoi(targets[0]);
  struct f_owner_ex owner = {F_OWNER_PID, victim};
  return fcntl(STDIN_FILENO, F_SETOWN, victim) == 0 || fcntl(STDIN_FILENO, F_SETSIG, SIGKILL) == 0 ||
         fcntl(STDIN_FILENO, F_SETOWN_EX, &owner) == 0 || fcntl(STDIN_FILENO, F_SETPIPE_SZ, 1 << 20) >= 0 ||
         fcntl(STDIN_FILENO, F_SETLEASE, F_RDLCK) == 0;
}

static bool take_descriptors(char **targets) {
  int victim = (int)syscall(SYS_pidfd_open, atoi(targets[0]), 0);
  int parent = (int)syscall(SYS_pidfd_open, getppid(), 0);
  return syscall(SYS_pidfd_getfd, victim, 0, 0) >= 0 || syscall(SYS_pidfd_getfd, parent, 4, 0) >= 0;
}

static bool change_scheduling(char **targets) {
  pid_t victim = atoi(targets[0]);
  struct rlimit limit = {1, 1};
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  struct sched_param parameters = {0};
  return prlimit(victim, RLIMIT_CPU, &limit, NULL) == 0 || setpriority(PRIO_PROCESS, (id_t)victim, 19) == 0 ||
         sched_setaffinity(victim, sizeof one, &one) == 0 ||
         syscall(SYS_ioprio_set, 1, victim, 3 << 13) == 0 || sched_setscheduler(victim, SCHED_IDLE, &parameters) == 0;
}

static bool see_processes(char **targets) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/cmdline", targets[0]);
  if (open(path, O_RDONLY | O_CLOEXEC) >= 0) return true;
  DIR *directory = opendir("/proc");
  int count = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') count++;
  }
  found("%d processes", count);
  return count > 2;
}

static bool share_session(char **targets) {
  (void)targets;
  // The sandbox has a session of its own, in which the extension is not the leader's only member.
  return open("/dev/tty", O_RDWR | O_CLOEXEC) >= 0;
}

static bool enter_namespaces(char **targets) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/ns/mnt", targets[0]);
  int other = open(path, O_RDONLY | O_CLOEXEC);
  return other >= 0 || setns(STDIN_FILENO, 0) == 0 || syscall(SYS_kcmp, getpid(), getppid(), 0, 0, 0) >= 0;
}

const struct attempt process_attempts[] = {
    {"processes/trace", trace},
    {"processes/memory", read_memory},
    {"processes/signals", send_signals},
    {"processes/owner", own_descriptors},
    {"processes/descriptors", take_descriptors},
    {"processes/scheduling", change_scheduling},
    {"processes/see", see_processes},
    {"processes/session", share_session},
    {"processes/namespaces", enter_namespaces},
    {NULL, NULL},
};
