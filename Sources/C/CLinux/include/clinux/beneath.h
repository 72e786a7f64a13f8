#pragma once

/// Opens an existing file below a directory for reading, whatever a hostile program does there meanwhile: no symbolic
/// link on the way, no `..` that leads out, no magic link, no waiting at a named pipe. The path is relative.
///
/// Returns a descriptor (close on exec), or -1 with errno: EXDEV or ELOOP when the path would leave the directory.
int clinux_open_beneath(const char *directory, const char *path);

/// Opens a folder below a directory in the same way, and makes those on the way that are missing, for everybody whom the
/// umask allows. An empty path is the directory itself.
///
/// Returns a descriptor (close on exec), or -1 with errno: EXDEV or ELOOP when the path would leave the directory,
/// EINVAL for a path with `.` or `..` in it.
int clinux_make_folder_beneath(const char *directory, const char *path);
