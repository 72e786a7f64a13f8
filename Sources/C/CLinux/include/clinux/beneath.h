#pragma once

/// Opens an existing file below a directory for reading, whatever a hostile program does there meanwhile: no symbolic
/// link on the way, no `..` that leads out, no magic link, no waiting at a named pipe. The path is relative.
///
/// Returns a descriptor (close on exec), or -1 with errno: EXDEV or ELOOP when the path would leave the directory.
int clinux_open_beneath(const char *directory, const char *path);
