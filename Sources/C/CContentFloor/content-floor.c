#include "content-floor.h"
#include "loopback-listener.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <unistd.h>

struct content_floor {
  struct MHD_Daemon *daemon;
  struct MHD_Response *response;
};

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request) {
  (void)url;
  (void)method;
  (void)version;
  (void)upload;
  (void)upload_size;
  // The header first, then the request as a whole.
  if (*request == NULL) {
    *request = context;
    return MHD_YES;
  }
  struct content_floor *floor = context;
  return MHD_queue_response(connection, MHD_HTTP_OK, floor->response);
}

struct content_floor *content_floor_start(
    const void *bytes, size_t count, const char *type, const char *caching, const char *tag, int *port) {
  int descriptor = loopback_listener(port);
  if (descriptor < 0) return NULL;
  struct content_floor *floor = calloc(1, sizeof *floor);
  if (floor) floor->response = MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (floor && floor->response) {
    MHD_add_response_header(floor->response, "Content-Type", type);
    MHD_add_response_header(floor->response, "Cache-Control", caching);
    MHD_add_response_header(floor->response, "ETag", tag);
    floor->daemon = MHD_start_daemon(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, floor, MHD_OPTION_LISTEN_SOCKET,
        (MHD_socket)descriptor, MHD_OPTION_END);
  }
  if (floor && floor->daemon) return floor;
  int error = errno ? errno : ENOMEM;
  close(descriptor);
  if (floor && floor->response) MHD_destroy_response(floor->response);
  free(floor);
  errno = error;
  return NULL;
}

void content_floor_stop(struct content_floor *floor) {
  MHD_stop_daemon(floor->daemon);
  MHD_destroy_response(floor->response);
  free(floor);
}
