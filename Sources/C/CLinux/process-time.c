#define _GNU_SOURCE
#include "clinux/process-time.h"

#include <errno.h>
#include <time.h>

int clinux_process_time(pid_t pid, uint64_t *nanoseconds) {
  clockid_t clock;
  int error = clock_getcpuclockid(pid, &clock);
  if (error != 0) return error;
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return errno == EINVAL ? ESRCH : errno;
  *nanoseconds = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  return 0;
}
