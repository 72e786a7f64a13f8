// The seccomp filters of the launcher, built by the C compiler for both architectures, so that a test can evaluate
// either on any machine.
#pragma once

#include <linux/filter.h>
#include <stdint.h>

// Stands in a filter where the number of the own process belongs; replaced when the filter is loaded.
#define LAUNCH_FILTER_OWN_PROCESS 0x0badf00du

struct launch_filter {
  const struct sock_filter *instructions;
  uint32_t count;
};

// The filter of an extension.
struct launch_filter launch_filter_x86_64(void);
struct launch_filter launch_filter_aarch64(void);
struct launch_filter launch_filter_native(void);

// The filter of the keeper and the init, for the architecture of this build.
struct launch_filter launch_filter_warden(void);

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
