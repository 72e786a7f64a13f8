#include "fixture-wire.h"

/// The containing app of the fixtures: it opens every URL that it is handed.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (wire_is(&message, "app/openURL")) wire_answer(&message, "{\"handled\":true,\"presentation\":\"Opened\"}");
    else wire_refuse(&message);
  }
  return 0;
}
