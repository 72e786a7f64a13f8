#pragma once

/// Connects to a stream socket in the file system. Returns the descriptor (non-blocking, close-on-exec), or -1 with
/// errno; -1 with EPERM when the process at the other end belongs to another user.
int clinux_local_connect(const char *path);

/// Listens on a stream socket in the file system that only this user may reach. A socket of this user that nobody listens
/// on is replaced; EADDRINUSE when somebody does, EEXIST for any other file. Returns the descriptor (non-blocking,
/// close-on-exec), or -1 with errno.
int clinux_local_listen(const char *path);

/// Accepts a connection of the same user. Returns the descriptor (non-blocking, close-on-exec), or -1 with errno; -1 with
/// EPERM when it was another user's, which is closed.
int clinux_local_accept(int listener);
