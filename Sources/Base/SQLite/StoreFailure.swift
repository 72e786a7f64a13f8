package import Files

/// Why a file that several processes share cannot be used, in sentences for whoever asked.
package enum StoreFailure: Error, Sendable, Equatable {
  /// The file cannot be read or written now.
  case unavailable(String, recovery: String, isRetryable: Bool)
  /// The file was damaged. `setAside` is the path that it has now, `nil` when it could not be moved; the next call makes a
  /// new file.
  case damaged(String, setAside: String?)

  /// What SQLite reported of a file that is not damaged.
  ///
  /// - Parameter name: what the file is to its user, for example "group store".
  package init(_ error: SQLiteError, of name: String) {
    let isRetryable =
      switch error.kind {
      case .busy, .full, .io, .cannotOpen, .interrupted: true
      default: false
      }
    self = .unavailable("The \(name) failed: \(error.message)", recovery: error.recovery, isRetryable: isRetryable)
  }

  /// The gate of the file cannot be opened or taken.
  init(_ error: GateError) {
    self = .unavailable(error.message, recovery: error.recovery, isRetryable: error.isRetryable)
  }

  /// The folder of the file, or a file beside it, cannot be used.
  package init(_ error: FileError) {
    self = .unavailable(
      error.message, recovery: error.recovery ?? "Check that the folder has space and may be written by this user.",
      isRetryable: true)
  }
}
