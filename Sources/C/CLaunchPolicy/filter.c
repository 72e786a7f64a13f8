// The allow-list as a program of the kernel's filter machine: first the calls whose arguments are checked, as rules
// that the C compiler lays out, then a search tree over the numbers of all others.
//
// Calls that are allowed whatever their arguments cost nothing at run time: since Linux 5.11 the kernel works them out
// when a filter is loaded, by running it for every number. A plain list made that the slowest step of the launcher
// (180 us, against 120 with the tree).

#define _GNU_SOURCE
#include "launch-filter.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "launch-policy.h"
#include "system-calls.h"

#define ARCHITECTURE offsetof(struct seccomp_data, arch)
#define NUMBER offsetof(struct seccomp_data, nr)
// Both architectures are little-endian. The kernel ignores the upper half of a 32-bit argument, so must a check.
#define LOW(argument) (offsetof(struct seccomp_data, args) + 8 * (argument))
#define HIGH(argument) (LOW(argument) + 4)

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offset))
#define MASK(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (uint32_t)(bits))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(action))
#define ALLOW RETURN(SECCOMP_RET_ALLOW)
#define REFUSE(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define KILL RETURN(SECCOMP_RET_KILL_PROCESS)

// The next `length` instructions are for the system call of this number.
#define FOR_CALL(number, length) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(number), 0, length)
#define ALLOW_CALL(number) FOR_CALL(number, 1), ALLOW
// One instruction that ends the call, behind a test.
#define WHEN_EQUAL(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, 1)
#define UNLESS_EQUAL(value) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 1, 0)
#define WHEN_ANY(bits) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 0, 1)
#define UNLESS_ANY(bits) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (uint32_t)(bits), 1, 0)

// Threads only: all flags of a thread, no new namespace. A thread with a table of descriptors of its own would have
// their limit once more.
#define THREAD_FLAGS (CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FILES)
#define NAMESPACE_FLAGS 0x7e020000u
#define CLONE_RULE(number) \
  FOR_CALL(number, 5), LOAD(LOW(0)), MASK(NAMESPACE_FLAGS | THREAD_FLAGS), WHEN_EQUAL(THREAD_FLAGS), ALLOW, \
      REFUSE(EPERM)

// The C library falls back to clone, whose flags can be checked, only for ENOSYS.
#define CLONE3_RULE(number) FOR_CALL(number, 1), REFUSE(ENOSYS)

// Memory that no figure of the process shows: pages that are shared and have no file stay when they are unmapped, and
// huge pages of the pool count nowhere. Six instructions.
#define UNCOUNTED_MEMORY \
  LOAD(LOW(3)), WHEN_ANY(MAP_HUGETLB), REFUSE(EPERM), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 2), \
      WHEN_ANY(MAP_SHARED), REFUSE(EPERM)

// Never writable and executable, never executable without a file.
#define MMAP_RULE(number) \
  FOR_CALL(number, 15), UNCOUNTED_MEMORY, LOAD(LOW(2)), UNLESS_ANY(PROT_EXEC), ALLOW, WHEN_ANY(PROT_WRITE), \
      REFUSE(EPERM), LOAD(LOW(3)), WHEN_ANY(MAP_ANONYMOUS), REFUSE(EPERM), ALLOW

#define MPROTECT_RULE(number) FOR_CALL(number, 4), LOAD(LOW(2)), UNLESS_ANY(PROT_EXEC), ALLOW, REFUSE(EPERM)

// For programs that write code at run time: anonymous memory may be executable, also while it is written. Files keep
// their rule: what is mapped from one is executable or writable. What can be protected as executable is left to the
// kernel, which refuses it for files of a file system without execution.
#define GENERATING_MMAP_RULE(number) \
  FOR_CALL(number, 16), UNCOUNTED_MEMORY, LOAD(LOW(2)), UNLESS_ANY(PROT_EXEC), ALLOW, LOAD(LOW(3)), \
      WHEN_ANY(MAP_ANONYMOUS), ALLOW, LOAD(LOW(2)), WHEN_ANY(PROT_WRITE), REFUSE(EPERM), ALLOW
