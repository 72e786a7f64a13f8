// Resource limits: soft and hard at once, never above what the host itself may use.

#define _GNU_SOURCE
#include "launcher.h"

#include <sys/resource.h>

void limits_apply(const struct launch_policy *policy) {
  for (uint32_t index = 0; index < policy->limit_count; index++) {
    const struct launch_limit *limit = &policy_limits(policy)[index];
    struct rlimit current;
    stage_check(LAUNCH_STAGE_LIMITS, getrlimit((__rlimit_resource_t)limit->resource, &current) == 0);
    rlim_t value = limit->value < current.rlim_max ? limit->value : current.rlim_max;
    struct rlimit bounded = {value, value};
    stage_check(LAUNCH_STAGE_LIMITS, setrlimit((__rlimit_resource_t)limit->resource, &bounded) == 0);
  }
}
