#pragma once

#include <stddef.h>

/// Where `wanted` stands in `bytes` first; `count` when it does not.
size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length);

/// How many bytes from `text` on a JSON string may hold as they are: none of them is a quote, a backslash or below 0x20.
/// `has_high` is set, and else left alone, when one of them is above 0x7F.
size_t clinux_plain_bytes(const void *text, size_t count, int *has_high);

/// How many bytes the JSON array or object has that begins at `text`, by its brackets and quotes alone. -1 when it does
/// not end within `count` bytes; -2 when it is nested deeper than `limit`, with the place of that bracket in `where`.
long clinux_json_extent(const void *text, size_t count, long limit, size_t *where);
