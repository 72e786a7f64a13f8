internal import EventLoop
internal import Files
internal import JSON
internal import SQLite
import Time

/// The results of all users and connectors, each scope in a database of its own.
///
/// The cache is never a reason to fail: whatever is wrong with a file is reported in words, and the scope goes on
/// without it. A damaged file is set aside and replaced by a new one.
actor ResultCache {
  private let folder: String?
  private let maximumBytes: Int
  private let clock: WallClock
  private let report: @Sendable (String) -> Void
  private let recent: RecentResults
  private let observers: Observers
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

  init(_ configuration: DataConnectClient.Configuration, _ recent: RecentResults, _ observers: Observers) {
    folder = configuration.cacheFolder
    maximumBytes = configuration.limits.cacheBytes
    clock = configuration.clock
    report = configuration.report
    self.recent = recent
    self.observers = observers
  }

  func result(_ key: String, in scope: CacheScope) -> KeptResult? {
    let now = clock.milliseconds
    let found: KeptResult?? = perform(in: scope) { database throws(SQLiteError) in try database.result(key, now: now) }
    return found ?? nil
  }

  func give(_ key: String, in scope: CacheScope, to sink: Observers.Sink) -> Bool {
    guard let kept = result(key, in: scope) else { return false }
    sink(.success(DataResponse(data: kept.data, source: .cache)))
    return true
  }

  /// Keeps what came of an operation, and tells those who follow results that are others now: all in one turn, so that
  /// nobody gets an older result after a newer one.
  ///
  /// - Parameter sinks: get the answer itself; `nil` when nobody has it yet who follows the operation.
  func keep(
    _ answer: ServerAnswer, of operation: DataOperation, in scope: CacheScope, _ use: CacheUse, sinks: [Observers.Sink]?
  ) {
    let own = operation.key
    var changed = operation.kind == .query ? store(answer, key: own, in: scope, use) : touch(answer, in: scope)
    recent.forget(scope)
    if let sinks {
      changed.remove(own)
      for sink in sinks { sink(.success(answer.response())) }
    }
    for key in changed where observers.isObserved(key, in: scope) {
      guard let kept = result(key, in: scope) else { continue }
      observers.publish(DataResponse(data: kept.data, source: .cache), key: key, in: scope)
    }
  }

  /// - Returns: the keys of the results that are others now.
  private func store(_ answer: ServerAnswer, key: String, in scope: CacheScope, _ use: CacheUse) -> Set<String> {
    guard answer.isWhole, let data = answer.data else { return [] }
    let age = answer.hints.compactMap { $0.maximumAge.map { Int($0.wholeMilliseconds) } }.min()
    let result = StoredResult(key: key, parts: SplitResult(data, hints: answer.hints), maximumAge: age)
    let now = clock.milliseconds
    let limit = min(max(use.maximumBytes ?? maximumBytes, 0), maximumBytes)
    return perform(in: scope) { database throws(SQLiteError) in
      try database.store(result, now: now, limit: limit)
    } ?? []
  }

  /// - Returns: the keys of the results that are others now.
  private func touch(_ answer: ServerAnswer, in scope: CacheScope) -> Set<String> {
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
