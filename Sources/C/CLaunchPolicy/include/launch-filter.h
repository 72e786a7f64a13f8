// The seccomp filters of the launcher. Both architectures are built on either, so that a test can evaluate both.
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stdint.h>

// Stands in a filter where the number of the own process belongs; replaced when the filter is loaded.
#define LAUNCH_FILTER_OWN_PROCESS 0x0badf00du
// The same for the process that the monitor or the init waits for.
#define LAUNCH_FILTER_CHILD 0x0badc11du

enum launch_architecture { LAUNCH_X86_64 = 1, LAUNCH_AARCH64 = 2 };
#if defined(__x86_64__)
#define LAUNCH_NATIVE LAUNCH_X86_64
#else
#define LAUNCH_NATIVE LAUNCH_AARCH64
#endif

// Instructions for which there must be room.
#define LAUNCH_FILTER_CAPACITY 1024u

// Writes the filter of an extension and returns the number of its instructions.
//
// generates_code: the extension may make anonymous memory executable, as a just-in-time compiler must.
uint32_t launch_filter_build(enum launch_architecture architecture, bool generates_code,
                             struct sock_filter *instructions);

struct launch_filter {
  const struct sock_filter *instructions;
  uint32_t count;
};

// The filter of the monitor and the init, for the architecture of this build.
struct launch_filter launch_filter_waiting(void);

// The table from which the filters are built: the number of the system call at a position, or -1 where the architecture
// lacks it; how the filter treats it. For the test that compares the two.
enum launch_call_rule { LAUNCH_CALL_ALLOWED = 1, LAUNCH_CALL_CHECKED = 2 };
struct launch_call {
  const char *name;
  int x86_64;
  int aarch64;
  enum launch_call_rule rule;
};
uint32_t launch_call_count(void);
struct launch_call launch_call_at(uint32_t position);
