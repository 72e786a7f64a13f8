#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// One of two extensions that attack each other: it has a secret in memory and in a file, tells where they are, is told
// where the other's are, and attacks while it is attacked.

static volatile char secret[] = "peer's secret";

static int lock(int file, short type) {
  struct flock whole = {.l_type = type};
  return fcntl(file, F_SETLK, &whole);
}

// A file that is the peer's own, or one that both may write to.
static bool attack_file(const char *path) {
  bool reached = false;
  char bytes[16];
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0 && read(file, bytes, sizeof bytes) >= 0) reached = true;
  if (file >= 0 && lock(file, F_RDLCK) == 0) reached = true;
  file = open(path, O_RDWR | O_CLOEXEC);
  if (file >= 0 && (lock(file, F_WRLCK) == 0 || write(file, "x", 1) == 1)) reached = true;
  file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) reached = true;
  return reached || truncate(path, 0) == 0 || unlink(path) == 0 || rename(path, "stolen") == 0 ||
         link(path, "linked") == 0;
}

static bool attack_files(char **targets) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/own", targets[2]);
  if (attack_file(path) || opendir(targets[2]) != NULL) return true;
  snprintf(path, sizeof path, "%s/new", targets[2]);
  return open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
}

// The same through the peer's folder in procfs.
static bool attack_through_proc(char **targets) {
  static const char *const ways[] = {"cwd/own", "root/etc/passwd", "fd/0", "fd/1", "fd/3", "exe", "mem", "environ", "maps"};
  for (size_t index = 0; index < sizeof ways / sizeof *ways; index++) {
    char path[PATH_MAX], bytes[16];
    snprintf(path, sizeof path, "/proc/%s/%s", targets[0], ways[index]);
    // Some of them can be opened by anyone and tell only the owner.
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0 && read(file, bytes, sizeof bytes) > 0) {
      found("read %s", path);
      return true;
    }
    if (open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) >= 0) {
      found("opened %s", path);
      return true;
    }
  }
  return false;
}

// What both may write to, neither of them locks: a lock would keep the other one, and the host, out.
static bool attack_shared(char **targets) {
  if (strcmp(targets[3], "-") == 0) return false;
  int file = open(targets[3], O_RDWR | O_CLOEXEC);
  if (file < 0) {
    found("no file that is shared, %s", strerrorname_np(errno));
    return true;
  }
  bool took = lock(file, F_WRLCK) == 0 || lock(file, F_RDLCK) == 0;
  close(file);
  return took;
}

static const struct attempt peer_attempts[] = {
    {"files", attack_files}, {"proc", attack_through_proc}, {"shared", attack_shared}, {NULL, NULL},
};

static void attack(const struct attempt *attempts, const char *only, char **targets) {
  for (; attempts->name != NULL; attempts++) {
    // Without an own procfs others are seen; nothing of them can be reached.
    if (strcmp(attempts->name, "processes/see") == 0) continue;
    if (strncmp(attempts->name, only, strlen(only)) == 0 && attempts->run(targets)) printf("escaped %s\n", attempts->name);
  }
}

// `shared` is the file that both may write to and that this one makes, or "-".
int be_peer(const char *shared) {
  int own = open("own", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (own < 0 || write(own, (const char *)secret, sizeof secret) != sizeof secret) return 3;
  if (strcmp(shared, "-") != 0 && open(shared, O_RDWR | O_CREAT | O_CLOEXEC, 0600) < 0) return 4;
  printf("%p\n", (void *)secret);
  fflush(stdout);
  char line[2 * PATH_MAX], *targets[5] = {NULL};
  if (fgets(line, sizeof line, stdin) == NULL) return 5;
  targets[0] = strtok(line, " \n");
  for (size_t index = 1; index < 4; index++) targets[index] = strtok(NULL, " \n");
  if (targets[3] == NULL) return 6;
  // Again and again: the other one may be in the middle of anything.
  for (int round = 0; round < 20; round++) {
    attack(process_attempts, "processes/", targets);
    attack(peer_attempts, "", targets);
  }
  printf("done\n");
  fflush(stdout);
  char bytes[sizeof secret] = {0};
  while (fgets(line, sizeof line, stdin) != NULL) continue;
  bool kept = pread(own, bytes, sizeof bytes, 0) == sizeof bytes && memcmp(bytes, (const char *)secret, sizeof bytes) == 0;
  printf("%s\n", kept && secret[0] == 'p' ? "intact" : "touched");
  fflush(stdout);
  return 0;
}
