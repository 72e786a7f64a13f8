// "descriptors": nothing that the host leaked is closed.

#define _GNU_SOURCE
#include "mutant.h"

#include <sys/syscall.h>
#include <unistd.h>

static long mutant_close_range(long number, unsigned first, unsigned last, unsigned flags) {
  if (mutant_lacks("descriptors") && last == ~0u) return 0;
  return syscall(number, first, last, flags);
}

#define syscall(number, first, last, flags) mutant_close_range(number, first, last, flags)
#include "../../../Sources/C/extension-launcher/descriptors.c"
