internal import EventLoop
internal import Files
internal import JSONRPC
internal import SQLite

/// The results of all users and connectors, each scope in a database of its own.
///
/// The cache is never a reason to fail: whatever is wrong with a file is reported in words, and the scope goes on
/// without it. A damaged file is set aside and replaced by a new one.
actor ResultCache {
  private let folder: String?
  private let maximumBytes: Int
  private let clock: DataConnectClock
  private let report: @Sendable (String) -> Void
  private let thread = SQLiteThread(name: "data-cache")
  private var open: [CacheScope: OpenScope] = [:]
  private var uses = 0

  /// The most databases that are open at one time.
  static let mostOpen = 16

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  private final class OpenScope {
    var database: Database?
    var lastUse = 0
  }

  init(
    folder: String?, maximumBytes: Int, clock: DataConnectClock, report: @escaping @Sendable (String) -> Void
  ) {
    self.folder = folder
    self.maximumBytes = maximumBytes
    self.clock = clock
    self.report = report
  }

  func result(_ key: String, in scope: CacheScope) -> KeptResult? {
    let now = clock.now()
    let found: KeptResult?? = perform(in: scope) { database throws(SQLiteError) in try database.result(key, now: now) }
    return found ?? nil
  }

  /// Keeps the answer to a query.
  ///
  /// - Returns: the keys of the results that are others now.
  func store(_ answer: ServerAnswer, key: String, in scope: CacheScope, _ use: CacheUse) -> Set<String> {
    guard answer.isWhole, let data = answer.data else { return [] }
    let age = answer.hints.compactMap { $0.maximumAge.map { Int($0.wholeMilliseconds) } }.min()
    let result = StoredResult(key: key, parts: SplitResult(data, hints: answer.hints), maximumAge: age)
    let now = clock.now()
    let limit = min(max(use.maximumBytes ?? maximumBytes, 0), maximumBytes)
    return perform(in: scope) { database throws(SQLiteError) in
      try database.store(result, now: now, limit: limit)
    } ?? []
  }

  /// Takes what the answer to a mutation says of entities.
  ///
  /// - Returns: the keys of the results that are others now.
  func touch(_ answer: ServerAnswer, in scope: CacheScope) -> Set<String> {
    guard let data = answer.data, !answer.hints.isEmpty else { return [] }
    let entities = SplitResult(data, hints: answer.hints).entities
    return perform(in: scope) { database throws(SQLiteError) in try database.touch(entities) } ?? []
  }

  /// Closes all databases; those in memory are gone.
  func close() { open = [:] }

  /// Runs `body` on the database of a scope; `nil` when there is none. A file found damaged is replaced, once, and
  /// `body` runs on the new one.
  private func perform<Value>(
    in scope: CacheScope, _ body: (borrowing Database) throws(SQLiteError) -> Value
  ) -> Value? {
    for isLastTry in [false, true] {
      do throws(SQLiteError) { return try opened(scope)?.database?.perform(body) } catch {
        let isDamaged = error.kind == .corrupt || error.kind == .notADatabase
        if isDamaged, !isLastTry, setAside(error.path, scope) { continue }
        doWithout(scope, error)
        return nil
      }
    }
    return nil
  }

  private func opened(_ scope: CacheScope) throws(SQLiteError) -> OpenScope? {
    uses += 1
    if let there = open[scope] {
      there.lastUse = uses
      return there
    }
    let new = OpenScope()
    new.lastUse = uses
    new.database = try database(of: scope)
    if open.count >= Self.mostOpen, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
      open[oldest] = nil
    }
    open[scope] = new
    return new
  }

  private func database(of scope: CacheScope) throws(SQLiteError) -> Database? {
    // Twice what is counted: a page is seldom full, and there are indices.
    let pages = max(64, maximumBytes / 4096 * 2)
    let options = DatabaseOptions(
      applicationID: 0x414E_4443, busyTimeout: .milliseconds(500), maximumPageCount: pages)
    guard scope.storage == .persistent, let folder else {
      return try Database.inMemory(options: options, migrations: ResultTable.migrations)
    }
    do throws(FileError) { try Folder.make(folder) } catch {
      report("The cache of Data Connect has no place: \(error.message) Every query goes to the server.")
      return nil
    }
    return try Database(
      path: "\(folder)/\(scope.fileName)", options: options, migrations: ResultTable.migrations)
  }

  /// Puts a damaged file away, the newest of its kind alone; false when that fails.
  private func setAside(_ path: String, _ scope: CacheScope) -> Bool {
    open[scope] = nil
    guard path != ":memory:", let target = DamagedDatabase.setAside(path) else { return false }
    for older in DamagedDatabase.all(beside: path) where older != target {
      for suffix in ["", "-wal", "-shm"] { File.remove(older + suffix) }
    }
    report("The cache of Data Connect at \(path) was damaged. It is now \(target), and a new one is in use.")
    return true
  }

  /// A lock or a full disk passes; after anything else the scope stays without.
  private func doWithout(_ scope: CacheScope, _ error: SQLiteError) {
    switch error.kind {
    case .busy, .full, .interrupted, .tooBig: return
    default:
      open[scope] = OpenScope()
      report("The cache of Data Connect is not used: \(error.message) \(error.recovery)")
    }
  }
}
