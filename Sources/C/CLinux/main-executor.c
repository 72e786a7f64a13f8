#include "clinux/main-executor.h"

// The runtime's own words for these (swift/Runtime/Concurrency.h): which executor the main actor has is asked with every
// job for it. A hook is a variable that is null until somebody sets it.
typedef struct {
  const void *identity;
  const void *implementation;
} executor;
typedef __attribute__((swiftcall)) executor (*get_executor)(void);
extern __attribute__((swiftcall)) executor (*swift_task_getMainExecutor_hook)(get_executor original);

static executor main_executor;

static __attribute__((swiftcall)) executor get_main_executor(get_executor original) {
  (void)original;
  return main_executor;
}

void clinux_set_main_executor(const void *identity, const void *implementation) {
  main_executor = (executor){identity, implementation};
  swift_task_getMainExecutor_hook = get_main_executor;
}
