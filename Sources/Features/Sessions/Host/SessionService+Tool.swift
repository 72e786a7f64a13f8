import EventLoop
package import ExtensionProtocol
import Text
package import Transfers

/// The result of a task.
package struct TransferOutcomeReport: Sendable {
  /// The task as it was last seen.
  package var record: TransferRecord
  /// The last event of the task; `nil` when it was already acknowledged.
  package var end: TransferEvent?
}

/// The user's view of all sessions, whichever process owns them.
extension SessionService {
  /// All sessions, by app and identifier.
  package func sessions() async throws(ExtensionError) -> [SessionRecord] {
    if !hasJournal { return [] }
    return try await translatingTransferErrors { () throws(TransferError) in try await journal.sessions() }
  }

  /// The tasks of a session.
  package func records(of key: SessionKey) async throws(ExtensionError) -> [TransferRecord] {
    try await translatingTransferErrors { () throws(TransferError) in try await journal.tasks(key) }
  }

  /// Returns the number of unacknowledged events, by session.
  package func unacknowledgedEvents() async throws(ExtensionError) -> [SessionKey: Int] {
    if !hasJournal { return [:] }
    return try await translatingTransferErrors { () throws(TransferError) in try await journal.unacknowledged() }
  }

  /// Returns the reasons that tasks failed, as far as they are not acknowledged.
  package func failures(of key: SessionKey) async throws(ExtensionError) -> [Int64: TransferFailure] {
    let events = try await translatingTransferErrors { () throws(TransferError) in try await journal.events(of: key) }
    return Dictionary(
      events.compactMap { event in event.error.map { (event.task, $0) } }, uniquingKeysWith: { $1 })
  }

  /// The session that a user names.
  ///
  /// - Parameter name: its identifier, or `APP/IDENTIFIER`.
  /// - Throws: `invalidParams` when there is none, or there are several.
  package func session(named name: String) async throws(ExtensionError) -> SessionRecord {
    // By bytes, as the journal tells them apart.
    let found = try await sessions().filter {
      $0.key.identifier.hasBytes(of: name) || $0.key.description.hasBytes(of: name)
    }
    if found.count == 1, let only = found.first { return only }
    guard found.isEmpty else {
      let names = found.map(\.key.description).joined(separator: ", ")
      throw ExtensionError(.invalidParams, "Several apps have a session “\(name)”.", recovery: "Name one of \(names).")
    }
    throw ExtensionError(
      .invalidParams, "There is no session “\(name)”.", recovery: "Ask for the sessions that are there.")
  }

  /// Cancels a task in the user's name.
  package func cancel(_ task: TransferRecord) async throws(ExtensionError) {
    try await translatingTransferErrors { () throws(TransferError) in
      guard let session = try await journal.session(task.session) else { return }
      try await journal.cancel(task.id, of: session.key, epoch: session.epoch)
    }
    await startIfNeeded()
  }

  /// Removes a session in the user's name, and cancels its tasks.
  package func remove(_ session: SessionRecord) async throws(ExtensionError) {
    try await translatingTransferErrors { () throws(TransferError) in _ = try await journal.remove(session.key) }
  }

  /// Resumes unfinished transfers after the machine or a daemon has stopped.
  package func resume() async throws(ExtensionError) {
    guard hasJournal else { return }
    let isNeeded = try await translatingTransferErrors { () throws(TransferError) in
      if try await journal.hasUnfinishedTasks() { return true }
      return try await !journal.unacknowledged().isEmpty
    }
    if isNeeded { await startIfNeeded() }
  }

  /// Begins a transfer of the user's own, in a session that ends with it.
  ///
  /// - Parameter container: the folder in which a download appears.
  package func beginOwn(_ draft: TransferDraft, container: String) async throws(ExtensionError) -> TransferRecord {
    try await translatingTransferErrors { () throws(TransferError) in
      try await forgetOld()
      let name = "transfer-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
      let key = SessionKey(app: SessionRecord.tool, identifier: name)
      _ = try await journal.open(
        SessionRecord(
          key: key, owner: SessionRecord.tool, epoch: 1, group: "", container: container, machine: Machine.name))
      do throws(TransferError) {
        let id = try await journal.add(draft, to: key, epoch: 1)
        try await journal.finishAndInvalidate(key, epoch: 1)
        guard let task = try await journal.task(id) else { throw TransferError.noTask(id) }
        return task
      } catch {
        try? await journal.invalidateAndCancel(key, epoch: 1)
        throw error
      }
    }
  }

  /// Sessions of detached transfers stay until there are many of them, so that a user can see what became of them.
  private func forgetOld() async throws(TransferError) {
    let own = try await journal.sessions().filter { $0.key.app == SessionRecord.tool }.sorted {
      $0.createdAt < $1.createdAt
    }
    guard own.count >= 32 else { return }
    for session in own {
      let isOver = try await journal.tasks(session.key).allSatisfy(\.state.isOver)
      if isOver { try await acknowledgeAll(session.key, epoch: session.epoch) }
    }
  }

  /// Forgets a transfer of the user's own.
  package func endOwn(_ key: SessionKey) async throws(ExtensionError) {
    try await translatingTransferErrors { () throws(TransferError) in try await acknowledgeAll(key, epoch: 1) }
  }

  private func acknowledgeAll(_ key: SessionKey, epoch: Int64) async throws(TransferError) {
    let events = try await journal.events(of: key)
    guard !events.isEmpty else { return }
    try await journal.acknowledge(events.map(\.id), of: key, epoch: epoch)
  }

  /// Waits until a task has ended, and returns its result.
  ///
  /// - Parameter hear: called with every change of the task.
  /// - Throws: `CancellationError` when the task that waits is cancelled.
  package func outcome(
    of task: TransferRecord, _ hear: (TransferRecord) -> Void
  ) async throws -> TransferOutcomeReport {
    var last = TransferOutcomeReport(record: task)
    while true {
      let seen = journal.changes.count
      // The record is read first, because acknowledging the events removes both.
      let record = try await journal.task(task.id)
      for event in try await journal.events(of: task.session) where event.task == task.id {
        if event.kind == .didComplete { last.end = event }
      }
      guard let record else { return last }
      last.record = record
      hear(record)
      if record.state.isOver { return last }
      try await journal.changes.wait(past: seen)
    }
  }
}
