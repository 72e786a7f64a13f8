#define _GNU_SOURCE
#include "glutton.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20 };
static char mebibyte[MEBIBYTE];

static void go_home(void) {
  const char *home = getenv("HOME");
  if (!home || chdir(home) != 0) exit(9);
  signal(SIGXFSZ, SIG_IGN);
}

static int make(int number) {
  char name[32];
  snprintf(name, sizeof name, "file-%d", number);
  return open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
}

static size_t fill(int file, size_t most) {
  size_t written = 0;
  while (written < most) {
    ssize_t count = write(file, mebibyte, MEBIBYTE);
    if (count <= 0) break;
    written += (size_t)count;
  }
  return written / MEBIBYTE;
}

/// Keeps a processor busy, so that the container is looked at, until the host has seen enough.
static void wait_busily(void) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while (now.tv_sec - start.tv_sec < 8);
}

/// Stays without using the processor, until the host has seen enough.
static void wait_quietly(void) {
  struct timespec time = {.tv_sec = 20};
  nanosleep(&time, NULL);
}

void eat_one_file(char *outcome, size_t size) {
  go_home();
  size_t written = fill(make(0), (size_t)4 << 30);
  int error = errno;
  unlink("file-0");
  snprintf(outcome, size, "%zu MiB, then %s", written, strerror(error));
}

void eat_one_sparse_file(char *outcome, size_t size) {
  go_home();
  int result = ftruncate(make(0), (off_t)1 << 40);
  snprintf(outcome, size, "%s", result == 0 ? "1 TiB" : strerror(errno));
}

void eat_bytes(char *outcome, size_t size) {
  go_home();
  for (int number = 0; number < 8; number++) fill(make(number), 4 * MEBIBYTE);
  wait_busily();
  snprintf(outcome, size, "32 MiB");
}

/// 32 MiB in a moment that no clock of the kernel shows.
void eat_bytes_quietly(char *outcome, size_t size) {
  go_home();
  int refused = 0;
  for (int number = 0; number < 8; number++) refused += fallocate(make(number), 0, 0, 4 * MEBIBYTE) != 0;
  wait_quietly();
  snprintf(outcome, size, "32 MiB, %d refused", refused);
}

/// 32 MiB in files that have no name any more.
void eat_unlinked(char *outcome, size_t size) {
  go_home();
  for (int number = 0; number < 8; number++) {
    fill(make(number), 4 * MEBIBYTE);
    char name[32];
    snprintf(name, sizeof name, "file-%d", number);
    unlink(name);
  }
  wait_quietly();
  snprintf(outcome, size, "32 MiB");
}

/// As above, of which only a page each is mapped.
void eat_mapped(char *outcome, size_t size) {
  go_home();
  for (int number = 0; number < 8; number++) {
    int file = make(number);
    fill(file, 4 * MEBIBYTE);
    char name[32];
    snprintf(name, sizeof name, "file-%d", number);
    unlink(name);
    if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED) exit(9);
    close(file);
  }
  wait_quietly();
  snprintf(outcome, size, "32 MiB");
}

/// In a folder that can be listed, and in which nothing can be looked at.
void eat_closed(char *outcome, size_t size) {
  go_home();
  mkdir("shut", 0700);
  int folder = open("shut", O_RDONLY | O_DIRECTORY);
  for (int number = 0; number < 8; number++) {
    char name[32];
    snprintf(name, sizeof name, "shut/file-%d", number);
    int file = open(name, O_CREAT | O_RDWR, 0600);
    if (ftruncate(file, 60 * MEBIBYTE) != 0) exit(9);
    close(file);
  }
  fchmod(folder, 0400);
  wait_quietly();
  snprintf(outcome, size, "480 MiB of nothing");
}

void eat_sparse_bytes(char *outcome, size_t size) {
  go_home();
  for (int number = 0; number < 64; number++) {
    int file = make(number);
    if (ftruncate(file, 8 * MEBIBYTE) != 0) exit(9);
    close(file);
  }
  wait_busily();
  snprintf(outcome, size, "512 MiB of nothing");
}

void eat_files(char *outcome, size_t size) {
  go_home();
  int number = 0;
  for (; number < 20000; number++) {
    int file = make(number);
    if (file < 0) break;
    close(file);
  }
  wait_busily();
  snprintf(outcome, size, "%d files", number);
}

/// A chain of 1500 directories, names that no terminal likes, directories that nobody may read, a hole of 32 MiB.
void eat_a_maze(char *outcome, size_t size) {
  go_home();
  static const char *names[] = {"line\nbreak", "\033[2Jescape", "\xff\xfe", "-rf", "\xe2\x80\xae-bidi"};
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) close(open(names[index], O_CREAT | O_RDWR, 0600));
  int hole = open("hole", O_CREAT | O_RDWR, 0600);
  if (ftruncate(hole, 32 * MEBIBYTE) != 0) exit(9);
  mkdir("closed", 0700);
  close(open("closed/inside", O_CREAT | O_RDWR, 0600));
  int closed = open("closed", O_RDONLY | O_DIRECTORY);
  fchmod(closed, 0);
  int refused = (mkfifo("fifo", 0600) != 0) + (symlink("/", "link") != 0) + (link("hole", "twice") != 0);
  int depth = 0;
  for (; depth < 1500; depth++) {
    if (mkdir("deeper", 0700) != 0 || chdir("deeper") != 0) break;
  }
  snprintf(outcome, size, "%d deep, %d refused", depth, refused);
}
