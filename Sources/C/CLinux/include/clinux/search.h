#pragma once

#include <stddef.h>

/// Where `wanted` stands in `bytes` first; `count` when it does not.
size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length);
