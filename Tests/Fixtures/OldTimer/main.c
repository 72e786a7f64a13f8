#include "fixture-wire.h"

/// Speaks version 0.1 of the protocol only.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_is(&message, "initialize")) wire_answer(&message, "{\"protocolVersion\":\"0.1\"}");
    else if (!wire_lifecycle(&message)) wire_refuse(&message);
  }
  return 0;
}
