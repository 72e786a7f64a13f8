#include "fixture-wire.h"

/// Answers the handshake, and then never again.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_is(&message, "initialize")) wire_lifecycle(&message);
  }
  return 0;
}
