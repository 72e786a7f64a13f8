#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The processor time of all threads of a process, also of those that have ended, in nanoseconds: one system call that
// opens nothing and may be made for every process that is seen from here. 0, or a positive errno: ESRCH when there is
// no process of this number.
int clinux_process_time(pid_t pid, uint64_t *nanoseconds);

// The place of the first of `count` processes, from the place `from` on, whose processor time is not `nanoseconds` any
// more; also one whose time cannot be told. `count` when there is none.
size_t clinux_next_that_ran(const pid_t *pids, const uint64_t *nanoseconds, size_t count, size_t from);
