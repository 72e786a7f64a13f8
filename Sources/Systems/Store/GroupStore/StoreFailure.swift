import SQLite

/// What SQLite reports, in the store's terms.
enum StoreFailure {
  /// Translates an error. A damaged file is set aside; the caller holds the gate.
  static func translate(_ error: SQLiteError, path: String) -> GroupStoreError {
    switch error.kind {
    case .corrupt, .notADatabase:
      return .corrupt("The group store \(path) is damaged: \(error.message)", setAside: DamagedDatabase.setAside(path))
    case .busy, .full, .io, .readOnly, .cannotOpen, .interrupted:
      return .unavailable(
        "The group store failed: \(error.message)", recovery: error.recovery, isRetryable: error.kind != .readOnly)
    default:
      return .unavailable("The group store failed: \(error.message)", recovery: error.recovery, isRetryable: false)
    }
  }
}
