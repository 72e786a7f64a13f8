internal import EventLoop
internal import SQLite

extension TransferJournal {
  /// Adds a task and copies the file that it uploads.
  ///
  /// - Parameter confirm: asked last, when a long copy is made: throws when the caller has lost the session meanwhile.
  /// - Returns: the task's id.
  /// - Throws: `noSession`, `stale`, `quota`; `source` when the file cannot be copied.
  package func add(
    _ draft: TransferDraft, to key: SessionKey, epoch: Int64,
    confirm: @Sendable () async throws(TransferError) -> Void = { () async throws(TransferError) in }
  ) async throws(TransferError) -> Int64 {
    var copy: JournalFolder.Copy?
    var pinned: OpenFile?
    if case .upload(let descriptor) = draft.body {
      // What the owner may not do is refused before anything is copied.
      try check(key, epoch: epoch)
      let file = try makeFile()
      pinned = file
      let limit = options.limits.sourceBytesPerApp
      let outcome = await SystemThread.run(name: "transfer-source") {
        SourceCopy.copy(descriptor, to: file.descriptor, limit: limit)
      }
      switch outcome {
      case .success(let size): copy = JournalFolder.Copy(name: file.name, size: size)
      case .failure(let error):
        folder.remove(file.name)
        throw error
      }
      folder.synchronize()
    }
    let now = options.now()
    do throws(TransferError) {
      try await confirm()
      return try write { tables in
        try tables.add(draft, to: try tables.session(key, epoch: epoch), source: copy, now: now)
      }
    } catch {
      if let pinned { folder.remove(pinned.name) }
      throw error
    }
  }

  private func check(_ key: SessionKey, epoch: Int64) throws(TransferError) {
    guard let session = try session(key), session.state == .open else { throw .noSession(key) }
    guard epoch >= session.epoch else { throw .stale(key, epoch: epoch, current: session.epoch) }
  }

  /// Returns the tasks of a session, oldest first, including finished tasks that are not acknowledged.
  package func tasks(_ key: SessionKey) throws(TransferError) -> [TransferRecord] {
    try read { tables throws(SQLiteError) in try tables.tasks(key) }
  }

  /// Returns a task, or `nil`.
  package func task(_ id: Int64) throws(TransferError) -> TransferRecord? {
    try read { tables throws(SQLiteError) in try tables.task(id) }
  }

  /// Cancels a task. Does nothing when the task has ended.
  ///
  /// - Throws: `noSession`, `stale`, `noTask`.
  package func cancel(_ id: Int64, of key: SessionKey, epoch: Int64) throws(TransferError) {
    let files = try write { tables in
      _ = try tables.session(key, epoch: epoch)
      guard let task = try tables.task(id), task.session == key else { throw TransferError.noTask(id) }
      let files = try tables.cancel([task])
      try tables.purge(task: id)
      try tables.purgeSession(key)
      return files
    }
    for file in files { folder.remove(file) }
  }

  // MARK: For the process that runs the transfers

  func unfinished(after id: Int64) throws(TransferError) -> [TransferRecord] {
    try read { tables throws(SQLiteError) in try tables.unfinished(after: id) }
  }

  func unfinishedIDs() throws(TransferError) -> Set<Int64> {
    Set(try read { tables throws(SQLiteError) in try tables.unfinishedIDs() })
  }

  /// Stores the results of tasks, all in one commit.
  func keep(_ outcomes: [TransferOutcome]) throws(TransferError) {
    if outcomes.isEmpty { return }
    let files = try write(isOrder: false) { tables in
      var files: [String] = []
      for outcome in outcomes { files += try tables.apply(outcome) }
      for key in Set(outcomes.lazy.filter { $0.record.state.isOver }.map(\.record.session)) {
        try tables.purgeSession(key)
      }
      return files
    }
    for file in files { folder.remove(file) }
  }
}

/// The result of a task: its new record, and the events for its owner.
struct TransferOutcome: Sendable {
  var record: TransferRecord
  var news: [TransferNews] = []
}

extension JournalTables {
  /// Cancels tasks.
  ///
  /// - Returns: the names of the tasks' files, which the caller deletes.
  func cancel(_ tasks: [TransferRecord]) throws(SQLiteError) -> [String] {
    var files: [String] = []
    for task in tasks where !task.state.isOver {
      let failure = TransferFailure(.cancelled, "The task was cancelled.", recovery: "Add the task again.")
      let news = TransferNews(.didComplete, error: failure)
      if try end(task, as: .cancelled, [news]) { files += task.files }
    }
    return files
  }

  /// Stores the result of a task.
  ///
  /// - Returns: the names of files that the task no longer needs.
  func apply(_ outcome: TransferOutcome) throws(SQLiteError) -> [String] {
    let before = try task(outcome.record.id)
    guard let before, !before.state.isOver else { return outcome.record.files }
    if outcome.record.state.isOver {
      _ = try end(outcome.record, as: outcome.record.state, outcome.news)
      try purge(task: outcome.record.id)
      return Array(Set(before.files + outcome.record.files))
    }
    try keep(outcome.record)
    for news in outcome.news { try tell(news, of: outcome.record.id, outcome.record.session) }
    return before.files.filter { !outcome.record.files.contains($0) }
  }
}

extension TransferRecord {
  /// The names of its files in the journal's folder.
  var files: [String] { [source, part?.name].compactMap { $0 } }
}

extension TransferJournal {
  /// Returns whether a task has not ended.
  package func hasUnfinishedTasks() throws(TransferError) -> Bool { try !unfinishedIDs().isEmpty }
}
