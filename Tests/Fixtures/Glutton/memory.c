#define _GNU_SOURCE
#include "glutton.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MEBIBYTE = 1 << 20, PLENTY = 1 << 10 };

static void pause_ms(long milliseconds) {
  struct timespec time = {.tv_nsec = milliseconds * 1000000};
  nanosleep(&time, NULL);
}

static void take(int flags, long milliseconds, char *outcome, size_t size) {
  int taken = 0;
  for (; taken < PLENTY; taken++) {
    char *piece = mmap(NULL, MEBIBYTE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (piece == MAP_FAILED) break;
    memset(piece, 1, MEBIBYTE);
    if (milliseconds) pause_ms(milliseconds);
  }
  // What has been taken stays, so that whoever looks sees it.
  pause_ms(900);
  pause_ms(900);
  snprintf(outcome, size, "%d MiB", taken);
}

void eat_memory(char *outcome, size_t size) { take(MAP_PRIVATE | MAP_ANONYMOUS, 0, outcome, size); }
void eat_memory_slowly(char *outcome, size_t size) { take(MAP_PRIVATE | MAP_ANONYMOUS, 5, outcome, size); }
void eat_shared_memory(char *outcome, size_t size) { take(MAP_SHARED | MAP_ANONYMOUS, 1, outcome, size); }

static void *take_slowly(void *unused) {
  char outcome[64];
  take(MAP_PRIVATE | MAP_ANONYMOUS, 1, outcome, sizeof outcome);
  return unused;
}

/// The first thread ends, and with it what the process itself shows of its memory.
void eat_half_ended(char *outcome, size_t size) {
  pthread_t thread;
  snprintf(outcome, size, "%d", pthread_create(&thread, NULL, take_slowly, NULL));
  syscall(SYS_exit, 0);
}

/// Reads one byte in every 2 MiB of memory that is never written: what grows is the kernel's.
void eat_page_tables(char *outcome, size_t size) {
  const size_t step = 2 * MEBIBYTE, length = (size_t)1 << 40;
  volatile char *all = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) {
    snprintf(outcome, size, "no address space");
    return;
  }
  char sum = 0;
  for (size_t at = 0; at < length; at += step) {
    sum = (char)(sum + all[at]);
    if (at % (512 * step) == 0) pause_ms(1);
  }
  snprintf(outcome, size, "all of it %d", sum);
}

void eat_address_space(char *outcome, size_t size) {
  (void)outcome, (void)size;
  for (;;) {
    char *piece = malloc(MEBIBYTE);
    if (!piece) abort();
    memset(piece, 1, MEBIBYTE);
  }
}

static volatile int bottom;

static int deeper(volatile char *above) {
  volatile char room[4096];
  if (bottom) return 0;
  room[0] = (char)(above[0] + 1);
  return deeper(room) + room[0];
}

void eat_stack(char *outcome, size_t size) {
  volatile char first = 0;
  snprintf(outcome, size, "%d", deeper(&first));
}
