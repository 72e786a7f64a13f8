#define _GNU_SOURCE
#include "glutton.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *sleeper(void *unused) {
  for (;;) pause();
  return unused;
}

static void *spinner(void *unused) {
  for (volatile unsigned long count = 0;;) count++;
  return unused;
}

void eat_threads(char *outcome, size_t size) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  int made = 0;
  pthread_t thread;
  while (made < 2000 && pthread_create(&thread, &attributes, sleeper, NULL) == 0) made++;
  snprintf(outcome, size, "%d threads", made + 1);
}

void eat_descriptors(char *outcome, size_t size) {
  int last = -1;
  for (int next; last < 20000 && (next = dup(0)) >= 0;) last = next;
  snprintf(outcome, size, "%d descriptors, then %s", last + 1, strerror(errno));
}

void eat_processors(char *outcome, size_t size) {
  pthread_t thread;
  for (int more = 0; more < 3; more++) pthread_create(&thread, NULL, spinner, NULL);
  spinner(NULL);
  snprintf(outcome, size, "never");
}

void eat_itself(char *outcome, size_t size) {
  raise(SIGKILL);
  snprintf(outcome, size, "still here");
}
