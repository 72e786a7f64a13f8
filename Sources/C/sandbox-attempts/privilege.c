#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

static bool has_privileges(char **targets) {
  char text[8192] = {0};
  int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (read(file, text, sizeof text - 1) <= 0) return true;
  const char *const lines[] = {
      "NoNewPrivs:\t1\n", "Seccomp:\t2\n", "CapPrm:\t0000000000000000\n", "CapEff:\t0000000000000000\n",
      "CapAmb:\t0000000000000000\n", "CapInh:\t0000000000000000\n",
  };
  for (size_t index = 0; index < sizeof lines / sizeof *lines; index++) {
    if (strstr(text, lines[index]) == NULL) {
      found("no line %s", lines[index]);
      return true;
    }
  }
  // Where a host could take them, not even the privileges of programs are left.
  if (strcmp(targets[0], "bounded") == 0 && strstr(text, "CapBnd:\t0000000000000000\n") == NULL) {
    found("a bounding set");
    return true;
  }
  if (getuid() == 0 || geteuid() == 0 || getgid() == 0 || getegid() == 0) return true;
  return setuid(0) == 0 || setgid(0) == 0 || setresuid(0, 0, 0) == 0 || syscall(SYS_capset, NULL, NULL) == 0;
}

static bool make_namespaces(char **targets) {
  (void)targets;
  static const int flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWNET,
                              CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP, CLONE_NEWTIME};
  for (size_t index = 0; index < sizeof flags / sizeof *flags; index++) {
    if (unshare(flags[index]) == 0) return true;
    if (syscall(SYS_clone, (long)flags[index] | 17, 0, 0, 0, 0) >= 0) return true;
  }
  return false;
}

// The namespaces of the host, as the links of /proc name them: "net:[4026531840]".
static bool share_namespaces(char **targets) {
  for (; *targets != NULL; targets++) {
    char path[64], own[64] = {0};
    snprintf(path, sizeof path, "/proc/self/ns/%.*s", (int)strcspn(*targets, ":"), *targets);
    if (readlink(path, own, sizeof own - 1) > 0 && strcmp(own, *targets) != 0) continue;
    found("the host's %s, %s", *targets, own);
    return true;
  }
  return false;
}

struct call {
  const char *name;
  long number;
};

// Every one must be refused by the list, before the kernel looks at an argument.
static bool refused(const struct call *calls, size_t count) {
  for (size_t index = 0; index < count; index++) {
    errno = 0;
    if (syscall(calls[index].number, 0, 0, 0, 0, 0, 0) < 0 && errno == EPERM) continue;
    found("%s gave %s", calls[index].name, strerrorname_np(errno));
    return false;
  }
  return true;
}

#define CALL(name) \
  { #name, SYS_##name }
#define REFUSED(...) \
  do { \
    static const struct call calls[] = {__VA_ARGS__}; \
    (void)targets; \
    return !refused(calls, sizeof calls / sizeof *calls); \
  } while (0)

static bool mount_things(char **targets) {
  REFUSED(CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(fsopen), CALL(fsmount), CALL(open_tree),
          CALL(move_mount), CALL(mount_setattr), CALL(quotactl), CALL(swapon), CALL(swapoff));
}

static bool use_kernel(char **targets) {
  REFUSED(CALL(bpf), CALL(perf_event_open), CALL(userfaultfd), CALL(keyctl), CALL(add_key), CALL(request_key),
          CALL(memfd_secret), CALL(memfd_create), CALL(io_uring_setup), CALL(io_uring_enter), CALL(io_uring_register),
          CALL(landlock_create_ruleset), CALL(landlock_restrict_self), CALL(seccomp), CALL(ptrace), CALL(personality),
          CALL(syslog), CALL(reboot), CALL(init_module), CALL(finit_module), CALL(delete_module), CALL(kexec_load),
          CALL(sethostname), CALL(setdomainname), CALL(settimeofday), CALL(clock_settime), CALL(adjtimex),
          CALL(clock_adjtime), CALL(acct), CALL(name_to_handle_at), CALL(vmsplice), CALL(splice), CALL(tee),
          CALL(msgget), CALL(semget), CALL(shmget), CALL(mq_open), CALL(mlock), CALL(mlockall), CALL(setsid),
          CALL(setpgid), CALL(sched_setattr), CALL(sched_setscheduler), CALL(setrlimit),
          CALL(swapon), CALL(unshare), CALL(vhangup), CALL(quotactl), CALL(open_by_handle_at), CALL(pidfd_open),
          CALL(process_madvise), CALL(process_mrelease), CALL(migrate_pages), CALL(move_pages), CALL(mbind),
          CALL(fanotify_init), CALL(inotify_init1), CALL(lookup_dcookie), CALL(nfsservctl), CALL(remap_file_pages));
}

static bool lock_much(void) {
  size_t size = (size_t)64 << 20;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  return mlock2(memory, size, MLOCK_ONFAULT) == 0 ||
         mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0) != MAP_FAILED;
}

static bool raise_limits(char **targets) {
  (void)targets;
  struct rlimit more = {1 << 20, 1 << 20};
  struct sched_param realtime = {1};
  return setrlimit(RLIMIT_NOFILE, &more) == 0 || prlimit(0, RLIMIT_CORE, &more, NULL) == 0 ||
         sched_setscheduler(0, SCHED_FIFO, &realtime) == 0 || setpriority(PRIO_PROCESS, 0, -20) == 0 ||
         mlock(&more, sizeof more) == 0 || lock_much() ||
         mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// Ends in SIGSYS when all is well.
static bool foreign_calls(char **targets) {
#if defined(__x86_64__)
  if (targets[0] != NULL && strcmp(targets[0], "x32") == 0) {
    syscall(0x40000000 | SYS_getpid);
  } else {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
  }
#else
  (void)targets;
  raise(31);
#endif
  return true;
}

// The kernel looks at the lower half of these arguments, so must the list.
static bool upper_halves(char **targets) {
  (void)targets;
  unsigned long high = 1ul << 32;
  if (syscall(SYS_fcntl, 0, high | F_GETFD, 0) != 0) {
    found("fcntl refused by its upper half");
    return true;
  }
  if (syscall(SYS_fcntl, 0, high | F_SETOWN, getpid()) == 0) return true;
  if (syscall(SYS_prctl, high | PR_SET_DUMPABLE, 1, 0, 0, 0) == 0) return true;
  return syscall(SYS_clone, high | CLONE_NEWUSER | 17, 0, 0, 0, 0) >= 0;
}

const struct attempt privilege_attempts[] = {
    {"privilege/ids", has_privileges},
    {"privilege/namespaces", make_namespaces},
    {"privilege/shared", share_namespaces},
    {"privilege/mounts", mount_things},
    {"privilege/kernel", use_kernel},
    {"privilege/limits", raise_limits},
    {"privilege/foreign", foreign_calls},
    {"privilege/upper", upper_halves},
    {NULL, NULL},
};