#define GENERATING_MPROTECT_RULE(number) ALLOW_CALL(number)

// Times of an open file only: without a path.
#define UTIMENSAT_RULE(number) \
  FOR_CALL(number, 7), LOAD(LOW(1)), UNLESS_EQUAL(0), REFUSE(EPERM), LOAD(HIGH(1)), WHEN_EQUAL(0), ALLOW, REFUSE(EPERM)

// PRIO_PROCESS of the calling thread.
#define PRIORITY_RULE(number) \
  FOR_CALL(number, 7), LOAD(LOW(0)), UNLESS_EQUAL(0), REFUSE(EPERM), LOAD(LOW(1)), WHEN_EQUAL(0), ALLOW, REFUSE(EPERM)

#define TGKILL_RULE(number) \
  FOR_CALL(number, 4), LOAD(LOW(0)), WHEN_EQUAL(LAUNCH_FILTER_OWN_PROCESS), ALLOW, REFUSE(EPERM)

// Duplicates, flags, seals. No owner, no lease, no pipe size, and no lock: a large lock that is given back byte by byte is
// a piece of the kernel's memory for each, and a lock on a file that two may read is a word between them.
#define FCNTL_RULE(number) \
  FOR_CALL(number, 18), LOAD(LOW(1)), WHEN_EQUAL(F_DUPFD), ALLOW, WHEN_EQUAL(F_DUPFD_CLOEXEC), ALLOW, \
      WHEN_EQUAL(F_GETFD), ALLOW, WHEN_EQUAL(F_SETFD), ALLOW, WHEN_EQUAL(F_GETFL), ALLOW, WHEN_EQUAL(F_SETFL), ALLOW, \
      WHEN_EQUAL(F_ADD_SEALS), ALLOW, WHEN_EQUAL(F_GET_SEALS), ALLOW, REFUSE(EPERM)

// Of the own process alone, or two that map one file could wake each other. Only waiting is allowed besides: pthread_join
// waits for what the kernel itself wakes at the end of a thread.
#define FUTEX_RULE(number) \
  FOR_CALL(number, 9), LOAD(LOW(1)), WHEN_ANY(FUTEX_PRIVATE_FLAG), ALLOW, MASK(~(uint32_t)FUTEX_CLOCK_REALTIME), \
      WHEN_EQUAL(FUTEX_WAIT), ALLOW, WHEN_EQUAL(FUTEX_WAIT_BITSET), ALLOW, REFUSE(EPERM)

#define IOCTL_RULE(number) \
  FOR_CALL(number, 14), LOAD(LOW(1)), WHEN_EQUAL(TCGETS), ALLOW, WHEN_EQUAL(TIOCGWINSZ), ALLOW, WHEN_EQUAL(FIONREAD), \
      ALLOW, WHEN_EQUAL(FIONBIO), ALLOW, WHEN_EQUAL(FIOCLEX), ALLOW, WHEN_EQUAL(FIONCLEX), ALLOW, REFUSE(EPERM)

#define PRCTL_SET_VMA 0x53564d41
#define PRCTL_RULE(number) \
  FOR_CALL(number, 14), LOAD(LOW(0)), WHEN_EQUAL(PR_SET_NAME), ALLOW, WHEN_EQUAL(PR_GET_NAME), ALLOW, \
      WHEN_EQUAL(PR_GET_DUMPABLE), ALLOW, WHEN_EQUAL(PR_GET_NO_NEW_PRIVS), ALLOW, WHEN_EQUAL(PR_GET_SECCOMP), ALLOW, \
      WHEN_EQUAL(PRCTL_SET_VMA), ALLOW, REFUSE(EPERM)

// Reading the own limits.
#define PRLIMIT64_RULE(number) \
  FOR_CALL(number, 10), LOAD(LOW(0)), UNLESS_EQUAL(0), REFUSE(EPERM), LOAD(LOW(2)), UNLESS_EQUAL(0), REFUSE(EPERM), \
      LOAD(HIGH(2)), WHEN_EQUAL(0), ALLOW, REFUSE(EPERM)

