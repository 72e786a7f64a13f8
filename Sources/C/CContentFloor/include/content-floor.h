// The floor of content over HTTP: libmicrohttpd called from C, which sends bytes that were made before.
#pragma once

#include <stddef.h>

struct content_floor;

/// Starts a server on a free port of the loopback interface, with a thread of its own. It answers every request with a copy
/// of these bytes and three fields. Returns NULL and sets errno when it cannot; who starts it ends it.
struct content_floor *content_floor_start(
    const void *bytes, size_t count, const char *type, const char *caching, const char *tag, int *port);

/// Ends the server and its connections.
void content_floor_stop(struct content_floor *floor);
