#pragma once

/// Blocks SIGINT, SIGTERM and SIGHUP for this thread and those it starts later, and makes them readable. Returns a
/// descriptor (non-blocking, close-on-exec), or -1 with errno.
int clinux_stop_signals(void);

/// Whether this process ignores a signal.
int clinux_is_ignored(int signal);

/// The number of one signal that came, or 0 when there is none.
int clinux_read_signal(int descriptor);
