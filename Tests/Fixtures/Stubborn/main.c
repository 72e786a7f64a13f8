#include "fixture-wire.h"

#include <signal.h>
#include <unistd.h>

/// A correct widget that does not go: it ignores every signal that can be ignored, never answers `terminate`, and lives
/// on when its standard input ends; five minutes at most, in case nobody kills it.
int main(void) {
  struct wire_message message;
  for (int number = 1; number < 32; number++) {
    if (number != SIGALRM && number != SIGSEGV) signal(number, SIG_IGN);
  }
  alarm(300);
  while (wire_read(&message)) {
    if (wire_is(&message, "terminate") || wire_lifecycle(&message)) continue;
    if (wire_is(&message, "widget/performUpdate")) {
      wire_answer(&message, "{\"result\":\"newData\",\"view\":\"Still here\"}");
    } else {
      wire_refuse(&message);
    }
  }
  for (;;) pause();
}
