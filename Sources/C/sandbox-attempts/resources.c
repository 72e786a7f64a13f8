#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool many_descriptors(char **targets) {
  (void)targets;
  int count = 0;
  while (count < 2000 && dup(STDIN_FILENO) >= 0) count++;
  found("%d descriptors", count);
  return count > 256;
}

static bool large_file(char **targets) {
  (void)targets;
  signal(SIGXFSZ, SIG_IGN);
  int file = open("large", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return true;
  if (ftruncate(file, (64 << 20) + 1) == 0) return true;
  return pwrite(file, "x", 1, 64 << 20) == 1 || errno != EFBIG;
}

static pthread_barrier_t never;

static void *stay(void *nothing) {
  pthread_barrier_wait(&never);
  return nothing;
}

static bool many_threads(char **targets) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_barrier_init(&never, NULL, 4096);
  int count = 0;
  pthread_t thread;
  while (count < 2000 && pthread_create(&thread, &attributes, stay, NULL) == 0) count++;
  found("%d threads", count);
  return count > atoi(targets[0]);
}

static bool much_memory(char **targets) {
  (void)targets;
  size_t total = 0;
  // Kept in sight: a compiler may leave out memory that nobody looks at, and call that a success.
  void *volatile block = NULL;
  while (total < (size_t)2 << 30 && (block = malloc(16 << 20)) != NULL) total += 16 << 20;
  found("%zu MiB", total >> 20);
  return total > (size_t)512 << 20;
}

// Room that does not show in the length of a file, which is what the limit of one file looks at.
static bool reserve_room(char **targets) {
  (void)targets;
  static const int modes[] = {
      FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,    FALLOC_FL_ZERO_RANGE,
      FALLOC_FL_INSERT_RANGE, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, FALLOC_FL_COLLAPSE_RANGE,
  };
  int file = open("reserve", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || (fallocate(file, 0, 0, 1 << 20) != 0 && errno != EOPNOTSUPP)) {
    found("no room at all, %s", strerrorname_np(errno));
    return true;
  }
  for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
    if (fallocate(file, modes[index], 0, 1 << 20) != 0 && errno == EOPNOTSUPP) continue;
    found("room of mode %#x, %s", modes[index], strerrorname_np(errno));
    return true;
  }
  return unlink("reserve") != 0;
}

static int leave(void *nothing) {
  (void)nothing;
  return (int)syscall(SYS_exit, 0);
}

// A thread with descriptors of its own has their limit once more.
static bool own_tables(char **targets) {
  (void)targets;
  static char stack[64 << 10] __attribute__((aligned(16)));
  int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  if (clone(leave, stack + sizeof stack, flags, NULL) >= 0 || unshare(CLONE_FILES) == 0) return true;
  return syscall(SYS_close_range, 1000u, 1000u, 1u << 1) == 0;
}

// Pages that stay when they are unmapped, or that no figure of the process counts.
static bool hidden_memory(char **targets) {
  (void)targets;
  size_t size = 2 << 20;
  int flags[] = {MAP_SHARED | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB};
  for (size_t index = 0; index < sizeof flags / sizeof *flags; index++) {
    if (mmap(NULL, size, PROT_READ | PROT_WRITE, flags[index], -1, 0) == MAP_FAILED && errno == EPERM) continue;
    found("memory of kind %#x, %s", flags[index], strerrorname_np(errno));
    return true;
  }
  return false;
}

// Signals that wait count for all processes of the user: where they are used up, other programs get no timer.
static bool queued_signals(char **targets) {
  (void)targets;
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGRTMIN + 1);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  int count = 0;
  while (count < 256 && syscall(SYS_tgkill, getpid(), gettid(), SIGRTMIN + 1) == 0) count++;
  found("%d signals", count);
  return count > 64;
}

const struct attempt resource_attempts[] = {
    {"resources/descriptors", many_descriptors}, {"resources/file", large_file}, {"resources/threads", many_threads},
    {"resources/memory", much_memory},           {"resources/room", reserve_room}, {"resources/tables", own_tables},
    {"resources/hidden", hidden_memory},         {"resources/signals", queued_signals}, {NULL, NULL},
};
