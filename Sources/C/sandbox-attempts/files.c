#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool reads(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char bytes[16];
  bool got = read(file, bytes, sizeof bytes) > 0;
  close(file);
  if (got) found("read %s", path);
  return got;
}

static bool writes(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool wrote = write(file, "x", 1) == 1;
  close(file);
  if (wrote) found("wrote %s", path);
  return wrote;
}

static bool read_secrets(char **targets) {
  for (; *targets != NULL; targets++) {
    if (reads(*targets)) return true;
  }
  return reads("/etc/shadow") || reads("/etc/passwd");
}

static bool lists(const char *place, const char *name) {
  DIR *directory = opendir(place);
  if (directory == NULL) return false;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (strcmp(entry->d_name, name) != 0) continue;
    found("%s in %s", name, place);
    return true;
  }
  closedir(directory);
  return false;
}

static bool list_directories(char **targets) {
  return lists("/", "boot") || lists("/", "var") || lists("/etc", "passwd") || lists("/var", "tmp") ||
         lists(targets[0], "state") || lists("/home", targets[1]) || lists("/root", ".profile");
}

static bool write_places(char **targets) {
  static const char *const places[] = {"/tmp", "/var/tmp", "/usr", "/", "/dev/shm", "/run", "/usr/lib", "/proc"};
  for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", places[index], targets[0]);
    if (writes(path)) return true;
  }
  return false;
}

static bool change_bundle(char **targets) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/new", targets[0]);
  if (writes(path) || mkdir(path, 0700) == 0) return true;
  snprintf(path, sizeof path, "%s/sandbox-attempts", targets[0]);
  if (open(path, O_RDWR | O_CLOEXEC) >= 0 || open("/proc/self/exe", O_RDWR | O_CLOEXEC) >= 0) return true;
  return unlink(path) == 0 || rename(path, "stolen") == 0 || truncate(path, 0) == 0;
}

static bool use_other_container(char **targets) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/secret", targets[0]);
  if (reads(path)) return true;
  snprintf(path, sizeof path, "%s/new", targets[0]);
  return writes(path);
}

static bool link_out(char **targets) {
  if (symlink(targets[0], "link") == 0 || symlink("/", "rootlink") == 0) return true;
  int error = errno;
  // Links that are there already, as a host might have left them.
  bool escaped = reads("planted") || writes("planted");
  errno = error;
  return escaped;
}

static bool climb_out(char **targets) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "../../../../../../../..%s", targets[0]);
  if (reads(path)) return true;
  const char *roots[] = {"/proc/self/root", "/proc/1/root", "/proc/self/cwd/../..", "/proc/1/cwd"};
  for (size_t index = 0; index < sizeof roots / sizeof *roots; index++) {
    snprintf(path, sizeof path, "%s%s", roots[index], targets[0]);
    if (reads(path)) return true;
  }
  snprintf(path, sizeof path, "/proc/%s/cwd/%s", targets[1], "secret");
  if (reads(path)) return true;
  snprintf(path, sizeof path, "/proc/%s/root%s", targets[1], targets[0]);
  return reads(path);
}

static bool hard_link(char **targets) {
  if (link(targets[0], "taken") == 0) return true;
  if (linkat(AT_FDCWD, targets[0], AT_FDCWD, "taken", AT_SYMLINK_FOLLOW) == 0) return true;
  if (!writes("own")) found("the own directory cannot be written");
  return rename("own", targets[1]) == 0 || rename(targets[0], "taken") == 0;
}

