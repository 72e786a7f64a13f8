// The allow-lists of system calls: that of the extension, and that of the processes which only wait for it.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch-filter.h"

static void load(enum launch_stage stage, struct launch_filter filter) {
  struct sock_filter *instructions = calloc(filter.count, sizeof *instructions);
  stage_check(stage, instructions != NULL);
  memcpy(instructions, filter.instructions, filter.count * sizeof *instructions);
  for (uint32_t index = 0; index < filter.count; index++) {
    if (instructions[index].k == LAUNCH_FILTER_OWN_PROCESS) instructions[index].k = (uint32_t)getpid();
  }
  struct sock_fprog program = {(unsigned short)filter.count, instructions};
  stage_check(stage, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
  free(instructions);
}

void seccomp_apply(void) { load(LAUNCH_STAGE_SECCOMP, launch_filter_native()); }

void seccomp_apply_warden(void) { load(LAUNCH_STAGE_INIT, launch_filter_warden()); }
