#pragma once

#include <stdint.h>

/// Copies a regular file into an empty one: shares its blocks where the file system can, else has the kernel copy them,
/// else copies through memory. Neither position is used or moved.
///
/// Returns the number of bytes, or a negative errno; -EFBIG when there are more than `limit`.
int64_t clinux_copy_file(int source, int target, int64_t limit);
