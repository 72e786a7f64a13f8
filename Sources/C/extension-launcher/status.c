// The status records: what the host learns of a launch.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <unistd.h>

// In the extension's process: the pipe on which the init waits for execve. -1 elsewhere.
static int failure_pipe = -1;

bool status_write(enum launch_status_kind kind, uint32_t first, uint32_t second) {
  struct launch_status record = {LAUNCH_STATUS_MAGIC, kind, first, second};
  ssize_t written;
  do {
    written = write(LAUNCH_DESCRIPTOR_CONTROL, &record, sizeof record);
  } while (written < 0 && errno == EINTR);
  return written == (ssize_t)sizeof record;
}

void status_announce_failures_on(int descriptor) { failure_pipe = descriptor; }

_Noreturn void stage_failed(enum launch_stage stage, int error) {
  // A host that has gone away is nobody to report to; the process ends either way.
  (void)status_write(LAUNCH_STATUS_FAILED, (uint32_t)stage, (uint32_t)error);
  if (failure_pipe >= 0) {
    ssize_t ignored = write(failure_pipe, "f", 1);
    (void)ignored;
  }
  _exit(125);
}

void stage_check(enum launch_stage stage, bool succeeded) {
  if (!succeeded) stage_failed(stage, errno);
}
