// Descriptors: the five of the launcher and nothing that the host leaked.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

void descriptors_close(int first, int last) {
  if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0u) != 0) {
    stage_failed(LAUNCH_STAGE_DESCRIPTORS, errno);
  }
}

void descriptors_reset(void) {
  descriptors_close(LAUNCH_DESCRIPTOR_COUNT, ~0);
  for (int descriptor = 0; descriptor < LAUNCH_DESCRIPTOR_COUNT; descriptor++) {
    int flags = fcntl(descriptor, F_GETFD);
    stage_check(LAUNCH_STAGE_DESCRIPTORS, flags >= 0);
    if (descriptor < LAUNCH_DESCRIPTOR_POLICY) continue;
    stage_check(LAUNCH_STAGE_DESCRIPTORS, fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) == 0);
  }
}
