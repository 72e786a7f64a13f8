// "capabilities": they are not given up. "bounding": those that a program could give are kept.

#define _GNU_SOURCE
#include "mutant.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int mutant_prctl(int option, unsigned long second, int third, int fourth, int fifth) {
  if (mutant_lacks("bounding") && option == PR_CAPBSET_DROP) return 0;
  return prctl(option, second, third, fourth, fifth);
}

static long mutant_syscall(long number, void *header, void *data) {
  return mutant_lacks("capabilities") ? 0 : syscall(number, header, data);
}

#define prctl(option, ...) mutant_prctl(option, __VA_ARGS__)
#define syscall(number, header, data) mutant_syscall(number, header, data)
#include "../../../Sources/C/extension-launcher/credentials.c"
