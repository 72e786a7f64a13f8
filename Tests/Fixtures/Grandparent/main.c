#include "fixture-wire.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/// Leaves behind a child that holds the pipes for a minute, where it may. Returns 0, or errno.
static int leave_child(void) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    setsid();
    alarm(60);
    for (;;) pause();
  }
  return 0;
}

/// A widget that shows what became of its attempt to have a child: `forked`, or `refused: ` and the reason.
int main(void) {
  struct wire_message message;
  int failure = leave_child();
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (!wire_is(&message, "widget/performUpdate")) wire_refuse(&message);
    else if (failure == 0) wire_answer(&message, "{\"result\":\"newData\",\"view\":\"forked\"}");
    else
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"result\":\"newData\",\"view\":\"refused: %s\"}}",
                  message.id, strerror(failure));
  }
  return 0;
}
