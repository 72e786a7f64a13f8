#define _GNU_SOURCE
#include "postgresql-floor.h"

#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SUITE "'floor'::bytea"

static const char *const write_sql =
    "SELECT outcome, new_revision, detail FROM annex.write($1::bytea, $2::bigint, " SUITE ", ARRAY['key'::bytea], "
    "ARRAY[$3::bytea], false, false, '{}', '{}', NULL, NULL, NULL, 1048576, 256)";
static const char *const read_sql =
    "SELECT encode(store.id, 'hex'), s.revision, s.compacted, i.key, i.value, i.revision FROM annex.store "
    "LEFT JOIN annex.suites s ON s.name = " SUITE " LEFT JOIN annex.items i ON i.suite = s.name AND i.revision > $1::bigint "
    "ORDER BY i.revision, i.key";

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int ended(PGresult *result, ExecStatusType wanted) {
  int failed = PQresultStatus(result) != wanted;
  PQclear(result);
  return failed ? EIO : 0;
}

static PGconn *connected(const char *url, const char *name, const char *sql) {
  PGconn *connection = PQconnectdb(url);
  if (PQstatus(connection) == CONNECTION_OK &&
      ended(PQprepare(connection, name, sql, 0, NULL), PGRES_COMMAND_OK) == 0) {
    return connection;
  }
  PQfinish(connection);
  return NULL;
}

static int write_value(PGconn *connection, int number) {
  static char value[100] = {'x'};
  char writer[24], text[16];
  snprintf(writer, sizeof writer, "floor-%d", PQbackendPID(connection));
  snprintf(text, sizeof text, "%d", number);
  const char *values[3] = {writer, text, value};
  const int lengths[3] = {(int)strlen(writer), 0, sizeof value}, formats[3] = {1, 0, 1};
  return ended(PQexecPrepared(connection, "write", 3, values, lengths, formats, 1), PGRES_TUPLES_OK);
}

int postgresql_floor_writes(const char *url, int count, uint64_t *nanoseconds) {
  PGconn *connection = connected(url, "write", write_sql);
  if (connection == NULL) {
    return EIO;
  }
  int failed = 0;
  for (int number = 0; number < count && failed == 0; number++) {
    uint64_t start = now();
    failed = write_value(connection, number + 1);
    nanoseconds[number] = now() - start;
  }
  PQfinish(connection);
  return failed;
}

// Waits for a notification, and reads what was written after the last revision.
static int read_after(PGconn *listener, char *revision, size_t size) {
  for (;;) {
    PGnotify *notification = PQnotifies(listener);
    if (notification != NULL) {
      PQfreemem(notification);
      break;
    }
    struct pollfd socket = {.fd = PQsocket(listener), .events = POLLIN};
    if (poll(&socket, 1, 10000) <= 0 || PQconsumeInput(listener) == 0) {
      return EIO;
    }
  }
  const char *values[1] = {revision};
  PGresult *result = PQexecPrepared(listener, "read", 1, values, NULL, NULL, 0);
  if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1) {
    snprintf(revision, size, "%s", PQgetvalue(result, 0, 1));
  }
  return ended(result, PGRES_TUPLES_OK);
}

int postgresql_floor_notifications(const char *url, int count, uint64_t *nanoseconds) {
  PGconn *writer = connected(url, "write", write_sql);
  PGconn *listener = connected(url, "read", read_sql);
  int failed = writer == NULL || listener == NULL ? EIO : 0;
  if (failed == 0) {
    failed = ended(PQexec(listener, "LISTEN \"annex.annex\""), PGRES_COMMAND_OK);
  }
  char revision[24] = "0";
  for (int number = 0; number < count && failed == 0; number++) {
    uint64_t start = now();
    failed = write_value(writer, number + 1);
    if (failed == 0) {
      failed = read_after(listener, revision, sizeof revision);
    }
    nanoseconds[number] = now() - start;
  }
  if (writer != NULL) {
    PQfinish(writer);
  }
  if (listener != NULL) {
    PQfinish(listener);
  }
  return failed;
}
