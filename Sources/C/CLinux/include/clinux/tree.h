#pragma once

/// Removes a directory and all below it, whatever a hostile program left there: links are not followed, depth does not
/// matter, unreadable directories are made readable first. Returns 0, or -1 with errno; a directory that is not there is
/// not an error.
int clinux_remove_tree(const char *path);
