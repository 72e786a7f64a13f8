// Locks of single bytes of a file that belong to an open file description (F_OFD_SETLK): the kernel drops them with the
// process, however it ends. Every function returns 0 or a positive errno unless it says otherwise.
#pragma once

#include <stdint.h>

/// Tries to lock one byte; EAGAIN when another open file description has it. Never waits.
int clinux_try_lock_byte(int descriptor, int64_t byte, int exclusive);

int clinux_unlock_byte(int descriptor, int64_t byte);

/// 1 when another open file description has a lock on the byte, 0 when none has, or a negative errno.
int clinux_byte_is_locked(int descriptor, int64_t byte);

/// Nanoseconds since the machine was started, sleep included (CLOCK_BOOTTIME).
uint64_t clinux_boottime_nanoseconds(void);
