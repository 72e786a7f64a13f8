#define _GNU_SOURCE
#include "clinux/affinity.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static cpu_set_t at_start;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void remember(void) {
  if (sched_getaffinity(0, sizeof at_start, &at_start) != 0) {
    CPU_ZERO(&at_start);
    CPU_SET(0, &at_start);
  }
}

int clinux_cpu_count(void) {
  pthread_once(&once, remember);
  return CPU_COUNT(&at_start);
}

int clinux_cpu_at(int index) {
  pthread_once(&once, remember);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
    if (CPU_ISSET(cpu, &at_start) && index-- == 0) return cpu;
  }
  return -1;
}

int clinux_pin_process(int cpu) {
  pthread_once(&once, remember);
  cpu_set_t wanted = at_start;
  if (cpu >= 0) {
    CPU_ZERO(&wanted);
    CPU_SET(cpu, &wanted);
  }
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return errno;
  int failure = 0;
  for (struct dirent *entry; (entry = readdir(threads));) {
    int thread = atoi(entry->d_name);
    // A thread that has just ended needs no CPU.
    if (thread > 0 && sched_setaffinity(thread, sizeof wanted, &wanted) != 0 && errno != ESRCH) failure = errno;
  }
  closedir(threads);
  return failure;
}
