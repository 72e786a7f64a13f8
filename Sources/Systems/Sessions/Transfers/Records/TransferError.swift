internal import SQLite

/// What a journal refuses or cannot do. Nothing of the call is then stored.
package enum TransferError: Error, Sendable, Equatable {
  /// There is no such session, or it takes no more tasks.
  case noSession(SessionKey)
  /// The session has another owner by now, whose epoch is `current`.
  case stale(SessionKey, epoch: Int64, current: Int64)
  /// There is no such task in the session.
  case noTask(Int64)
  /// There would be too much of something; `limit` is how much there may be.
  case quota(String, limit: Int)
  /// The file of an upload cannot be copied.
  case source(String, recovery: String)
  /// Another process runs the transfers of this journal.
  case runsElsewhere(String)
  /// The journal cannot be read or written now.
  case unavailable(String, recovery: String, isRetryable: Bool)
  /// The journal was damaged. It was set aside under another name; the next call finds a new, empty one.
  case corrupt(String, setAside: String?)

  /// What the reader can do.
  package var recovery: String {
    switch self {
    case .noSession: "Create the session again."
    case .stale: "Stop: somebody else has taken over."
    case .noTask: "Ask for the tasks of the session."
    case .quota: "Acknowledge what is over, or cancel tasks that are no longer needed."
    case .source(_, let recovery): recovery
    case .runsElsewhere: "Leave the transfers to that process, or end it."
    case .unavailable(_, let recovery, _): recovery
    case .corrupt(_, let setAside?):
      "The damaged file was kept as \(setAside). Read what is left of it with sqlite3; the next call starts with an empty "
        + "journal."
    case .corrupt(_, nil): "Move the damaged file away; a new one is then created."
    }
  }
}

extension TransferError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSession(let key): "There is no session \(key) that takes tasks."
    case .stale(let key, let epoch, let current):
      "The session \(key) was taken over: its epoch is \(current), the caller's is \(epoch)."
    case .noTask(let id): "There is no task \(id)."
    case .runsElsewhere(let folder): "Another process runs the transfers in \(folder)."
    case .quota(let message, _), .source(let message, _), .unavailable(let message, _, _), .corrupt(let message, _):
      message
    }
  }
}

extension TransferError {
  init(_ error: GateError) {
    self = .unavailable(error.message, recovery: error.recovery, isRetryable: error.isRetryable)
  }
}
