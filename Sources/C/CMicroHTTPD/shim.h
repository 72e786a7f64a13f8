#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

typedef enum MHD_Result (*cmhd_handler)(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **request);
typedef void (*cmhd_completed)(
    void *context, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode code);
/// Called with the request target as it was sent, before anything is decoded; gives the request its context.
typedef void *(*cmhd_target_logger)(void *context, const char *target, struct MHD_Connection *connection);
/// A connection was opened or has ended: it keeps a number of the server's.
typedef void (*cmhd_changed)(
    void *context, struct MHD_Connection *connection, void **number, enum MHD_ConnectionNotificationCode code);
typedef size_t (*cmhd_unescape)(void *context, struct MHD_Connection *connection, char *text);

/// Leaves the target as it was sent: the server decodes it once, itself.
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  size_t length = 0;
  while (text[length] != 0) {
    length++;
  }
  return length;
}

static inline int cmhd_is_opened(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// Swift does not import variadic functions: what a connection is known by, -1 and 0 when it is gone.
static inline int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// Writes the address of the client into 46 bytes; 0 when it is not known.
static inline int cmhd_address(struct MHD_Connection *connection, char *text) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == NULL || info->client_addr == NULL) {
    return 0;
  }
  const struct sockaddr *address = info->client_addr;
  const void *raw = NULL;
  if (address->sa_family == AF_INET) {
    raw = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
  } else if (address->sa_family == AF_INET6) {
    raw = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
  }
  return raw != NULL && inet_ntop(address->sa_family, raw, text, INET6_ADDRSTRLEN) != NULL;
}

static inline uintptr_t cmhd_number(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? 0 : (uintptr_t)info->socket_context;
}

struct cmhd_lines {
  const char *next;
  int is_plain;
};

static inline enum MHD_Result cmhd_next_line(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  (void)kind;
  struct cmhd_lines *lines = (struct cmhd_lines *)context;
  if (value == NULL || name != lines->next || value <= name) {
    lines->is_plain = 0;
    return MHD_NO;
  }
  for (const char *byte = name + strlen(name) + 1; byte < value; byte++) {
    if (*byte != ' ' && *byte != '\t') {
      lines->is_plain = 0;
      return MHD_NO;
    }
  }
  lines->next = value + strlen(value) + 2;
  return MHD_YES;
}

/// Whether the header is nothing but what the library hands out, with CR LF behind each line.
///
/// The library (0.9.75) ends a field at a NUL and lets a line end with LF alone, and says neither. But its texts lie in the
/// bytes that were read, each with a NUL in the place of its end, so that nothing may be between them. From 1.0 on the
/// library refuses both itself.
///
/// `target` is the request target as the library has logged it, with `count` bytes.
static inline int cmhd_has_plain_lines(
    struct MHD_Connection *connection, const char *target, size_t count, const char *method,
    const char *version) {
  if (strncmp(MHD_get_version(), "0.9.", 4) != 0) {
    return 1;
  }
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (info == NULL || version == NULL || target != method + strlen(method) + 1 ||
      version != target + count + 1) {
    return 0;
  }
  size_t size = info->header_size;
  struct cmhd_lines lines = {version + strlen(version) + 2, 1};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, cmhd_next_line, &lines);
  return lines.is_plain && lines.next + 2 == method + size;
}

