#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static bool many_descriptors(char **baits) {
  (void)baits;
  int count = 0;
  while (count < 2000 && dup(STDIN_FILENO) >= 0) count++;
  found("%d descriptors", count);
  return count > 256;
}

static bool large_file(char **baits) {
  (void)baits;
  signal(SIGXFSZ, SIG_IGN);
  int file = open("large", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return true;
  if (ftruncate(file, (64 << 20) + 1) == 0) return true;
  return pwrite(file, "x", 1, 64 << 20) == 1 || errno != EFBIG;
}

static pthread_barrier_t never;

static void *stay(void *nothing) {
  pthread_barrier_wait(&never);
  return nothing;
}

static bool many_threads(char **baits) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_barrier_init(&never, NULL, 4096);
  int count = 0;
  pthread_t thread;
  while (count < 2000 && pthread_create(&thread, &attributes, stay, NULL) == 0) count++;
  found("%d threads", count);
  return count > atoi(baits[0]);
}

static bool much_memory(char **baits) {
  (void)baits;
  size_t total = 0;
  // Kept in sight: a compiler may leave out memory that nobody looks at, and call that a success.
  void *volatile block = NULL;
  while (total < (size_t)2 << 30 && (block = malloc(16 << 20)) != NULL) total += 16 << 20;
  found("%zu MiB", total >> 20);
  return total > (size_t)512 << 20;
}

const struct attempt resource_attempts[] = {
    {"resources/descriptors", many_descriptors}, {"resources/file", large_file}, {"resources/threads", many_threads},
    {"resources/memory", much_memory},           {NULL, NULL},
};