// A new file takes no rights of a user or group. Without these flags the mode is whatever the register holds.
#define NEW_FILE (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))
#define OPEN_RULE(number, flags) \
  FOR_CALL(number, 7), LOAD(LOW(flags)), UNLESS_ANY(NEW_FILE), ALLOW, LOAD(LOW((flags) + 1)), \
      WHEN_ANY(S_ISUID | S_ISGID), REFUSE(EPERM), ALLOW
#define FCHMOD_RULE(number) FOR_CALL(number, 4), LOAD(LOW(1)), WHEN_ANY(S_ISUID | S_ISGID), REFUSE(EPERM), ALLOW

// Room that shows in the length of the file, which the limit of one file bounds. With EOPNOTSUPP, as file systems answer
// that cannot do the rest, programs do without it.
#define FALLOCATE_RULE(number) FOR_CALL(number, 4), LOAD(LOW(1)), WHEN_EQUAL(0), ALLOW, REFUSE(EOPNOTSUPP)

// Not with CLOSE_RANGE_UNSHARE, which gives the thread a table of its own.
#define CLOSE_RANGE_RULE(number) FOR_CALL(number, 4), LOAD(LOW(2)), WHEN_ANY(1u << 1), REFUSE(EPERM), ALLOW

// Not with RENAME_WHITEOUT, which leaves a device file behind, nor with what is unknown: 1 and 2 are NOREPLACE and
// EXCHANGE.
#define RENAMEAT2_RULE(number) FOR_CALL(number, 4), LOAD(LOW(4)), WHEN_ANY(~3u), REFUSE(EPERM), ALLOW

// A pair of connected streams, with which event loops wake themselves. No other kind: datagrams have addresses. What is
// written comes out at the other end, in the same process; descriptors pass with sendmsg alone, which is not in the list.
#define SOCKETPAIR_RULE(number) \
  FOR_CALL(number, 11), LOAD(LOW(0)), UNLESS_EQUAL(AF_UNIX), REFUSE(EPERM), LOAD(LOW(1)), \
      MASK(~(uint32_t)(SOCK_CLOEXEC | SOCK_NONBLOCK)), UNLESS_EQUAL(SOCK_STREAM), REFUSE(EPERM), LOAD(LOW(2)), \
      WHEN_EQUAL(0), ALLOW, REFUSE(EPERM)

// Without an address: what goes through a pair goes to its other end.
#define NO_ADDRESS_RULE(number) \
  FOR_CALL(number, 7), LOAD(LOW(4)), UNLESS_EQUAL(0), REFUSE(EPERM), LOAD(HIGH(4)), WHEN_EQUAL(0), ALLOW, REFUSE(EPERM)

#define CHECKED_RULES(arch, GENERATING) \
  FUTEX_RULE(arch(futex)), FCNTL_RULE(arch(fcntl)), CLONE_RULE(arch(clone)), CLONE3_RULE(arch(clone3)), GENERATING##MMAP_RULE(arch(mmap)), \
      GENERATING##MPROTECT_RULE(arch(mprotect)), UTIMENSAT_RULE(arch(utimensat)), PRIORITY_RULE(arch(getpriority)), \
      PRIORITY_RULE(arch(setpriority)), TGKILL_RULE(arch(tgkill)), IOCTL_RULE(arch(ioctl)), PRCTL_RULE(arch(prctl)), \
      PRLIMIT64_RULE(arch(prlimit64)), OPEN_RULE(arch(openat), 2), FALLOCATE_RULE(arch(fallocate)), \
      CLOSE_RANGE_RULE(arch(close_range)), RENAMEAT2_RULE(arch(renameat2)), FCHMOD_RULE(arch(fchmod)), \
      SOCKETPAIR_RULE(arch(socketpair)), NO_ADDRESS_RULE(arch(sendto)), NO_ADDRESS_RULE(arch(recvfrom))

