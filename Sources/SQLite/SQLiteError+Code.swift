internal import CSQLite

extension SQLiteError.Kind {
  /// Sorts a result code; source: https://sqlite.org/rescode.html.
  init(code: Int32) {
    self =
      switch code & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      case SQLITE_FULL: .full
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .constraint
      case SQLITE_CANTOPEN, SQLITE_AUTH: .cannotOpen
      case SQLITE_IOERR, SQLITE_NOMEM: .io
      case SQLITE_TOOBIG: .tooBig
      case SQLITE_INTERRUPT, SQLITE_ABORT: .interrupted
      default: .misuse
      }
  }
}
