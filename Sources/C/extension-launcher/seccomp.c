// The allow-lists of system calls: that of the extension, and that of the processes which only wait for it.

#define _GNU_SOURCE
#include "launcher.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "launch-filter.h"

static void load(enum launch_stage stage, const struct sock_filter *instructions, uint32_t count) {
  struct sock_fprog program = {(unsigned short)count, (struct sock_filter *)instructions};
  stage_check(stage, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0);
}

static void put(struct sock_filter *instructions, uint32_t count, uint32_t mark, pid_t process) {
  for (uint32_t index = 0; index < count; index++) {
    if (instructions[index].k == mark) instructions[index].k = (uint32_t)process;
  }
}

void seccomp_apply(const struct launch_policy *policy) {
  struct sock_filter instructions[LAUNCH_FILTER_CAPACITY];
  uint32_t count = launch_filter_build(LAUNCH_NATIVE, policy_has(policy, LAUNCH_GENERATED_CODE), instructions);
  put(instructions, count, LAUNCH_FILTER_OWN_PROCESS, getpid());
  load(LAUNCH_STAGE_SECCOMP, instructions, count);
}

void seccomp_apply_waiting(pid_t child) {
  struct sock_filter instructions[LAUNCH_FILTER_CAPACITY];
  struct launch_filter filter = launch_filter_waiting();
  memcpy(instructions, filter.instructions, filter.count * sizeof *instructions);
  put(instructions, filter.count, LAUNCH_FILTER_CHILD, child);
  load(LAUNCH_STAGE_INIT, instructions, filter.count);
}
