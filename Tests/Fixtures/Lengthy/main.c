#include "fixture-wire.h"

/// A correct widget with `Content-Length` headers; its manifest names the framing.
int main(void) {
  struct wire_message message;
  wire_use(WIRE_CONTENT_LENGTH);
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (wire_is(&message, "widget/performUpdate")) {
      wire_answer(&message, "{\"result\":\"newData\",\"view\":{\"title\":\"Lengthy\",\"text\":\"two\\nlines\",\"rows\":[]}}");
    } else {
      wire_refuse(&message);
    }
  }
  return 0;
}
