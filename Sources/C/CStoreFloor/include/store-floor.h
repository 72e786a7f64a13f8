// The floor of the group store: SQLite called from C, one row a transaction, write-ahead log, every commit synced.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Lets some processes insert count rows of 100 bytes each into a new database at path, all at once; the time from the
// first start to the last end. Returns 0 or a positive errno.
int store_floor_writes(const char *path, int writers, int count, uint64_t *nanoseconds);
