#define _GNU_SOURCE
#include "clinux/capabilities.h"

#include <linux/capability.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

int clinux_has_file_capabilities(const char *path) { return lgetxattr(path, "security.capability", NULL, 0) > 0; }

int clinux_has_access_list(const char *path) { return lgetxattr(path, "system.posix_acl_access", NULL, 0) > 0; }

static int says_one(const char *path, const char *attribute) {
  char value[2];
  return getxattr(path, attribute, value, sizeof value) == 1 && value[0] == '1';
}

int clinux_is_delegated(const char *path) {
  return says_one(path, "user.delegate") || says_one(path, "trusted.delegate");
}

uint64_t clinux_effective_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {{0}};
  if (syscall(SYS_capget, &header, data) != 0) return 0;
  return (uint64_t)data[1].effective << 32 | data[0].effective;
}

int clinux_landlock_version(void) {
  long version = syscall(444 /* landlock_create_ruleset */, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
  return version < 0 ? 0 : (int)version;
}
