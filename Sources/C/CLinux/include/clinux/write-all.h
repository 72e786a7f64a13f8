#pragma once

#include <stddef.h>

/// Writes all bytes to a blocking descriptor, whatever interrupts it. Returns 0, or -1 with errno when not all of them
/// could be written.
int clinux_write_all(int descriptor, const void *bytes, size_t count);
