#include "swift-runtime-stubs.h"

void swift_addNewDSOImage(const void *image) { (void)image; }

char _swift_backtrace_isThunkFunction(const char *name) {
  (void)name;
  return 0;
}
