import SQLite

/// An error of a backend. The failed call has stored nothing, unless the message of `unavailable` says that this is
/// unknown.
package enum GroupStoreError: Error, Sendable, Equatable {
  /// A condition of the write did not hold. `revision` is the key's current revision, 0 when it is not set.
  case conflict(key: String, revision: Int64)
  /// The lease has expired, or another owner holds it.
  case fenced(lease: String)
  /// A key, a value or the suite would exceed its limit, in bytes.
  case quota(String, limit: Int)
  /// The store cannot be reached or written at present.
  case unavailable(String, recovery: String, isRetryable: Bool)
  /// The store's file was damaged and has been renamed to `setAside`. The next call creates a new, empty store.
  case corrupt(String, setAside: String?)

  /// What the reader can do about it.
  package var recovery: String {
    switch self {
    case .conflict: "Read the key again, and decide anew."
    case .fenced: "Stop: another process has taken over."
    case .quota: "Remove values that are no longer needed, or keep large data in the group's folder."
    case .unavailable(_, let recovery, _): recovery
    case .corrupt(_, let setAside?):
      "The damaged file was kept as \(setAside). Read what is left of it with sqlite3, or restore a copy; the next call "
        + "starts with an empty store."
    case .corrupt(_, nil): "Move the damaged file away; a new one is then created."
    }
  }
}

extension GroupStoreError: CustomStringConvertible {
  /// One sentence that says what failed.
  package var description: String {
    switch self {
    case .conflict(let key, let revision): "The key \"\(key)\" is at revision \(revision)."
    case .fenced(let lease): "The lease \(lease) is no longer held."
    case .quota(let message, _), .unavailable(let message, _, _), .corrupt(let message, _): message
    }
  }
}

extension GroupStoreError {
  /// The store's file cannot be used.
  init(_ failure: StoreFailure) {
    switch failure {
    case .unavailable(let message, let recovery, let isRetryable):
      self = .unavailable(message, recovery: recovery, isRetryable: isRetryable)
    case .damaged(let message, let setAside): self = .corrupt(message, setAside: setAside)
    }
  }
}
