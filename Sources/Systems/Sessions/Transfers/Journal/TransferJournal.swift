package import EventLoop
internal import SQLite

/// The durable list of the background sessions of one user, with their tasks and what their owners have to be told. Any
/// number of processes have it open.
///
/// What a call has returned survives the end of the process at any moment, and a loss of power.
package actor TransferJournal {
  /// How a journal is kept.
  package struct Options: Sendable {
    /// The folder that holds the journal alone; it is made when it is missing.
    package var folder: String
    package var limits = JournalLimits()
    /// How long to wait for another process that writes.
    package var timeout = Duration.seconds(5)
    /// How often to look for commits of other processes that were not announced.
    package var pollInterval = Duration.seconds(1)
    package var now: @Sendable () -> TransferInstant = { .now }

    package init(folder: String) { self.folder = folder }

    var path: String { "\(folder)/transfers.sqlite" }

    var database: DatabaseOptions {
      DatabaseOptions(
        applicationID: JournalTables.applicationID, durability: .full, busyTimeout: timeout,
        maximumPageCount: limits.pages)
    }
  }

  package nonisolated let options: Options
  /// Sent after each commit, of this process and of others; now and then without one. See ``version()``.
  package nonisolated let changes = Signal()
  nonisolated let folder: JournalFolder

  private let thread = SQLiteThread(name: "annex-journal")
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  private var file: JournalFile?
  private var foreign: ForeignCommits?
  /// Commits of this process, and files opened.
  private var commits: Int64 = 0
  /// Those of them that do not come from who runs the transfers.
  private var orders: Int64 = 0

  /// Touches nothing yet: the file is opened, or made, at the first call.
  package init(_ options: Options) {
    self.options = options
    folder = JournalFolder(path: options.folder)
  }

  /// The damaged journals that were set aside beside this one, oldest first.
  package nonisolated var setAside: [String] { DamagedDatabase.all(beside: options.path) }

  /// What tells whether anything was committed since: two values that are equal mean that nothing was.
  package func version() throws(TransferError) -> [Int64] {
    let version = try read { tables throws(SQLiteError) in try tables.version() }
    return [version, commits]
  }

  /// The same, for who runs the transfers: its own commits do not count.
  func outsideVersion() throws(TransferError) -> [Int64] {
    let version = try read { tables throws(SQLiteError) in try tables.version() }
    return [version, orders]
  }

  // MARK: The file

  func read<Value>(_ body: (JournalTables) throws(SQLiteError) -> Value) throws(TransferError) -> Value {
    let file = try opened()
    do throws(SQLiteError) {
      return try body(file.tables)
    } catch {
      throw failed(error)
    }
  }

  /// One transaction, behind the gate. Nobody is told before it is durable.
  func write<Value>(
    isOrder: Bool = true, _ body: (JournalTables) throws -> Value
  ) throws(TransferError) -> Value {
    let file = try openedAtGate()
    let result: Value
    do {
      defer { file.gate.give() }
      result = try file.tables.database.atomically { try body(file.tables) }
    } catch let error as TransferError {
      throw error
    } catch let error as SQLiteError {
      throw failed(error)
    } catch {
      preconditionFailure("a write throws errors of the journal or of SQLite")
    }
    commits += 1
    if isOrder { orders += 1 }
    file.announce()
    changes.send()
    return result
  }

  /// Makes a file in the journal's folder, behind the gate.
  func makeFile() throws(TransferError) -> OpenFile {
    let file = try openedAtGate()
    defer { file.gate.give() }
    return try folder.create()
  }

  /// Removes the files that no task needs.
  package func sweep() throws(TransferError) {
    let file = try openedAtGate()
    let failure: SQLiteError
    do throws(SQLiteError) {
      defer { file.gate.give() }
      return folder.sweep(except: try file.tables.files())
    } catch {
      failure = error
    }
    throw failed(failure)
  }

  private func opened() throws(TransferError) -> JournalFile {
    if let file, file.isCurrent { return file }
    self.file = nil
    let file = try JournalFile(options)
    self.file = file
    commits += 1
    orders += 1
    file.gate.listen()
    if foreign == nil {
      let changes = changes
      // Without a descriptor or a thread the next opening tries again; a reader who asks is answered all the same.
      foreign = try? ForeignCommits(path: JournalFile.notifyPath(options.path), every: options.pollInterval) {
        changes.send()
      }
    }
    return file
  }

  /// The file with its gate taken, which the caller gives back.
  private func openedAtGate() throws(TransferError) -> JournalFile {
    for _ in 0..<3 {
      let file = try opened()
      do throws(GateError) { try file.gate.take() } catch { throw TransferError(error) }
      // It may have been set aside while this process waited.
      if file.isCurrent { return file }
      file.gate.give()
      self.file = nil
    }
    throw .unavailable("The journal \(options.path) is being replaced.", recovery: "Try again.", isRetryable: true)
  }

  /// Translates a failure. A damaged file is closed and set aside, under the gate.
  private func failed(_ error: SQLiteError) -> TransferError {
    guard error.kind == .corrupt || error.kind == .notADatabase, let file else {
      return TransferError(error, path: options.path)
    }
    self.file = nil
    do throws(GateError) { try file.gate.take() } catch { return TransferError(error) }
    defer { file.gate.give() }
    guard file.isCurrent else {
      return .corrupt("The journal \(options.path) is damaged: \(error.message)", setAside: setAside.last)
    }
    return TransferError(error, path: options.path)
  }
}
