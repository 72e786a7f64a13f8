// The floor of a sign-in: the same three requests of native authentication, sent by libcurl called from C.
#pragma once

#include <stdint.h>

/// Who signs in, where and for what.
struct auth_floor_user {
  /// The authority without a slash at the end.
  const char *authority;
  const char *client, *username, *password, *scope;
};

/// Signs a user in with a password, so many times one after the other over one connection, and writes the nanoseconds of
/// each. Nothing of the answers is kept. Returns 0 or a positive errno.
int auth_floor_sign_in(const struct auth_floor_user *user, int count, uint64_t *times);
