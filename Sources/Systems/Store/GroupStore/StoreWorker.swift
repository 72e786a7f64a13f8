import EventLoop
import SQLite
import Time

/// The database on a thread of its own: every call of SQLite blocks.
actor StoreWorker {
  /// Writes in one transaction at most.
  private static let largestBatch = 128

  private let thread = SQLiteThread(name: "annex-store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let options: SQLiteGroupBackend.Options
  private let recent: RecentChanges
  private let queue: WriteQueue
  private var file: GroupFile?
  private var foreign: ForeignCommits?
  /// Which store was open last.
  private var store: StoreID?

  init(_ options: SQLiteGroupBackend.Options, _ recent: RecentChanges, _ queue: WriteQueue) {
    self.options = options
    self.recent = recent
    self.queue = queue
  }

  // MARK: Reading

  func read<Value>(_ body: (GroupTables) throws(SQLiteError) -> Value) throws(GroupStoreError) -> Value {
    let file = try opened()
    do {
      return try body(file.tables)
    } catch {
      throw failed(error)
    }
  }

  /// The changes after a revision. From the first call on, writes of other processes are noticed.
  func delta(_ suite: SuiteID, after revision: Int64) throws(GroupStoreError) -> SuiteDelta {
    let file = try opened()
    if foreign == nil { try listen(to: file) }
    do {
      return SuiteDelta(try file.tables.delta(suite, after: revision), of: file.store)
    } catch {
      throw failed(error)
    }
  }

  func identity() throws(GroupStoreError) -> StoreID { try opened().store }

  // MARK: Writing

  /// Commits a write and all that wait with it, unless somebody else has done so.
  func commit(_ write: GroupWrite) {
    while write.outcome == nil {
      let batch = queue.take(atMost: Self.largestBatch)
      if batch.isEmpty { return }
      do throws(GroupStoreError) {
        try commit(batch)
      } catch {
        for write in batch where write.outcome == nil { write.end(.failure(error)) }
      }
    }
  }

  private func commit(_ batch: [GroupWrite]) throws(GroupStoreError) {
    let file = try openedAtGate()
    defer {
      file.gate.give()
      options.crash(.gateGiven)
    }
    do {
      try commit(batch, in: file)
    } catch {
      // One of them may be too much for the disk: the others need not fail with it.
      guard batch.count > 1, error.kind == .full || error.kind == .tooBig else { throw failed(error, atGate: true) }
      for write in batch {
        do throws(SQLiteError) {
          try commit([write], in: file)
        } catch {
          write.end(.failure(failed(error, atGate: true)))
        }
      }
    }
  }

  /// One transaction. Nobody is told before it is durable.
  private func commit(_ batch: [GroupWrite], in file: GroupFile) throws(SQLiteError) {
    var written: [Written] = []
    do {
      try file.tables.database.atomically {
        options.crash(.begun)
        for write in batch {
          written.append(try apply(write, isAlone: batch.count == 1, in: file))
          options.crash(.changed)
        }
        options.crash(.beforeCommit)
      }
    } catch let refusal as GroupStoreError {
      // It was alone, and nothing was written.
      for write in batch { write.end(.failure(refusal)) }
      return
    } catch let error as SQLiteError {
      throw error
    } catch {
      preconditionFailure("a write throws errors of the store or of SQLite")
    }
    options.crash(.committed)
    for (write, outcome, changes) in written {
      write.end(outcome)
      if case .success(let revision) = outcome, !changes.isEmpty {
        recent.add(changes, to: write.suite, revision: revision)
      }
    }
    file.announce()
    options.crash(.notified)
  }

  private typealias Written = (write: GroupWrite, outcome: Result<Int64, GroupStoreError>, changes: [Change])

  /// - Throws: `SQLiteError`; a refusal of the store when the write is alone, else that is its outcome.
  private func apply(_ write: GroupWrite, isAlone: Bool, in file: GroupFile) throws -> Written {
    if isAlone {
      let (revision, changes) = try file.tables.applyAlone(write, clock: options.clock)
      return (write, .success(revision), changes)
    }
    do {
      let (revision, changes) = try file.tables.apply(write, clock: options.clock)
      return (write, .success(revision), changes)
    } catch let refusal as GroupStoreError {
      return (write, .failure(refusal), [])
    }
  }

  /// A change of leases, in a transaction of its own.
  func change<Value>(
    _ body: (GroupTables, BootClock) throws(SQLiteError) -> Value
  ) throws(GroupStoreError) -> Value {
    let file = try openedAtGate()
    defer { file.gate.give() }
    do {
      return try file.tables.database.transaction { () throws(SQLiteError) in try body(file.tables, options.clock) }
    } catch {
      throw failed(error, atGate: true)
    }
  }

  // MARK: The file

  private func opened() throws(GroupStoreError) -> GroupFile {
    if let file, file.isCurrent { return file }
    self.file = nil
    let file = try GroupFile(options: options)
    self.file = file
    if let store {
      if store == file.store { recent.addForeign() } else { recent.addReplacement() }
    }
    store = file.store
    // Who watched the old file goes on with this one.
    if foreign != nil { try listen(to: file) }
    return file
  }

  /// - Throws: `unavailable` when the process has no descriptor or no thread left to listen with; the next call tries again.
  private func listen(to file: GroupFile) throws(GroupStoreError) {
    file.gate.listen()
    foreign = nil
    do throws(EventLoopError) {
      foreign = try ForeignCommits(path: GroupFile.notifyPath(file.path), every: options.pollInterval) { [recent] in
        recent.addForeign()
      }
    } catch {
      throw .unavailable(
        "Writes of other programs cannot be heard of. \(error)",
        recovery: "Raise the limit of descriptors (ulimit -n).",
        isRetryable: true)
    }
  }

  /// The file with its gate taken, which the caller gives back.
  private func openedAtGate() throws(GroupStoreError) -> GroupFile {
    for _ in 0..<3 {
      // A file that is open is looked at once, behind the gate.
      let file = if let file { file } else { try opened() }
      do throws(GateError) { try file.gate.take() } catch { throw GroupStoreError(error) }
      options.crash(.gateTaken)
      // It may have been set aside while this process waited.
      if file.isCurrent { return file }
      file.gate.give()
      self.file = nil
    }
    throw .unavailable(
      "The group store \(options.path) is being replaced.", recovery: "Try again.", isRetryable: true)
  }

  /// Translates a failure. A damaged file is closed and set aside, under the gate.
  private func failed(_ error: SQLiteError, atGate: Bool = false) -> GroupStoreError {
    guard error.kind == .corrupt || error.kind == .notADatabase, let file else {
      return StoreFailure.translate(error, path: options.path)
    }
    self.file = nil
    if atGate { return StoreFailure.translate(error, path: options.path) }
    do throws(GateError) { try file.gate.take() } catch { return GroupStoreError(error) }
    defer { file.gate.give() }
    guard file.isCurrent else {
      return .corrupt(
        "The group store \(options.path) is damaged: \(error.message)",
        setAside: DamagedDatabase.all(beside: options.path).last)
    }
    return StoreFailure.translate(error, path: options.path)
  }
}
