#define _GNU_SOURCE
#include "store-floor.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// SQLite's own waiting starves all but one writer of a synced log.
static int wait_a_little(void *unused, int times) {
  (void)unused;
  usleep(20 + (useconds_t)(random() % 80));
  return times < 1000000;
}

static sqlite3 *open_database(const char *path) {
  sqlite3 *database;
  if (sqlite3_open(path, &database) != SQLITE_OK) {
    return NULL;
  }
  sqlite3_busy_handler(database, wait_a_little, NULL);
  sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
  return database;
}

static int write_rows(const char *path, int writer, int count) {
  sqlite3 *database = open_database(path);
  sqlite3_stmt *statement;
  static const char value[100] = {'x'};
  if (database == NULL ||
      sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO items VALUES (?, ?)", -1, &statement, NULL) != SQLITE_OK) {
    return 1;
  }
  for (int row = 0; row < count; row++) {
    sqlite3_bind_int(statement, 1, writer * 1000 + row % 100);
    sqlite3_bind_blob(statement, 2, value, sizeof value, SQLITE_STATIC);
    if (sqlite3_step(statement) != SQLITE_DONE) {
      return 1;
    }
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return 0;
}

int store_floor_writes(const char *path, int writers, int count, uint64_t *nanoseconds) {
  sqlite3 *database = open_database(path);
  if (database == NULL) {
    return EIO;
  }
  sqlite3_exec(database, "CREATE TABLE IF NOT EXISTS items (key INTEGER PRIMARY KEY, value BLOB)", NULL, NULL, NULL);
  sqlite3_close(database);
  uint64_t start = now();
  for (int writer = 0; writer < writers; writer++) {
    pid_t pid = fork();
    if (pid < 0) {
      return errno;
    }
    if (pid == 0) {
      srandom((unsigned)writer + 1);
      _exit(write_rows(path, writer, count));
    }
  }
  int failed = 0;
  for (int writer = 0; writer < writers; writer++) {
    int status = 0;
    if (wait(&status) < 0 || status != 0) {
      failed = EIO;
    }
  }
  *nanoseconds = now() - start;
  return failed;
}
