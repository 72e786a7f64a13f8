#pragma once

#include <stdbool.h>
#include <stdint.h>

/// With whose rights a path is opened: a user's, and its group's; without `is_set` the process's own.
struct clinux_user {
  bool is_set;
  uint32_t user, group;
};

/// Opens an existing file below a directory for reading, whatever a hostile program does there meanwhile: no symbolic
/// link on the way, no `..` that leads out, no magic link, no waiting at a named pipe. The path is relative.
///
/// The directory itself is found with the rights of the process, and everything below it with those of the user.
///
/// Returns a descriptor (close on exec), or -1 with errno: EXDEV or ELOOP when the path would leave the directory, EPERM
/// when the process cannot take on the user's rights.
int clinux_open_beneath(const char *directory, const char *path, struct clinux_user user);

/// Opens a folder below a directory in the same way, and makes those on the way that are missing, for everybody whom the
/// umask allows. An empty path is the directory itself. The user may write in the folder.
///
/// Returns a descriptor (close on exec), or -1 with errno: EXDEV or ELOOP when the path would leave the directory,
/// EINVAL for a path with `.` or `..` in it.
int clinux_make_folder_beneath(const char *directory, const char *path, struct clinux_user user);

/// Whether something is at a path that no symbolic link leads to, not even a magic one. False also for everything that
/// cannot be found out: too many open files, a kernel that is asked in vain.
bool clinux_is_reached_without_links(const char *path);
