internal import SQLite

/// An error of the journal. The failed call has stored nothing.
package enum TransferError: Error, Sendable, Equatable {
  /// The session does not exist, or accepts no more tasks.
  case noSession(SessionKey)
  /// Another owner has taken the session; its epoch is `current`.
  case stale(SessionKey, epoch: Int64, current: Int64)
  /// The lease under which the caller had the session has ended.
  case disconnected(SessionKey)
  /// The session has no such task.
  case noTask(Int64)
  /// The call would exceed a limit, whose value is `limit`.
  case quota(String, limit: Int)
  /// The file of an upload cannot be copied.
  case source(String, recovery: String)
  /// Another process runs the transfers of this journal.
  case runsElsewhere(String)
  /// The journal cannot be read or written at present.
  case unavailable(String, recovery: String, isRetryable: Bool)
  /// The journal was damaged and has been renamed to `setAside`. The next call creates a new, empty one.
  case corrupt(String, setAside: String?)

  /// What the reader can do about it.
  package var recovery: String {
    switch self {
    case .noSession: "Create the session again."
    case .stale, .disconnected: "Stop: another process has taken over."
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

extension TransferError {
  static func sources(of app: String, limit: Int64) -> TransferError {
    .quota(
      "The files that the app \(app) uploads come to more than \(limit) bytes.", limit: Int(clamping: limit))
  }
}

extension TransferError: CustomStringConvertible {
  /// One sentence that says what failed.
  package var description: String {
    switch self {
    case .noSession(let key): "There is no session \(key) that takes tasks."
    case .stale(let key, let epoch, let current):
      "The session \(key) was taken over: its epoch is \(current), the caller's is \(epoch)."
    case .disconnected(let key): "The session \(key) was taken over: the lease of it has ended."
    case .noTask(let id): "There is no task \(id)."
    case .runsElsewhere(let folder): "Another process runs the transfers in \(folder)."
    case .quota(let message, _), .source(let message, _), .unavailable(let message, _, _), .corrupt(let message, _):
      message
    }
  }
}

extension TransferError {
  /// The journal's file cannot be used.
  init(_ failure: StoreFailure) {
    switch failure {
    case .unavailable(let message, let recovery, let isRetryable):
      self = .unavailable(message, recovery: recovery, isRetryable: isRetryable)
    case .damaged(let message, let setAside): self = .corrupt(message, setAside: setAside)
    }
  }
}
