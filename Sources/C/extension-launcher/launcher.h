// The stages of the launcher, one file each. A stage either did all it names or has ended the process through
// stage_failed: none returns an error, none does less than the policy says.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch-policy.h"

// status.c
_Noreturn void stage_failed(enum launch_stage stage, int error);
void stage_check(enum launch_stage stage, bool succeeded);
bool status_write(enum launch_status_kind kind, uint32_t first, uint32_t second);
void status_announce_failures_on(int descriptor);

// descriptors.c
void descriptors_reset(void);
void descriptors_close(int first, int last);

// policy.c
const struct launch_policy *policy_read(void);
void policy_require(bool valid);
bool policy_has(const struct launch_policy *policy, enum launch_facility facility);
const char *policy_string(const struct launch_policy *policy, uint32_t offset);
char **policy_strings(const struct launch_policy *policy, uint32_t offsets, uint32_t count);
const struct launch_path *policy_paths(const struct launch_policy *policy);
const struct launch_limit *policy_limits(const struct launch_policy *policy);

// admission.c
void admission_await(void);

// session.c
void session_start(void);

// paths.c: a path of the policy, without following links and of the kind that it claims to be
int path_open(const struct launch_policy *policy, const struct launch_path *path, enum launch_stage stage,
              bool *directory);

// standby.c: the arguments as a policy that has nothing but facilities and ids; then the wait for what is to be launched
bool standby_asked(int count, char **arguments);
struct launch_policy standby_policy(char **arguments);
void standby_await(void);

// namespaces.c: `made` are the facilities that this process has already
void namespaces_enter(const struct launch_policy *policy, uint32_t made);

// monitor.c: returns in the init of a new pid namespace, with the descriptor that ends when the monitor ends
int monitor_fork_init(const struct launch_policy *policy);

// mounts.c
void mounts_build(const struct launch_policy *policy);

// credentials.c
void credentials_drop(const struct launch_policy *policy);

// exec-once.c
int exec_once_install(const struct launch_policy *policy);
void exec_once_grant(int listener);

// init.c: returns in the extension's process
void init_fork_extension(int listener, int watched);

// directory.c
void directory_enter(const struct launch_policy *policy);

// limits.c
void limits_apply(const struct launch_policy *policy);

// landlock.c
void landlock_apply(const struct launch_policy *policy);

// seccomp.c
void seccomp_apply(const struct launch_policy *policy);
void seccomp_apply_waiting(pid_t child);

// execute.c
_Noreturn void execute(const struct launch_policy *policy);

// child.c: what the monitor and the init have in common while the extension runs
void child_watch(void);
void child_forget(void);
void child_confine(pid_t child);
bool child_poll(int watched, int first, int second);
bool child_wait(int watched, pid_t child, int *wait_status);
void child_end(pid_t child);

// version.c
bool version_asked(int count, char **arguments);
int version_print(void);

// self-check.c: the arguments of the process, of which the first is its name
int self_check(char **arguments);
