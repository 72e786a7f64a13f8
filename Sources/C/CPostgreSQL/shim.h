#pragma once
#include <libpq-fe.h>

static inline void cpostgresql_take_no_notice(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

/// libpq writes notices of the server to standard error unless somebody takes them.
static inline void cpostgresql_ignore_notices(PGconn *connection) {
  PQsetNoticeReceiver(connection, cpostgresql_take_no_notice, (void *)0);
}

/// The fields of an error are characters in C.
static inline char *cpostgresql_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }
static inline char *cpostgresql_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}
static inline char *cpostgresql_detail(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
}
