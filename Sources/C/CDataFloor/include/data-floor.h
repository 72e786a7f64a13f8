// The floor of a local data server: libpq behind libmicrohttpd, called from C.
#pragma once

#include <stddef.h>

struct data_floor;

/// Starts a server on a free port of the loopback interface, with a thread and a connection of its own. It answers every
/// POST, when its body is there, by executing one prepared statement with these parameters as text, which gives one row
/// with one JSON text, and sends `prefix`, that text and `suffix`. Returns NULL and sets errno when it cannot; who starts it
/// ends it.
struct data_floor *data_floor_start(
    const char *database, const char *sql, const char *const *parameters, int count, const char *prefix,
    const char *suffix, int *port);

/// Ends the server and its connections.
void data_floor_stop(struct data_floor *floor);

/// Bytes of this process's heap that are in use, in all arenas.
size_t data_floor_heap_bytes(void);
