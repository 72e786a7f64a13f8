// "allow:CALL": the list lets the call through whatever its arguments. "tables": a thread may have descriptors of its
// own. "hiddenMemory": memory may be shared without a file.

#define _GNU_SOURCE
#include "mutant.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "launch-filter.h"

static const struct {
  const char *mutant;
  unsigned number;
} allowed[] = {
    {"allow:close_range", SYS_close_range}, {"allow:fallocate", SYS_fallocate}, {"allow:fchmod", SYS_fchmod},
    {"allow:fcntl", SYS_fcntl},             {"allow:futex", SYS_futex},
    {"allow:flock", SYS_flock},             {"allow:mmap", SYS_mmap},           {"allow:mprotect", SYS_mprotect},
    {"allow:openat", SYS_openat},           {"allow:recvmsg", SYS_recvmsg},     {"allow:renameat2", SYS_renameat2},
    {"allow:sendmsg", SYS_sendmsg},         {"allow:sendto", SYS_sendto},       {"allow:socketpair", SYS_socketpair},
};

// Before everything else.
static uint32_t allow(unsigned number, struct sock_filter *instructions, uint32_t count) {
  const struct sock_filter first[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  memmove(instructions + 3, instructions, count * sizeof *instructions);
  memcpy(instructions, first, sizeof first);
  return count + 3;
}

static uint32_t build(enum launch_architecture architecture, bool generates_code, struct sock_filter *instructions) {
  uint32_t count = launch_filter_build(architecture, generates_code, instructions);
  for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
    if (mutant_lacks(allowed[index].mutant)) count = allow(allowed[index].number, instructions, count);
  }
  const uint32_t thread = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FILES;
  for (uint32_t index = 0; index < count; index++) {
    struct sock_filter *one = &instructions[index];
    bool masks = one->code == (BPF_ALU | BPF_AND | BPF_K), compares = one->code == (BPF_JMP | BPF_JEQ | BPF_K);
    if (mutant_lacks("tables") && (masks || compares) && (one->k & thread) == thread) one->k &= ~(uint32_t)CLONE_FILES;
    bool tests = one->code == (BPF_JMP | BPF_JSET | BPF_K);
    if (mutant_lacks("hiddenMemory") && tests && one->k == MAP_SHARED) one->k = 0;
  }
  return count;
}

#define launch_filter_build(architecture, generates_code, instructions) \
  build(architecture, generates_code, instructions)
#include "../../../Sources/C/extension-launcher/seccomp.c"