/// Whether this build of the library can do TLS.
static inline int cmhd_has_tls(void) { return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

/// Swift does not import variadic functions: the one call with the options that the server uses.
/// By poll: with epoll the library misses the end of a connection that comes along with the last bytes (0.9.75).
/// Takes over `listener`, a bound and listening socket; NULL and errno when the daemon cannot start. With -1 in its place the
/// daemon takes connections by `cmhd_add` alone.
/// With `certificate` and `key`, texts in PEM, it speaks TLS 1.2 and 1.3, and nothing else.
static inline struct MHD_Daemon *cmhd_start(
    int listener, void *context, cmhd_target_logger logger, cmhd_handler handler, cmhd_completed completed,
    cmhd_changed changed, unsigned timeout_seconds, unsigned connection_limit, const char *certificate,
    const char *key) {
  struct MHD_OptionItem secure[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"},
      {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem listening[] = {{MHD_OPTION_LISTEN_SOCKET, listener, NULL}, {MHD_OPTION_END, 0, NULL}};
  int is_secure = certificate != NULL && key != NULL;
  return MHD_start_daemon(
      MHD_USE_POLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_ALLOW_UPGRADE | MHD_USE_ITC |
          (is_secure ? MHD_USE_TLS : 0) | (listener < 0 ? MHD_USE_NO_LISTEN_SOCKET : 0),
      0, NULL, NULL, handler, context, MHD_OPTION_ARRAY, listener < 0 ? none : listening, MHD_OPTION_NOTIFY_COMPLETED,
      completed, context, MHD_OPTION_NOTIFY_CONNECTION, changed, context, MHD_OPTION_URI_LOG_CALLBACK, logger, context,
      MHD_OPTION_UNESCAPE_CALLBACK, cmhd_keep_escapes, (void *)0, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, is_secure ? secure : none, MHD_OPTION_END);
}

/// Hands an open connection to the daemon, which closes it in any case. From any thread.
static inline void cmhd_add(struct MHD_Daemon *daemon, int descriptor) {
  // The client may be gone already; then the address stays empty.
  uint64_t address[16] = {0};
  socklen_t size = sizeof address;
  if (getpeername(descriptor, (struct sockaddr *)address, &size) != 0) {
    size = sizeof address;
  }
  MHD_add_connection(daemon, (MHD_socket)descriptor, (struct sockaddr *)address, size);
}

/// A response that holds a copy of the bytes; the enumeration of its modes is not imported.
static inline struct MHD_Response *cmhd_response(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/// The beginning of a body.
struct cmhd_beginning {
  size_t count;
  char bytes[];
};

static inline ssize_t cmhd_read_beginning(void *context, uint64_t position, char *buffer, size_t most) {
  const struct cmhd_beginning *beginning = (const struct cmhd_beginning *)context;
  if (position >= beginning->count) {
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  size_t count = beginning->count - (size_t)position;
  if (count > most) {
    count = most;
  }
  memcpy(buffer, beginning->bytes + position, count);
  return (ssize_t)count;
}

static inline void cmhd_free_beginning(void *context) { free(context); }

/// A response whose connection ends after the first bytes of its body; NULL without memory.
static inline struct MHD_Response *cmhd_broken_response(const void *bytes, size_t count, size_t end) {
  struct cmhd_beginning *beginning = (struct cmhd_beginning *)malloc(sizeof *beginning + end);
  if (beginning == NULL) {
    return NULL;
  }
  beginning->count = end;
  if (end > 0) {
    memcpy(beginning->bytes, bytes, end);
  }
  // Of a body without bytes nothing would be read, and the connection would stay.
  struct MHD_Response *response = MHD_create_response_from_callback(
      count > end ? count : end + 1, 16384, cmhd_read_beginning, beginning, cmhd_free_beginning);
  if (response == NULL) {
    free(beginning);
  }
  return response;
}

/// Called once the header of the response is sent, with what the client has sent already.
typedef void (*cmhd_upgraded)(
    void *context, struct MHD_Connection *connection, void *request, const char *early, size_t early_count,
    MHD_socket descriptor, struct MHD_UpgradeResponseHandle *handle);

/// A response after which the connection belongs to the server, not to the library; NULL without memory.
static inline struct MHD_Response *cmhd_upgrade_response(cmhd_upgraded upgraded, void *context) {
  return MHD_create_response_for_upgrade(upgraded, context);
}

/// Swift does not import variadic functions: gives a connection back to the library, which closes it.
static inline void cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

typedef ssize_t (*cmhd_reader)(void *context, uint64_t position, char *buffer, size_t most);
typedef void (*cmhd_free)(void *context);

/// A response of unknown length whose body is asked for in pieces; NULL without memory, then nothing is freed.
static inline struct MHD_Response *cmhd_streamed_response(cmhd_reader reader, void *context, cmhd_free free) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, reader, context, free);
}

/// Swift does not import these numbers.
static inline ssize_t cmhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t cmhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
