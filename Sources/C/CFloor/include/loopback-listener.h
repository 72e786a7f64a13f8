#pragma once

/// Listens at any free port of the loopback interface, for the servers of floors.
///
/// Returns the descriptor, or -1 with `errno`.
int loopback_listener(int *port);
