#pragma once

/// Removes a directory and all below it, whatever a hostile program left there: links are not followed, depth does not
/// matter, unreadable directories are made readable first. Returns 0, or -1 with errno; a directory that is not there is
/// not an error.
int clinux_remove_tree(const char *path);

/// What a tree holds: files and folders, the root left out; bytes, where a file counts by its length or by what it takes
/// on the disk, whichever is more.
struct clinux_tree_usage {
  unsigned long long files;
  unsigned long long bytes;
};

/// Adds up a tree, as hostile as above, and stops as soon as one of the two limits is passed. Changes nothing but the
/// mode of directories that their owner cannot read or search. Returns 0 when all was counted or a limit was passed, else
/// -1 with errno; a directory that is not there is empty. ESTALE: directories were moved or removed meanwhile, and what
/// is in them may have been missed.
int clinux_tree_usage(const char *path, struct clinux_tree_usage limit, struct clinux_tree_usage *usage);

/// Gives a tree to a user: everything in it that belongs to the owner of its root, and the root last, so that what was
/// interrupted is done again. As hostile as above: links are given, not followed. Returns 0, or -1 with errno; ESTALE as
/// above.
int clinux_give_tree(const char *path, unsigned user, unsigned group);
