#include "clinux/write-all.h"

#include <errno.h>
#include <unistd.h>

int clinux_write_all(int descriptor, const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count > 0) {
    ssize_t written = write(descriptor, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // A device that takes nothing and names no reason would be asked for ever.
      if (written == 0) errno = EIO;
      return -1;
    }
    rest += written;
    count -= (size_t)written;
  }
  return 0;
}
