#define _GNU_SOURCE
#include "clinux/unlinked.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct file {
  dev_t device;  // 0: only the number is known
  ino_t number;
};

struct count {
  const char *folders;
  struct clinux_unlinked_usage most, usage;
  struct file *seen;
  size_t length, capacity;
};

static int is_below(const char *path, const char *folders) {
  for (const char *folder = folders; *folder != 0; folder += strlen(folder) + 1) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) == 0 && path[length] == '/') return 1;
  }
  return 0;
}

// Whether the file is seen for the first time; -1 without memory.
static int is_new(struct count *count, dev_t device, ino_t number) {
  for (size_t index = 0; index < count->length; index++) {
    struct file *file = &count->seen[index];
    if (file->number == number && (file->device == device || device == 0 || file->device == 0)) return 0;
  }
  if (count->length == count->capacity) {
    size_t capacity = count->capacity * 2 + 64;
    struct file *moved = realloc(count->seen, capacity * sizeof *moved);
    if (!moved) return -1;
    count->seen = moved;
    count->capacity = capacity;
  }
  count->seen[count->length++] = (struct file){device, number};
  return 1;
}

// 1: that was one too many, and nothing more need be looked at.
static int add(struct count *count, dev_t device, ino_t number, unsigned long long bytes) {
  int new = is_new(count, device, number);
  if (new <= 0) return new;
  count->usage.files++;
  count->usage.bytes += bytes;
  return count->usage.files > count->most.files || count->usage.bytes > count->most.bytes;
}

static int add_status(struct count *count, const struct stat *status) {
  if (!S_ISREG(status->st_mode) || status->st_nlink > 0) return 0;
  return add(count, status->st_dev, status->st_ino, (unsigned long long)status->st_blocks * 512);
}

static int count_descriptors(struct count *count, int task) {
  int folder = openat(task, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = folder < 0 ? NULL : fdopendir(folder);
  if (!stream) {
    if (folder >= 0) close(folder);
    return -1;
  }
  int failed = 0;
  for (struct dirent *entry; !failed && (entry = readdir(stream));) {
    struct stat status;
    char path[PATH_MAX + 1];
    // Closed since it was listed.
    if (entry->d_name[0] == '.' || fstatat(folder, entry->d_name, &status, 0) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_nlink > 0) continue;
    ssize_t length = readlinkat(folder, entry->d_name, path, sizeof path - 1);
    if (length >= 0) path[length] = 0;
    // A path that is too long to be told is none of a program's.
    if (length < 0 || is_below(path, count->folders)) failed = add_status(count, &status);
  }
  closedir(stream);
  return failed;
}

// One line of `maps`: the file's own size where the kernel lets the host look, else what the caller takes for it.
static int count_mapping(struct count *count, int process, char *line, unsigned long long unknown) {
  static const char mark[] = " (deleted)\n";
  size_t length = strlen(line);
  unsigned long start, end, number;
  int path = 0;
  if (length < sizeof mark || strcmp(line + length - (sizeof mark - 1), mark) != 0) return 0;
  if (sscanf(line, "%lx-%lx %*s %*s %*s %lu %n", &start, &end, &number, &path) < 3 || path == 0) return 0;
  if (!is_below(line + path, count->folders)) return 0;
  char name[64];
  struct stat status;
  snprintf(name, sizeof name, "map_files/%lx-%lx", start, end);
  if (fstatat(process, name, &status, 0) == 0) return add_status(count, &status);
  return add(count, 0, number, unknown);
}

static int count_mappings(struct count *count, int process, FILE *maps, unsigned long long unknown) {
  char *line = NULL;
  size_t capacity = 0;
  int failed = 0;
  while (!failed && getline(&line, &capacity, maps) > 0) failed = count_mapping(count, process, line, unknown);
  free(line);
  return failed;
}

// The mappings of a thread that runs: the first thread may have ended before the others, and shows nothing then. NULL
// with errno 0 when none runs.
static FILE *open_maps(int process, int *task) {
  int folder = openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = folder < 0 ? NULL : fdopendir(folder);
  if (!stream) {
    if (folder >= 0) close(folder);
    return NULL;
  }
  FILE *found = NULL;
  int error = 0;
  for (struct dirent *entry; !found && (entry = readdir(stream));) {
    if (entry->d_name[0] == '.') continue;
    *task = openat(folder, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int maps = *task < 0 ? -1 : openat(*task, "maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0 && errno != ENOENT && errno != ESRCH) error = errno;
    FILE *file = maps < 0 ? NULL : fdopen(maps, "r");
    int first = file ? getc(file) : EOF;
    if (first != EOF && ungetc(first, file) != EOF) found = file;
    if (found) break;
    if (file) fclose(file);
    else if (maps >= 0) close(maps);
    if (*task >= 0) close(*task);
  }
  closedir(stream);
  errno = found ? 0 : error;
  return found;
}

static int count_all(struct count *count, int process, unsigned long long unknown) {
  int task = -1;
  FILE *maps = open_maps(process, &task);
  if (!maps) return errno == 0 || errno == ENOENT || errno == ESRCH ? 0 : -1;
  int failed = count_descriptors(count, task);
  if (failed < 0 && (errno == ENOENT || errno == ESRCH)) failed = 0;
  if (!failed) failed = count_mappings(count, process, maps, unknown);
  int error = errno;
  fclose(maps);
  close(task);
  errno = error;
  return failed;
}

int clinux_unlinked_usage(int process, const char *folders, unsigned long long unknown,
                          struct clinux_unlinked_usage most, struct clinux_unlinked_usage *usage) {
  struct count count = {.folders = folders, .most = most};
  struct stat owner;
  *usage = count.usage;
  if (fstat(process, &owner) != 0) return errno == ENOENT || errno == ESRCH ? 0 : -1;
  gid_t group = (gid_t)setfsgid(owner.st_gid);
  uid_t user = (uid_t)setfsuid(owner.st_uid);
  int failed = count_all(&count, process, unknown);
  int error = errno;
  setfsuid(user);
  setfsgid(group);
  free(count.seen);
  *usage = count.usage;
  errno = error;
  return failed < 0 ? -1 : 0;
}
