#include "fixture-wire.h"

/// Answers the handshake and exits with status 3.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (!wire_is(&message, "initialize")) continue;
    wire_lifecycle(&message);
    return 3;
  }
  return 0;
}
