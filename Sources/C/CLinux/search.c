#define _GNU_SOURCE
#include "clinux/search.h"

#include <string.h>

size_t clinux_find(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *found = memmem(bytes, count, wanted, length);
  return found == NULL ? count : (size_t)(found - (const char *)bytes);
}
