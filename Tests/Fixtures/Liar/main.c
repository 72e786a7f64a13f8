#include "fixture-wire.h"

/// Answers the handshake, and every later request under ids that nobody asked for: another number, the right number as a
/// string, null.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_is(&message, "initialize") || wire_is(&message, "terminate")) {
      wire_lifecycle(&message);
    } else if (message.id[0] && message.method[0]) {
      const char *result = "{\"result\":\"newData\",\"view\":\"a lie\"}";
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":1%s,\"result\":%s}", message.id, result);
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"result\":%s}", message.id, result);
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":%s}", result);
    }
  }
  return 0;
}
