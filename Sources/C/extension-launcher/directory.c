// The start directory: the extension's own scratch directory. For a real root without a mount namespace this is also
// where a directory shows that the extension's user cannot reach.

#define _GNU_SOURCE
#include "launcher.h"

#include <unistd.h>

void directory_enter(const struct launch_policy *policy) {
  stage_check(LAUNCH_STAGE_WORKING_DIRECTORY, chdir(policy_string(policy, policy->working_directory)) == 0);
}
