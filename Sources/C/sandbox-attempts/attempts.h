// A hostile extension: one attempt per process, named by the first argument. What follows are its targets, with which the
// sandbox of an extension is tried on a machine; nothing in it harms a machine whose sandbox fails.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Whether the attempt succeeded, that is, whether the sandbox failed. errno says why not.
typedef bool (*attempt_function)(char **targets);

struct attempt {
  const char *name;
  attempt_function run;
};

extern const struct attempt call_attempts[];
extern const struct attempt channel_attempts[];
extern const struct attempt device_attempts[];
extern const struct attempt file_attempts[];
extern const struct attempt process_attempts[];
extern const struct attempt network_attempts[];
extern const struct attempt execution_attempts[];
extern const struct attempt privilege_attempts[];
extern const struct attempt inheritance_attempts[];
extern const struct attempt resource_attempts[];

// One of two extensions that attack each other. Returns the status of the program.
int be_peer(const char *shared);

// Says what was found, for a message of the test.
void found(const char *format, ...) __attribute__((format(printf, 1, 2)));
