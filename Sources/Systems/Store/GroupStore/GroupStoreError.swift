import SQLite

/// What a backend refuses or cannot do. Nothing of the call is then stored, unless `unavailable` says that it is not known.
package enum GroupStoreError: Error, Sendable, Equatable {
  /// A condition did not hold: the key's revision is another, 0 when it is not set.
  case conflict(key: String, revision: Int64)
  /// The lease has ended, or somebody else has it.
  case fenced(lease: String)
  /// A key, a value or the suite would be too large; `limit` is in bytes.
  case quota(String, limit: Int)
  /// The store cannot be reached or written now.
  case unavailable(String, recovery: String, isRetryable: Bool)
  /// The store's file was damaged. It was set aside under another name; the next call finds a new, empty store.
  case corrupt(String, setAside: String?)

  /// What the reader can do.
  package var recovery: String {
    switch self {
    case .conflict: "Read the key again, and decide anew."
    case .fenced: "Stop: somebody else has taken over."
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
  package var description: String {
    switch self {
    case .conflict(let key, let revision): "The key \"\(key)\" is at revision \(revision)."
    case .fenced(let lease): "The lease \(lease) is no longer held."
    case .quota(let message, _), .unavailable(let message, _, _), .corrupt(let message, _): message
    }
  }
}

extension GroupStoreError {
  /// The gate of the store cannot be opened or taken.
  init(_ error: GateError) {
    self = .unavailable(error.message, recovery: error.recovery, isRetryable: error.isRetryable)
  }
}
