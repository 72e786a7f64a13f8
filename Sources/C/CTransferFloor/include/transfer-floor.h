// The floor of background transfers: libcurl called from C, and the server that both sides talk to.
#pragma once

#include <stdint.h>
#include <sys/types.h>

/// Starts a server in a process of its own, on a loopback port. It answers `GET /<n>` with n bytes and takes any PUT, over
/// connections that stay open. Returns its process, or a negative errno; who starts it ends it.
pid_t transfer_floor_server(int *port);

/// Gets a file with the easy interface and writes it to a path. Returns 0 or a positive errno.
int transfer_floor_download(const char *url, const char *path);

/// Sends a file with PUT. Returns 0 or a positive errno.
int transfer_floor_upload(const char *path, const char *url);

/// Gets count files with the multi interface, some at a time, each to a name of its own in a folder; a row of a new
/// database says of each that it is there, and every commit is synced. Returns 0 or a positive errno.
int transfer_floor_small(const char *url, const char *folder, const char *database, int count, int parallel);
