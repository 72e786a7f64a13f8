internal import EventLoop
internal import SQLite

extension TransferJournal {
  /// Adds a task and keeps a copy of the file that it uploads: one for all tasks of an app that upload the same bytes.
  ///
  /// - Parameters:
  ///   - ceiling: the most bytes that the app's copies may take together; `nil` for those of the user.
  ///   - confirm: asked last, when a long copy is made: throws when the caller has lost the session meanwhile.
  /// - Returns: the task's id.
  /// - Throws: `noSession`, `stale`, `quota`; `source` when the file cannot be copied.
  package func add(
    _ draft: TransferDraft, to key: SessionKey, epoch: Int64, ceiling: Int64? = nil,
    confirm: @Sendable () async throws(TransferError) -> Void = { () async throws(TransferError) in }
  ) async throws(TransferError) -> Int64 {
    let now = options.now()
    guard case .upload(let descriptor) = draft.body else {
      return try await write(after: confirm) {
        try $0.add(draft, to: try $0.session(key, epoch: epoch), source: nil, now: now)
      }
    }
    // What the owner may not do is refused before anything is copied.
    try check(key, epoch: epoch)
    let size: Int64
    switch SourceCopy.size(of: descriptor) {
    case .success(let found): size = found
    case .failure(let error): throw error
    }
    if let known = try await copy(equalTo: descriptor, size: size, of: key.app) {
      // The task that it was made for may have ended meanwhile, and the copy with it.
      let id = try await write(after: confirm) { tables in
        try tables.isSource(known.name)
          ? try tables.add(draft, to: try tables.session(key, epoch: epoch), source: known, now: now) : nil
      }
      if let id { return id }
    }
    let limit = min(options.limits.sourceBytesPerApp, ceiling ?? .max)
    let pinned = try await newCopy(of: descriptor, size: size, for: key.app, limit: limit)
    do throws(TransferError) {
      return try await write(after: confirm) { tables in
        try tables.add(
          draft, to: try tables.session(key, epoch: epoch), source: pinned.copy, limit: limit, now: now)
      }
    } catch {
      folder.remove(pinned.copy.name)
      throw error
    }
  }

  /// Writes once the owner has the session for certain.
  private func write<Value>(
    after confirm: () async throws(TransferError) -> Void, _ body: (JournalTables) throws -> Value
  ) async throws(TransferError) -> Value {
    try await confirm()
    return try write(body)
  }

  /// A copy of the app's that has the bytes of a file.
  private func copy(
    equalTo descriptor: Int32, size: Int64, of app: String
  ) async throws(TransferError) -> JournalFolder.Copy? {
    let names = try read { tables throws(SQLiteError) in try tables.sources(of: app, size: size) }
    if names.isEmpty { return nil }
    let found = await SystemThread.run(name: "transfer-source") { [folder] in
      names.first { name in
        folder.open(name, forWriting: false).map { SourceCopy.isEqual(descriptor, $0.descriptor, size: size) } ?? false
      }
    }
    return found.map { JournalFolder.Copy(name: $0, size: size) }
  }

  /// Copies a file while its place is kept free: of many at one time no more than the limit are made.
  private func newCopy(
    of descriptor: Int32, size: Int64, for app: String, limit: Int64
  ) async throws(TransferError) -> (copy: JournalFolder.Copy, file: OpenFile) {
    let kept = try read { tables throws(SQLiteError) in try tables.copiedBytes(of: app) }
    let others = copying[app, default: 0]
    guard size <= limit, kept <= limit - size, others <= limit - size - kept else {
      throw .sources(of: app, limit: limit)
    }
    copying[app] = others + size
    defer { copying[app] = copying[app].flatMap { $0 > size ? $0 - size : nil } }
    let file = try makeFile()
    let outcome = await SystemThread.run(name: "transfer-source") {
      SourceCopy.copy(descriptor, to: file.descriptor, limit: limit)
    }
    switch outcome {
    case .success(let size):
      folder.synchronize()
      return (JournalFolder.Copy(name: file.name, size: size), file)
    case .failure(let error):
      folder.remove(file.name)
      throw error
    }
  }

  /// The bytes that are there of an app's unfinished downloads, but of one task.
  package func partBytes(of app: String, except task: Int64) throws(TransferError) -> Int64 {
    try read { tables throws(SQLiteError) in try tables.partBytes(of: app, except: task) }
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
    return try unneeded(files)
  }

  /// Stores the result of a task.
  ///
  /// - Returns: the names of files that the task no longer needs.
  func apply(_ outcome: TransferOutcome) throws(SQLiteError) -> [String] {
    let before = try task(outcome.record.id)
    guard let before, !before.state.isOver else { return try unneeded(outcome.record.files) }
    if outcome.record.state.isOver {
      _ = try end(outcome.record, as: outcome.record.state, outcome.news)
      try purge(task: outcome.record.id)
      return try unneeded(Array(Set(before.files + outcome.record.files)))
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
