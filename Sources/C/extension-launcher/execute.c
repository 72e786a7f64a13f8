// The last stage: the process becomes the extension.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <unistd.h>

_Noreturn void execute(const struct launch_policy *policy) {
  char **arguments = policy_strings(policy, policy->arguments, policy->argument_count);
  char **environment = policy_strings(policy, policy->environment, policy->environment_count);
  execve(policy_string(policy, policy->executable), arguments, environment);
  stage_failed(LAUNCH_STAGE_EXECUTE, errno);
}
