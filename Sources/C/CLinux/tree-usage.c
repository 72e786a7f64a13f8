#define _GNU_SOURCE
#include "clinux/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// One directory of the way from the root to where the walk is. Only the last one is open: depth costs memory, no
// descriptors. The directories below it that are still to be visited are names in one buffer.
struct level {
  dev_t device;
  ino_t inode;
  size_t names;  // where its names begin
};

struct walk {
  struct clinux_tree_usage limit, usage;
  struct level *levels;
  size_t depth, level_room;
  char *names;
  size_t length, name_room;
  int current;
  int changed;  // something was moved or removed while it was looked at
  int gives;    // whether what belongs to one user is given to another, instead of being counted only
  uid_t from, user;
  gid_t group;
};

static int is_over(const struct walk *walk) {
  return walk->usage.files > walk->limit.files || walk->usage.bytes > walk->limit.bytes;
}

static int grow(void **buffer, size_t *room, size_t needed, size_t unit) {
  if (needed <= *room) return 0;
  size_t larger = *room * 2 > needed ? *room * 2 : needed + 64;
  void *moved = realloc(*buffer, larger * unit);
  if (!moved) return -1;
  *buffer = moved;
  *room = larger;
  return 0;
}

static int push_name(struct walk *walk, const char *name) {
  size_t size = strlen(name) + 1;
  if (grow((void **)&walk->names, &walk->name_room, walk->length + size, 1) != 0) return -1;
  memcpy(walk->names + walk->length, name, size);
  walk->length += size;
  return 0;
}

// A directory may be readable and still keep what is in it to itself: its owner can change that.
static int may_search(int directory) { return errno == EACCES && fchmod(directory, 0700) == 0; }

static int count(struct walk *walk, int directory, const char *name) {
  struct stat info;
  int missing = fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW);
  if (missing && may_search(directory)) missing = fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW);
  if (missing) return errno == ENOENT ? 0 : -1;
  unsigned long long blocks = (unsigned long long)info.st_blocks * 512;
  unsigned long long size = S_ISREG(info.st_mode) ? (unsigned long long)info.st_size : 0;
  if (walk->gives && info.st_uid == walk->from &&
      fchownat(directory, name, walk->user, walk->group, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? 0 : -1;
  }
  walk->usage.files++;
  walk->usage.bytes += size > blocks ? size : blocks;
  return S_ISDIR(info.st_mode) ? push_name(walk, name) : 0;
}

static int open_below(int parent, const char *name) {
  int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int directory = openat(parent, name, flags);
  if (directory < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0) directory = openat(parent, name, flags);
  return directory;
}

static int open_beside(int directory, const char *name) {
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  int opened = openat(directory, name, flags);
  return opened < 0 && may_search(directory) ? openat(directory, name, flags) : opened;
}

// Makes `directory` the current one and counts what is in it.
static int enter(struct walk *walk, int directory) {
  struct stat info;
  int copy = fstat(directory, &info) == 0 ? open_beside(directory, ".") : -1;
  DIR *stream = copy < 0 ? NULL : fdopendir(copy);
  if (!stream || grow((void **)&walk->levels, &walk->level_room, walk->depth + 1, sizeof *walk->levels) != 0) {
    int error = errno;
    if (stream) closedir(stream);
    else if (copy >= 0) close(copy);
    close(directory);
    errno = error;
    return -1;
  }
  walk->levels[walk->depth++] = (struct level){info.st_dev, info.st_ino, walk->length};
  if (walk->current >= 0) close(walk->current);
  walk->current = directory;
  int failed = 0;
  for (struct dirent *entry; !failed && !is_over(walk) && (entry = readdir(stream));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    failed = count(walk, directory, entry->d_name);
  }
  int error = errno;
  closedir(stream);
  errno = error;
  return failed;
}

// Goes back to the directory above. False when it is another one by now, or cannot be opened: what is left of the way
// is given up.
static int leave(struct walk *walk) {
  walk->depth--;
  if (walk->depth == 0) return 0;
  struct level above = walk->levels[walk->depth - 1];
  struct stat info;
  int parent = open_beside(walk->current, "..");
  if (parent < 0) return 0;
  close(walk->current);
  walk->current = parent;
  int same = fstat(parent, &info) == 0 && info.st_dev == above.device && info.st_ino == above.inode;
  if (!same) walk->changed = 1;
  return same;
}

// The directory that is visited next, taken off the buffer; -1 when the current one has none left, with errno 0, or
// when it cannot be opened.
static int next_below(struct walk *walk) {
  size_t first = walk->levels[walk->depth - 1].names;
  while (walk->length > first) {
    size_t start = walk->length - 1;
    while (start > first && walk->names[start - 1] != 0) start--;
    walk->length = start;
    int directory = open_below(walk->current, walk->names + start);
    if (directory >= 0) return directory;
    if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP) return -1;
    // Removed or replaced since it was seen: what was in it may be somewhere else.
    walk->changed = 1;
  }
  errno = 0;
  return -1;
}

static int visit(struct walk *walk, const char *path) {
  int root = open_below(AT_FDCWD, path);
  int failed = root < 0 ? (errno == ENOENT ? 0 : -1) : enter(walk, root);
  while (!failed && walk->depth > 0 && !is_over(walk)) {
    int below = next_below(walk);
    if (below >= 0) failed = enter(walk, below);
    else if (errno != 0) failed = -1;
    else if (!leave(walk)) {
      failed = walk->depth > 0 && !walk->changed ? -1 : 0;
      break;
    }
  }
  int error = errno;
  if (!failed && walk->changed) {
    failed = -1;
    error = ESTALE;
  }
  if (is_over(walk)) failed = 0;
  if (walk->current >= 0) close(walk->current);
  free(walk->levels);
  free(walk->names);
  errno = error;
  return failed;
}

int clinux_tree_usage(const char *path, struct clinux_tree_usage limit, struct clinux_tree_usage *usage) {
  struct walk walk = {.limit = limit, .current = -1};
  int failed = visit(&walk, path);
  *usage = walk.usage;
  return failed;
}

int clinux_give_tree(const char *path, unsigned user, unsigned group) {
  struct stat info;
  if (lstat(path, &info) != 0) return -1;
  struct walk walk = {
      .limit = {ULLONG_MAX, ULLONG_MAX}, .current = -1, .gives = 1, .from = info.st_uid, .user = user, .group = group,
  };
  if (visit(&walk, path) != 0) return -1;
  return fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW);
}
