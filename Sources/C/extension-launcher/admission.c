// The admission: nothing is confined and nothing is started before the host says that it may. Children inherit the
// control group that the host has put this process into meanwhile.

#include "launcher.h"

#include <errno.h>
#include <unistd.h>

void admission_await(void) {
  char byte;
  ssize_t count;
  do {
    count = read(LAUNCH_DESCRIPTOR_CONTROL, &byte, 1);
  } while (count < 0 && errno == EINTR);
  // The host has died, or has given this launch up.
  if (count == 0) stage_failed(LAUNCH_STAGE_POLICY, ECANCELED);
  stage_check(LAUNCH_STAGE_POLICY, count == 1);
}