#define X86_64_NUMBER(name, x86_64, aarch64) x86_64_##name = x86_64,
#define ONLY_X86_64_NUMBER(name, x86_64) x86_64_##name = x86_64,
#define AARCH64_NUMBER(name, x86_64, aarch64) aarch64_##name = aarch64,
#define NO_NUMBER(name, x86_64)
enum { LAUNCH_CHECKED_CALLS(X86_64_NUMBER, ONLY_X86_64_NUMBER) };
enum { LAUNCH_CHECKED_CALLS(AARCH64_NUMBER, NO_NUMBER) };
#define X86_64(name) x86_64_##name
#define AARCH64(name) aarch64_##name

// Another architecture's calls, and the x32 calls of x86_64, end the process: their numbers mean something else.
#define X86_64_RULES(GENERATING) \
  { \
    LOAD(ARCHITECTURE), UNLESS_EQUAL(AUDIT_ARCH_X86_64), KILL, LOAD(NUMBER), \
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1), KILL, CHECKED_RULES(X86_64, GENERATING), \
        OPEN_RULE(x86_64_open, 1), \
  }
#define AARCH64_RULES(GENERATING) \
  { \
    LOAD(ARCHITECTURE), UNLESS_EQUAL(AUDIT_ARCH_AARCH64), KILL, LOAD(NUMBER), CHECKED_RULES(AARCH64, GENERATING), \
  }
static const struct sock_filter x86_64_rules[] = X86_64_RULES();
static const struct sock_filter aarch64_rules[] = AARCH64_RULES();
static const struct sock_filter x86_64_generating_rules[] = X86_64_RULES(GENERATING_);
static const struct sock_filter aarch64_generating_rules[] = AARCH64_RULES(GENERATING_);

#if defined(__x86_64__)
#define NATIVE_AUDIT AUDIT_ARCH_X86_64
#define NATIVE_ASSERT_BOTH(name, x86_64, aarch64) _Static_assert(__NR_##name == x86_64, #name);
#define NATIVE_ASSERT_ONLY(name, x86_64) _Static_assert(__NR_##name == x86_64, #name);
#elif defined(__aarch64__)
#define NATIVE_AUDIT AUDIT_ARCH_AARCH64
#define NATIVE_ASSERT_BOTH(name, x86_64, aarch64) _Static_assert(__NR_##name == aarch64, #name);
#define NATIVE_ASSERT_ONLY(name, x86_64)
#else
#error "no table of system calls for this architecture"
#endif

LAUNCH_ALLOWED_CALLS(NATIVE_ASSERT_BOTH, NATIVE_ASSERT_ONLY)
LAUNCH_CHECKED_CALLS(NATIVE_ASSERT_BOTH, NATIVE_ASSERT_ONLY)

// Ends its own child by force; every other signal, and every other process, is refused.
#define KILL_RULE(number) \
  FOR_CALL(number, 7), LOAD(LOW(0)), UNLESS_EQUAL(LAUNCH_FILTER_CHILD), REFUSE(EPERM), LOAD(LOW(1)), \
      WHEN_EQUAL(SIGKILL), ALLOW, REFUSE(EPERM)

static const struct sock_filter waiting[] = {
    LOAD(ARCHITECTURE),
    UNLESS_EQUAL(NATIVE_AUDIT),
    KILL,
    LOAD(NUMBER),
    ALLOW_CALL(__NR_ppoll),
    ALLOW_CALL(__NR_wait4),
    ALLOW_CALL(__NR_rt_sigreturn),
    ALLOW_CALL(__NR_restart_syscall),
    ALLOW_CALL(__NR_write),
    ALLOW_CALL(__NR_close),
    ALLOW_CALL(__NR_exit_group),
    KILL_RULE(__NR_kill),
    REFUSE(EPERM),
};

struct launch_filter launch_filter_waiting(void) {
  return (struct launch_filter){waiting, sizeof waiting / sizeof *waiting};
}

