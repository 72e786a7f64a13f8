// The policy: read once, checked once, so that no stage has to doubt a length, an offset or a string.

#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void policy_require(bool valid) {
  if (!valid) stage_failed(LAUNCH_STAGE_POLICY, EINVAL);
}

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  stage_check(LAUNCH_STAGE_POLICY, memory != NULL);
  return memory;
}

static void read_all(char *bytes, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t count = pread(LAUNCH_DESCRIPTOR_POLICY, bytes + done, length - done, (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    stage_check(LAUNCH_STAGE_POLICY, count >= 0);
    policy_require(count > 0);
    done += (size_t)count;
  }
}

// A table of count entries lies between the header and the strings, aligned to its entries.
static void check_table(const struct launch_policy *policy, uint32_t offset, uint32_t count, size_t size,
                        size_t align) {
  policy_require(count <= LAUNCH_POLICY_MAXIMUM_COUNT);
  if (count == 0) return;
  policy_require(offset >= sizeof *policy && offset % align == 0);
  policy_require(offset <= policy->strings && (uint64_t)count * size <= policy->strings - offset);
}

// The last byte of a policy is NUL, so a string that starts inside the strings also ends there.
static void check_string(const struct launch_policy *policy, uint32_t offset) {
  policy_require(offset >= policy->strings && offset < policy->length);
}

static void check_path(const struct launch_policy *policy, uint32_t offset) {
  check_string(policy, offset);
  policy_require(policy_string(policy, offset)[0] == '/');
}

static void check_strings(const struct launch_policy *policy, uint32_t offsets, uint32_t count) {
  check_table(policy, offsets, count, sizeof(uint32_t), _Alignof(uint32_t));
  const uint32_t *table = (const void *)((const char *)policy + offsets);
  for (uint32_t index = 0; index < count; index++) check_string(policy, table[index]);
}

static void check(const struct launch_policy *policy) {
  policy_require(policy->magic == LAUNCH_POLICY_MAGIC && policy->version == LAUNCH_POLICY_VERSION);
  policy_require(policy->strings >= sizeof *policy && policy->strings < policy->length);
  policy_require(((const char *)policy)[policy->length - 1] == 0);
  policy_require((policy->facilities & ~(uint32_t)LAUNCH_FACILITIES_ALL) == 0);
  policy_require(policy->user_id != 0 && policy->group_id != 0);
  policy_require(policy->user_id != (uint32_t)-1 && policy->group_id != (uint32_t)-1);
  check_path(policy, policy->executable);
  check_path(policy, policy->working_directory);
  policy_require(policy->argument_count > 0);
  check_strings(policy, policy->arguments, policy->argument_count);
  check_strings(policy, policy->environment, policy->environment_count);
  check_table(policy, policy->paths, policy->path_count, sizeof(struct launch_path), _Alignof(struct launch_path));
  for (uint32_t index = 0; index < policy->path_count; index++) {
    const struct launch_path *path = &policy_paths(policy)[index];
    policy_require(path->kind >= LAUNCH_PATH_READ && path->kind <= LAUNCH_PATH_LINK);
    check_path(policy, path->path);
    if (path->kind == LAUNCH_PATH_LINK) check_string(policy, path->target);
  }
  check_table(policy, policy->limits, policy->limit_count, sizeof(struct launch_limit), _Alignof(struct launch_limit));
}

const struct launch_policy *policy_read(void) {
  struct stat status;
  stage_check(LAUNCH_STAGE_POLICY, fstat(LAUNCH_DESCRIPTOR_POLICY, &status) == 0);
  policy_require(status.st_size > (off_t)sizeof(struct launch_policy));
  policy_require(status.st_size <= LAUNCH_POLICY_MAXIMUM_LENGTH);
  struct launch_policy *policy = allocate(1, (size_t)status.st_size);
  read_all((char *)policy, (size_t)status.st_size);
  policy_require(policy->length == status.st_size);
  check(policy);
  stage_check(LAUNCH_STAGE_POLICY, close(LAUNCH_DESCRIPTOR_POLICY) == 0);
  return policy;
}

bool policy_has(const struct launch_policy *policy, enum launch_facility facility) {
  return (policy->facilities & facility) != 0;
}

const char *policy_string(const struct launch_policy *policy, uint32_t offset) { return (const char *)policy + offset; }

char **policy_strings(const struct launch_policy *policy, uint32_t offsets, uint32_t count) {
  const uint32_t *table = (const void *)((const char *)policy + offsets);
  char **strings = allocate((size_t)count + 1, sizeof *strings);
  for (uint32_t index = 0; index < count; index++) strings[index] = (char *)policy + table[index];
  return strings;
}

const struct launch_path *policy_paths(const struct launch_policy *policy) {
  return (const void *)((const char *)policy + policy->paths);
}

const struct launch_limit *policy_limits(const struct launch_policy *policy) {
  return (const void *)((const char *)policy + policy->limits);
}
