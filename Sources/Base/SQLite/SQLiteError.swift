internal import CSQLite

/// What SQLite, or a check of this library, refused to do.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    /// Another connection held the lock for longer than the busy timeout.
    case busy
    /// The disk, or the page limit of the database, is full.
    case full
    /// The file, its directory or the connection does not allow writing.
    case readOnly
    /// The file is a database, but parts of it are damaged.
    case corrupt
    /// The file is no SQLite database.
    case notADatabase
    /// A UNIQUE, NOT NULL, CHECK, type or FOREIGN KEY rule of the schema was broken.
    case constraint
    /// The file cannot be opened or created.
    case cannotOpen
    /// The operating system failed to read or write.
    case io
    /// A value is larger than SQLite or the schema allows.
    case tooBig
    /// The file belongs to another program: its application id is not ours.
    case foreignFile
    /// The file was written by a newer version of this program.
    case newerVersion
    /// The statement was interrupted.
    case interrupted
    /// Wrong SQL, or SQLite used in a wrong way.
    case misuse
  }

  /// The sort of failure.
  package let kind: Kind
  /// The primary result code of SQLite; 0 for the checks of this library.
  package let code: Int32
  /// The extended result code of SQLite; 0 for the checks of this library.
  package let extendedCode: Int32
  /// One sentence: what happened.
  package let message: String
  /// The statement that failed, without its values.
  package let sql: String?
  /// The path of the database file, or ":memory:".
  package let path: String

  /// Creates an error; `path` is that of the database file.
  package init(
    kind: Kind, code: Int32 = 0, extendedCode: Int32 = 0, message: String, sql: String? = nil, path: String
  ) {
    self.kind = kind
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
    self.path = path
  }

  /// What the reader can do about it.
  package var recovery: String {
    switch kind {
    case .busy: "Try again, or end the other process that writes to \(path)."
    case .full: "Free space on the disk that holds \(path), or delete values that are no longer needed."
    case .readOnly, .cannotOpen: "Check that \(path) and its directory exist and may be written by this user."
    case .corrupt, .notADatabase: "Move \(path) and its -wal and -shm files away; a new file is then created."
    case .constraint, .tooBig: "Change the value."
    case .io:
      "The system could not read or write \(path): \"dmesg\" shows errors of its disk. Copy the file to another one."
    case .foreignFile: "Choose another path: \(path) belongs to another program."
    case .newerVersion: "Update annex, or use another state folder with --home DIR."
    case .interrupted: "Run the operation again."
    case .misuse: "This is a mistake in the program; report it with this message."
    }
  }

  /// The message, the sort of failure, SQLite's extended code and the path.
  package var description: String {
    var text = "\(message) (\(kind.rawValue)"
    if extendedCode != 0 { text += ", SQLite \(extendedCode)" }
    text += ", \(path))"
    return text
  }
}

extension SQLiteError.Kind {
  /// Whether the contents of the file cannot be trusted: it is set aside, and a new one made.
  package var isDamage: Bool { self == .corrupt || self == .notADatabase }

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