#define ALLOWED_BOTH(name, x86_64, aarch64) {#name, x86_64, aarch64, LAUNCH_CALL_ALLOWED},
#define ALLOWED_ONLY(name, x86_64) {#name, x86_64, -1, LAUNCH_CALL_ALLOWED},
#define CHECKED_BOTH(name, x86_64, aarch64) {#name, x86_64, aarch64, LAUNCH_CALL_CHECKED},
#define CHECKED_ONLY(name, x86_64) {#name, x86_64, -1, LAUNCH_CALL_CHECKED},
static const struct launch_call calls[] = {
    LAUNCH_ALLOWED_CALLS(ALLOWED_BOTH, ALLOWED_ONLY) LAUNCH_CHECKED_CALLS(CHECKED_BOTH, CHECKED_ONLY)};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

uint32_t launch_call_count(void) { return CALL_COUNT; }
struct launch_call launch_call_at(uint32_t position) { return calls[position]; }

// The numbers from 0 on, cut where allowed and refused change: below bounds[0] refused, then allowed, and so on.
struct numbers {
  uint32_t bounds[2 * CALL_COUNT];
  uint32_t count;
};

static void insert(struct numbers *numbers, uint32_t number) {
  uint32_t position = numbers->count++;
  for (; position > 0 && numbers->bounds[position - 1] > number; position--) {
    numbers->bounds[position] = numbers->bounds[position - 1];
  }
  numbers->bounds[position] = number;
}

static struct numbers allowed_numbers(enum launch_architecture architecture) {
  struct numbers numbers = {.count = 0};
  for (size_t index = 0; index < CALL_COUNT; index++) {
    int number = architecture == LAUNCH_X86_64 ? calls[index].x86_64 : calls[index].aarch64;
    if (calls[index].rule == LAUNCH_CALL_ALLOWED && number >= 0) insert(&numbers, (uint32_t)number);
  }
  return numbers;
}

static struct numbers bounds_of(const struct numbers *allowed) {
  struct numbers bounds = {.count = 0};
  for (uint32_t index = 0; index < allowed->count; index++) {
    uint32_t number = allowed->bounds[index];
    if (bounds.count > 0 && bounds.bounds[bounds.count - 1] == number) {
      bounds.bounds[bounds.count - 1] = number + 1;
    } else {
      bounds.bounds[bounds.count++] = number;
      bounds.bounds[bounds.count++] = number + 1;
    }
  }
  return bounds;
}

// Writes the tree over the pieces from first to last; piece n ends at bounds[n], and every second one is allowed.
static uint32_t write_tree(const uint32_t *bounds, uint32_t first, uint32_t last, struct sock_filter *out) {
  if (first == last) {
    *out = first % 2 == 1 ? (struct sock_filter)ALLOW : (struct sock_filter)REFUSE(EPERM);
    return 1;
  }
  uint32_t middle = first + (last - first) / 2;
  uint32_t below = write_tree(bounds, first, middle, out + 1);
  *out = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, bounds[middle], (uint8_t)below, 0);
  return 1 + below + write_tree(bounds, middle + 1, last, out + 1 + below);
}

// The distance of a jump is one byte: half of the tree, which has two instructions for each piece, must fit into it.
_Static_assert(CALL_COUNT <= 250, "the tree is too large for its jumps");
_Static_assert(sizeof x86_64_generating_rules / sizeof *x86_64_rules + 4 * CALL_COUNT + 1 <= LAUNCH_FILTER_CAPACITY, "capacity");

static struct launch_filter rules_of(enum launch_architecture architecture, bool generates_code) {
#define RULES(name) {name, sizeof name / sizeof *name}
  static const struct launch_filter rules[2][2] = {
      {RULES(x86_64_rules), RULES(x86_64_generating_rules)},
      {RULES(aarch64_rules), RULES(aarch64_generating_rules)},
  };
  return rules[architecture == LAUNCH_X86_64 ? 0 : 1][generates_code ? 1 : 0];
}

uint32_t launch_filter_build(enum launch_architecture architecture, bool generates_code, struct sock_filter *out) {
  struct launch_filter rules = rules_of(architecture, generates_code);
  memcpy(out, rules.instructions, rules.count * sizeof *out);
  struct numbers allowed = allowed_numbers(architecture);
  struct numbers bounds = bounds_of(&allowed);
  return rules.count + write_tree(bounds.bounds, 0, bounds.count, out + rules.count);
}
