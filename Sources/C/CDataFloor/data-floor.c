#include "data-floor.h"
#include "loopback-listener.h"

#include <errno.h>
#include <libpq-fe.h>
#include <malloc.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { parameters_at_most = 16 };

struct data_floor {
  struct MHD_Daemon *daemon;
  PGconn *connection;
  char *parameters[parameters_at_most];
  int count;
  char *prefix, *suffix;
};

static enum MHD_Result send_bytes(struct MHD_Connection *connection, unsigned status, char *bytes, size_t count) {
  struct MHD_Response *response = MHD_create_response_from_buffer(count, bytes, MHD_RESPMEM_MUST_FREE);
  if (response == NULL) {
    free(bytes);
    return MHD_NO;
  }
  MHD_add_response_header(response, "Content-Type", "application/json");
  enum MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

static enum MHD_Result execute(struct data_floor *floor, struct MHD_Connection *connection) {
  PGresult *result = PQexecPrepared(
      floor->connection, "floor", floor->count, (const char *const *)floor->parameters, NULL, NULL, 0);
  int good = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1;
  size_t before = strlen(floor->prefix), after = strlen(floor->suffix);
  size_t size = good ? (size_t)PQgetlength(result, 0, 0) : 0;
  char *bytes = malloc(before + size + after);
  if (bytes != NULL) {
    memcpy(bytes, floor->prefix, before);
    if (good) memcpy(bytes + before, PQgetvalue(result, 0, 0), size);
    memcpy(bytes + before + size, floor->suffix, after);
  }
  PQclear(result);
  return bytes ? send_bytes(connection, good ? 200 : 500, bytes, before + size + after) : MHD_NO;
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
  (void)url;
  (void)method;
  (void)version;
  (void)upload;
  // The header first, then the body piece by piece, then the request as a whole.
  if (*request == NULL) {
    *request = context;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  return execute(context, connection);
}

static int prepare(struct data_floor *floor, const char *database, const char *sql) {
  floor->connection = PQconnectdb(database);
  if (PQstatus(floor->connection) != CONNECTION_OK) return 0;
  PGresult *result = PQprepare(floor->connection, "floor", sql, 0, NULL);
  int good = PQresultStatus(result) == PGRES_COMMAND_OK;
  PQclear(result);
  return good;
}

static void release(struct data_floor *floor) {
  if (floor->connection) PQfinish(floor->connection);
  for (int index = 0; index < floor->count; index++) free(floor->parameters[index]);
  free(floor->prefix);
  free(floor->suffix);
  free(floor);
}

struct data_floor *data_floor_start(
    const char *database, const char *sql, const char *const *parameters, int count, const char *prefix,
    const char *suffix, int *port) {
  if (count > parameters_at_most) {
    errno = EINVAL;
    return NULL;
  }
  struct data_floor *floor = calloc(1, sizeof *floor);
  if (floor == NULL) return NULL;
  floor->count = count;
  int good = 1;
  for (int index = 0; index < count; index++) {
    floor->parameters[index] = strdup(parameters[index]);
    good = good && floor->parameters[index];
  }
  floor->prefix = strdup(prefix);
  floor->suffix = strdup(suffix);
  good = good && floor->prefix && floor->suffix;
  int descriptor = -1;
  errno = EIO;
  if (good && prepare(floor, database, sql) && (descriptor = loopback_listener(port)) >= 0) {
    floor->daemon = MHD_start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, floor, MHD_OPTION_LISTEN_SOCKET,
        (MHD_socket)descriptor, MHD_OPTION_END);
  }
  if (floor->daemon) return floor;
  int error = errno ? errno : EIO;
  if (descriptor >= 0) close(descriptor);
  release(floor);
  errno = error;
  return NULL;
}

void data_floor_stop(struct data_floor *floor) {
  MHD_stop_daemon(floor->daemon);
  release(floor);
}

size_t data_floor_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
