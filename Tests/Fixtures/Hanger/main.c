#include "fixture-wire.h"

/// Reads everything and answers nothing, the handshake neither.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {}
  return 0;
}
