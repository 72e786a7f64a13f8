#define _GNU_SOURCE
#include "clinux/process-time.h"

#include <errno.h>
#include <time.h>

// The kernel's number for the clock of a process: its complement above three bits, of which 2 is the time that the
// scheduler counts (CPUCLOCK_SCHED of linux/posix-timers.h). clock_getcpuclockid() makes the same, and asks the kernel
// once more whether the process is there, which the clock itself tells.
static clockid_t clock_of(pid_t pid) { return (clockid_t)((~(unsigned)pid << 3) | 2u); }

int clinux_process_time(pid_t pid, uint64_t *nanoseconds) {
  struct timespec time;
  if (clock_gettime(clock_of(pid), &time) != 0) return errno == EINVAL ? ESRCH : errno;
  *nanoseconds = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  return 0;
}

size_t clinux_next_that_ran(const pid_t *pids, const uint64_t *nanoseconds, size_t count, size_t from) {
  for (size_t place = from; place < count; place++) {
    uint64_t time;
    if (clinux_process_time(pids[place], &time) != 0 || time != nanoseconds[place]) return place;
  }
  return count;
}
