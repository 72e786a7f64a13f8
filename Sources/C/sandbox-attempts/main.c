#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void found(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("found ");
  vprintf(format, arguments);
  printf("\n");
  va_end(arguments);
}

// A process to attack: a secret in memory and a life until standard input ends.
static int be_victim(void) {
  static volatile char secret[] = "victim's secret";
  printf("%p\n", (void *)secret);
  fflush(stdout);
  char byte;
  while (read(STDIN_FILENO, &byte, 1) > 0) continue;
  return secret[0] == 'v' ? 0 : 3;
}

static attempt_function find(const char *name) {
  const struct attempt *const tables[] = {
      file_attempts,      process_attempts,     network_attempts,  execution_attempts,
      privilege_attempts, inheritance_attempts, resource_attempts, call_attempts,      device_attempts,
      channel_attempts,
  };
  for (size_t index = 0; index < sizeof tables / sizeof *tables; index++) {
    for (const struct attempt *attempt = tables[index]; attempt->name != NULL; attempt++) {
      if (strcmp(attempt->name, name) == 0) return attempt->run;
    }
  }
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  // Whatever a sandbox lets through, it is never done with the rights of root.
  if (getuid() == 0 || geteuid() == 0) {
    found("the rights of root, and did nothing with them");
    return 4;
  }
  if (strcmp(arguments[1], "again") == 0) {
    found("a second program ran");
    return 1;
  }
  if (strcmp(arguments[1], "victim") == 0) return be_victim();
  if (strcmp(arguments[1], "peer") == 0) return count < 3 ? 2 : be_peer(arguments[2]);
  if (strcmp(arguments[1], "wait") == 0) {
    printf("ready\n");
    fflush(stdout);
    for (;;) pause();
  }
  attempt_function attempt = find(arguments[1]);
  if (attempt == NULL) return 2;
  errno = 0;
  bool escaped = attempt(arguments + 2);
  int error = errno;
  printf("%s %s\n", escaped ? "escaped" : "denied", strerrorname_np(error) ?: "unknown");
  fflush(stdout);
  return escaped ? 1 : 0;
}
