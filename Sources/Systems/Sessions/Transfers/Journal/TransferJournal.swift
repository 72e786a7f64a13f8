package import EventLoop
internal import SQLite

/// The durable list of one user's background sessions, their tasks, and the events for their owners. Several processes
/// may have it open.
///
/// When a call has returned, its effect survives the end of the process at any moment, and a power failure.
package actor TransferJournal {
  /// How a journal is opened and kept.
  package struct Options: Sendable {
    /// The folder of the journal, which holds nothing else. The journal creates it when it is missing.
    package var folder: String
    /// The limits of sessions, tasks and copied files.
    package var limits = JournalLimits()
    /// How long a call waits for another process that writes.
    package var timeout = Duration.seconds(5)
    /// How often to look for commits of other processes that were not announced.
    package var pollInterval = Duration.seconds(1)
    /// The clocks of deadlines. Tests set it.
    package var now: @Sendable () -> TransferInstant = { .now }

    /// Creates options with the defaults and this folder.
    package init(folder: String) { self.folder = folder }

    var path: String { "\(folder)/transfers.sqlite" }

    var database: DatabaseOptions {
      DatabaseOptions(
        applicationID: JournalTables.applicationID, durability: .full, busyTimeout: timeout,
        maximumPageCount: limits.pages)
    }
  }

  /// The options that the journal was created with.
  package nonisolated let options: Options
  /// Sent after each commit of this or another process, and occasionally without one. See ``version()``.
  package nonisolated let changes = Signal()
  nonisolated let folder: JournalFolder

  private let thread = SQLiteThread(name: "annex-journal")
  /// The journal's own thread, on which SQLite blocks.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  private let file: SharedFile<JournalTables>
  /// How often this process has committed.
  private var commits: Int64 = 0
  /// How many of these commits do not come from the process that runs the transfers.
  private var orders: Int64 = 0
  /// The bytes that are being copied for each app.
  var copying: [String: Int64] = [:]

  /// Creates a journal without touching the disk: the first call opens or creates the file.
  package init(_ options: Options) {
    self.options = options
    let folder = JournalFolder(path: options.folder)
    self.folder = folder
    let place = SharedFile<JournalTables>.Place(
      name: "journal", path: options.path, timeout: options.timeout, pollInterval: options.pollInterval)
    file = SharedFile(
      place, isListening: true, heard: { [changes] in changes.send() },
      prepare: { () throws(StoreFailure) in try folder.make() },
      open: { () throws(SQLiteError) in try JournalTables(options, folder) })
  }

  /// The paths of damaged journals that were set aside beside this one, oldest first.
  package nonisolated var setAside: [String] { DamagedDatabase.all(beside: options.path) }

  /// Returns a version of the journal: equal versions mean that nothing was committed between the two calls.
  package func version() throws(TransferError) -> [Int64] {
    let version = try read { tables throws(SQLiteError) in try tables.version() }
    return [version, commits + file.openings]
  }

  /// Returns a version that ignores the commits of the process that runs the transfers. The last number changes when the
  /// file was opened anew, which may be another one.
  func outsideVersion() throws(TransferError) -> [Int64] {
    let version = try read { tables throws(SQLiteError) in try tables.version() }
    return [version, orders, file.openings]
  }

  // MARK: The file

  func read<Value>(_ body: (JournalTables) throws(SQLiteError) -> Value) throws(TransferError) -> Value {
    do throws(StoreFailure) { return try file.read(body) } catch { throw TransferError(error) }
  }

  /// Runs one transaction behind the gate. Observers are notified after it is durable.
  func write<Value>(
    isOrder: Bool = true, _ body: (JournalTables) throws -> Value
  ) throws(TransferError) -> Value {
    let result = try atGate { tables throws(SQLiteError) -> Result<Value, TransferError> in
      do {
        return .success(try tables.database.atomically { try body(tables) })
      } catch let error as TransferError {
        return .failure(error)
      } catch let error as SQLiteError {
        throw error
      } catch {
        preconditionFailure("a write throws errors of the journal or of SQLite")
      }
    }
    commits += 1
    if isOrder { orders += 1 }
    file.announce()
    changes.send()
    return result
  }

  /// Creates a file in the journal's folder, behind the gate.
  func makeFile() throws(TransferError) -> OpenFile {
    try atGate { _ in Result { () throws(TransferError) in try folder.create() } }
  }

  /// Removes the files that no task needs.
  package func sweep() throws(TransferError) {
    try atGate { tables throws(SQLiteError) in .success(folder.sweep(except: try tables.files())) }
  }

  /// - Throws: what the body refuses; `unavailable` and `corrupt` of the file.
  private func atGate<Value>(
    _ body: (JournalTables) throws(SQLiteError) -> Result<Value, TransferError>
  ) throws(TransferError) -> Value {
    let result: Result<Value, TransferError>
    do throws(StoreFailure) { result = try file.atGate(body) } catch { throw TransferError(error) }
    return try result.get()
  }
}

extension JournalTables {
  /// Opens or makes the file of a journal, and removes the files that ended processes left behind. The caller holds the
  /// gate.
  convenience init(_ options: TransferJournal.Options, _ folder: JournalFolder) throws(SQLiteError) {
    // Numbers that an owner may remember from the journal before are not given again.
    let wasDamaged = !DamagedDatabase.all(beside: options.path).isEmpty
    try self.init(
      path: options.path, options: options.database, limits: options.limits,
      firstNumber: wasDamaged ? options.now().wall / 1_000_000 : 1)
    folder.sweep(except: try files())
  }
}

/// How much a journal keeps.
package struct JournalLimits: Sendable {
  package var sessionsPerApp = 64
  /// Tasks of one session, those included that are over but not acknowledged. What a task has to tell is bounded, and so
  /// this bounds the events too.
  package var tasksPerSession = 1_000
  /// Bytes of the copies of all that one app uploads.
  package var sourceBytesPerApp: Int64 = 64 << 30
  /// Bytes of a request: its URL and its header.
  package var requestBytes = 64 << 10
  /// Pages of 4 KiB that the journal's file may have.
  package var pages = 65_536

  package init() {}
}
