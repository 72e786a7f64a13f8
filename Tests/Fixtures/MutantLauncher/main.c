// MutantLauncher LAYER: as extension-launcher, without the layer. More arguments are ignored.

#include "mutant.h"

#include <string.h>

#include "../../../Sources/C/extension-launcher/launcher.h"

static const char *lacking = "";

bool mutant_lacks(const char *layer) { return strcmp(lacking, layer) == 0; }

// The facilities that a launcher with this fault leaves out, whatever its policy says.
static const struct {
  const char *layer;
  uint32_t left_out;
  uint32_t instead;
} faults[] = {
    {"mountNamespace", LAUNCH_MOUNT_NAMESPACE | LAUNCH_PRIVATE_PROC | LAUNCH_HOST_PROC, 0},
    {"pidNamespace", LAUNCH_PID_NAMESPACE | LAUNCH_PRIVATE_PROC, LAUNCH_HOST_PROC},
    {"privateProc", LAUNCH_PRIVATE_PROC, LAUNCH_HOST_PROC},
    {"networkNamespace", LAUNCH_NETWORK_NAMESPACE, 0},
    {"ipcNamespace", LAUNCH_IPC_NAMESPACE, 0},
    {"utsNamespace", LAUNCH_UTS_NAMESPACE, 0},
    {"landlock", LAUNCH_LANDLOCK, 0},
    {"execOnce", LAUNCH_EXEC_ONCE, 0},
    {"seccomp", LAUNCH_SECCOMP, 0},
    {"limits", LAUNCH_LIMITS, 0},
    {"credentials", LAUNCH_CREDENTIALS, 0},
    {"cgroupNamespace", LAUNCH_CGROUP_NAMESPACE, 0},
};

static uint32_t faulty(uint32_t facilities) {
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) {
    if (!mutant_lacks(faults[index].layer)) continue;
    uint32_t applied = facilities & ~faults[index].left_out;
    return applied == facilities ? applied : applied | faults[index].instead;
  }
  return facilities;
}

int mutant_main(int count, char **arguments);
#define main mutant_main
#define policy_read() mutant_policy_read()
static const struct launch_policy *mutant_policy_read(void);
#include "../../../Sources/C/extension-launcher/main.c"
#undef policy_read
#undef main

static const struct launch_policy *mutant_policy_read(void) {
  // Read into memory of the launcher's own, so it may be changed.
  struct launch_policy *policy = (struct launch_policy *)policy_read();
  policy->facilities = faulty(policy->facilities);
  return policy;
}

int main(int count, char **arguments) {
  if (count > 1) lacking = arguments[1];
  return mutant_main(count, arguments);
}
