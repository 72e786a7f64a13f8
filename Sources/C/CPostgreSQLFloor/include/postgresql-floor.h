// The floor of the group store in PostgreSQL: the same statements, sent by libpq from C, one after the other.
#pragma once

#include <stdint.h>

// Writes count values of 100 bytes to a suite of its own in a store that is there, each in a call of the store's function;
// the time of each in nanoseconds. Returns 0 or a positive errno.
int postgresql_floor_writes(const char *url, int count, uint64_t *nanoseconds);

// The same, while another connection listens and reads what was written as soon as it hears of it: the time from the start
// of each write to the end of that read.
int postgresql_floor_notifications(const char *url, int count, uint64_t *nanoseconds);