static bool make_special_files(char **targets) {
  (void)targets;
  if (mknod("block", S_IFBLK | 0600, 259 << 8) == 0 || mknod("null", S_IFCHR | 0600, (1 << 8) | 3) == 0) return true;
  if (mkfifo("pipe", 0600) == 0 || mknodat(AT_FDCWD, "socket", S_IFSOCK | 0600, 0) == 0) return true;
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  struct sockaddr_un address = {AF_UNIX, "own.socket"};
  return end >= 0 && bind(end, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool open_by_handle(char **targets) {
  struct {
    struct file_handle head;
    unsigned char bytes[8];
  } handle = {.head = {.handle_bytes = 8, .handle_type = 1}, .bytes = {2, 0, 0, 0, 0, 0, 0, 0}};
  int place = open(targets[0], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return open_by_handle_at(place < 0 ? AT_FDCWD : place, &handle.head, O_RDONLY) >= 0;
}

static bool change_attributes(char **targets) {
  const char *file = targets[0];
  struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  return truncate(file, 0) == 0 || chmod(file, 0777) == 0 || fchmodat(AT_FDCWD, file, 0777, 0) == 0 ||
         chown(file, getuid(), getgid()) == 0 || utimensat(AT_FDCWD, file, times, 0) == 0 ||
         setxattr(file, "user.mark", "x", 1, 0) == 0 || removexattr(file, "user.mark") == 0;
}

static bool watch_files(char **targets) {
  int watch = inotify_init1(IN_CLOEXEC);
  if (watch >= 0 && inotify_add_watch(watch, targets[0], IN_ALL_EVENTS) >= 0) return true;
  return fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY) >= 0;
}

static bool write_controls(char **targets) {
  (void)targets;
  static const char *const controls[] = {
      "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger",     "/proc/self/oom_score_adj", "/proc/self/uid_map",
      "/proc/self/mem",                "/proc/self/coredump_filter", "/proc/self/timerslack_ns",
  };
  for (size_t index = 0; index < sizeof controls / sizeof *controls; index++) {
    if (open(controls[index], O_WRONLY | O_CLOEXEC) >= 0) {
      found("opened %s", controls[index]);
      return true;
    }
  }
  return false;
}

static bool use_container(char **targets) {
  // Not an escape: what an extension must be able to do. "escaped" means that it could not.
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/note", targets[0]);
  if (!writes(path) || !reads(path) || mkdir("folder", 0700) != 0 || rename(path, "folder/note") != 0) return true;
  int file = open("folder/note", O_RDWR | O_CLOEXEC);
  if (file < 0 || ftruncate(file, 0) != 0 || fsync(file) != 0) return true;
  return unlink("folder/note") != 0 || rmdir("folder") != 0;
}

static bool read_only_group(char **targets) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/secret", targets[0]);
  if (!reads(path)) {
    found("nothing to read");
    return true;
  }
  return writes(path);
}

static bool list_home(char **targets) {
  DIR *directory = opendir(targets[0]);
  if (directory == NULL) return false;
  found("the home %s", targets[0]);
  return true;
}

static bool see_sizes(char **targets) {
  struct stat status;
  if (stat(targets[0], &status) != 0) return false;
  found("size %ld", (long)status.st_size);
  return true;
}

// A device file, made by moving another one away.
static bool leave_whiteout(char **targets) {
  (void)targets;
  if (!writes("moved-1") || renameat2(AT_FDCWD, "moved-1", AT_FDCWD, "moved-2", RENAME_NOREPLACE) != 0) return true;
  return renameat2(AT_FDCWD, "moved-2", AT_FDCWD, "moved-3", RENAME_WHITEOUT) == 0;
}

// The rights of the own user, for whoever starts the file from outside.
static bool give_rights(char **targets) {
  (void)targets;
  mode_t mode = 0755;
  static const mode_t more[] = {S_ISUID, S_ISGID, S_ISUID | S_ISGID};
  int file = open("rights", O_RDWR | O_CREAT | O_CLOEXEC, mode);
  if (file < 0 || fchmod(file, mode) != 0) return true;
  for (size_t index = 0; index < sizeof more / sizeof *more; index++) {
    if (fchmod(file, mode | more[index]) == 0 || chmod("rights", mode | more[index]) == 0) return true;
    if (open("new", O_RDWR | O_CREAT | O_CLOEXEC, mode | more[index]) >= 0) return true;
    if (open(".", O_RDWR | O_TMPFILE | O_CLOEXEC, mode | more[index]) >= 0) return true;
  }
  return false;
}

// A lock on a file that is only granted for reading keeps its owner out.
static bool lock_files(char **targets) {
  int granted = open(targets[0], O_RDONLY | O_CLOEXEC);
  struct flock lock = {.l_type = F_WRLCK};
  if (granted < 0) {
    found("no file that is granted, %s", strerrorname_np(errno));
    return true;
  }
  return fcntl(granted, F_OFD_SETLK, &lock) == 0 || fcntl(granted, F_SETLK, &lock) == 0 ||
         flock(granted, LOCK_EX | LOCK_NB) == 0 || flock(granted, LOCK_SH | LOCK_NB) == 0;
}

const struct attempt file_attempts[] = {
    {"files/secrets", read_secrets},
    {"files/list", list_directories},
    {"files/write-places", write_places},
    {"files/change-bundle", change_bundle},
    {"files/other-container", use_other_container},
    {"files/other-group", use_other_container},
    {"files/links", link_out},
    {"files/climb", climb_out},
    {"files/hard-link", hard_link},
    {"files/special", make_special_files},
    {"files/handle", open_by_handle},
    {"files/attributes", change_attributes},
    {"files/watch", watch_files},
    {"files/controls", write_controls},
    {"files/use-container", use_container},
    {"files/read-only-group", read_only_group},
    {"files/home", list_home},
    {"files/sizes", see_sizes},
    {"files/whiteout", leave_whiteout},
    {"files/rights", give_rights},
    {"files/locks", lock_files},
    {NULL, NULL},
};
