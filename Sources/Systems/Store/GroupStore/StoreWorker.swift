import SQLite
import Time

/// Owns the database on a thread of its own, because every call of SQLite blocks.
actor StoreWorker {
  /// Writes in one transaction at most.
  private static let largestBatch = 128

  private let thread = SQLiteThread(name: "annex-store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let options: SQLiteGroupBackend.Options
  private let recent: RecentChanges
  private let queue: WriteQueue
  private let file: SharedFile<GroupFile>

  init(_ options: SQLiteGroupBackend.Options, _ recent: RecentChanges, _ queue: WriteQueue) {
    self.options = options
    self.recent = recent
    self.queue = queue
    let place = SharedFile<GroupFile>.Place(
      name: "group store", path: options.path, timeout: options.timeout, pollInterval: options.pollInterval)
    // Which store was open last.
    var last: StoreID?
    file = SharedFile(place, isListening: false, heard: { recent.addForeign() }) { () throws(SQLiteError) in
      let file = try GroupFile(options)
      if let last {
        if last == file.store { recent.addForeign() } else { recent.addReplacement() }
      }
      last = file.store
      return file
    }
  }

  // MARK: Reading

  func read<Value>(_ body: (GroupTables) throws(SQLiteError) -> Value) throws(GroupStoreError) -> Value {
    do throws(StoreFailure) {
      return try file.read { file throws(SQLiteError) in try body(file.tables) }
    } catch {
      throw GroupStoreError(error)
    }
  }

  /// The changes after a revision. From the first call on, writes of other processes are noticed.
  func delta(_ suite: SuiteID, after revision: Int64) throws(GroupStoreError) -> SuiteDelta {
    do throws(StoreFailure) {
      try file.listen()
      return try file.read { file throws(SQLiteError) in
        SuiteDelta(try file.tables.delta(suite, after: revision), of: file.store)
      }
    } catch {
      throw GroupStoreError(error)
    }
  }

  func identity() throws(GroupStoreError) -> StoreID {
    do throws(StoreFailure) { return try file.read { file in file.store } } catch { throw GroupStoreError(error) }
  }

  // MARK: Writing

  /// Commits a write together with all waiting writes, unless an earlier commit included it.
  func commit(_ write: GroupWrite) {
    while write.outcome == nil {
      let batch = queue.take(atMost: Self.largestBatch)
      if batch.isEmpty { return }
      do throws(StoreFailure) {
        try file.atGate { file throws(SQLiteError) in
          options.crash(.gateTaken)
          try store(batch, in: file.tables)
        }
      } catch {
        for write in batch where write.outcome == nil { write.end(.failure(GroupStoreError(error))) }
      }
      options.crash(.gateGiven)
    }
  }

  /// Writes a batch in one transaction or, where that is too much for the disk, each write in one of its own.
  private func store(_ batch: [GroupWrite], in tables: GroupTables) throws(SQLiteError) {
    do throws(SQLiteError) {
      return try transact(batch, in: tables)
    } catch {
      // One of them may be too much for the disk: the others need not fail with it.
      guard batch.count > 1, error.kind == .full || error.kind == .tooBig else { throw error }
    }
    for write in batch {
      do throws(SQLiteError) {
        try transact([write], in: tables)
      } catch {
        if error.kind.isDamage { throw error }
        write.end(.failure(GroupStoreError(StoreFailure(error, of: "group store"))))
      }
    }
  }

  /// Runs one transaction. Watchers are notified after it is durable.
  private func transact(_ batch: [GroupWrite], in tables: GroupTables) throws(SQLiteError) {
    var written: [Written] = []
    do {
      try tables.database.atomically {
        options.crash(.begun)
        for write in batch {
          written.append(try apply(write, isAlone: batch.count == 1, in: tables))
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
  private func apply(_ write: GroupWrite, isAlone: Bool, in tables: GroupTables) throws -> Written {
    if isAlone {
      let (revision, changes) = try tables.applyAlone(write, clock: options.clock)
      return (write, .success(revision), changes)
    }
    do {
      let (revision, changes) = try tables.apply(write, clock: options.clock)
      return (write, .success(revision), changes)
    } catch let refusal as GroupStoreError {
      return (write, .failure(refusal), [])
    }
  }

  /// Changes leases in a transaction of their own.
  func change<Value>(
    _ body: (GroupTables, BootClock) throws(SQLiteError) -> Value
  ) throws(GroupStoreError) -> Value {
    do throws(StoreFailure) {
      return try file.atGate { file throws(SQLiteError) in
        options.crash(.gateTaken)
        return try file.tables.database.transaction { () throws(SQLiteError) in try body(file.tables, options.clock) }
      }
    } catch {
      throw GroupStoreError(error)
    }
  }
}
