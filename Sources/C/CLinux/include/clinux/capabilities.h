// What a file or a kernel can do that the Glibc module does not show.
#pragma once

#include <linux/capability.h>
#include <stdint.h>

// Whether executing the file could add capabilities (the attribute security.capability); of a link, not of its target.
int clinux_has_file_capabilities(const char *path);

// Whether the file has a list of users and groups beside its owner and group (acl(5)); of a link, not of its target.
int clinux_has_access_list(const char *path);

// Whether systemd has marked a control group as given away: to a service whose unit says Delegate=.
int clinux_is_delegated(const char *path);

// The capabilities that this process uses now, a bit for each number; 0 when they cannot be asked for.
uint64_t clinux_effective_capabilities(void);

// The version of Landlock that the kernel offers, 0 when it offers none.
int clinux_landlock_version(void);
