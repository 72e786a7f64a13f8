#pragma once
#include <libpq-fe.h>
#include <stdbool.h>
#include <string.h>

/// A server whose wait for a standby was ended says so by a warning, and then that the statement was done. The name of
/// its function is not translated, as the words are, and a server may be told to leave it out.
static inline void cpostgresql_take_notice(void *is_unreplicated, const PGresult *result) {
  const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);
  const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
  if ((function && strcmp(function, "SyncRepWaitForLSN") == 0) ||
      (detail && strstr(detail, "might not have been replicated"))) {
    *(bool *)is_unreplicated = true;
  }
}

/// libpq writes notices of the server to standard error unless somebody takes them. One is looked for: that what was
/// committed may not have reached the standby. The flag lives as long as the connection.
static inline void cpostgresql_take_notices(PGconn *connection, bool *is_unreplicated) {
  PQsetNoticeReceiver(connection, cpostgresql_take_notice, is_unreplicated);
}

/// The fields of an error are characters in C.
static inline char *cpostgresql_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }
static inline char *cpostgresql_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline char *cpostgresql_detail(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
}
