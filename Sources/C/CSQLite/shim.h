#pragma once
#include <sqlite3.h>

/// Swift does not import variadic functions: one wrapper for each form that is called.
static inline int csqlite_set_defensive(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

/// SQLITE_TRANSIENT is a cast, which Swift does not import: these bind a copy of the bytes.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  if (count == 0) {
    return sqlite3_bind_zeroblob(statement, index, 0);
  }
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
