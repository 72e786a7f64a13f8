internal import EventLoop
internal import Files
internal import JSON
internal import SQLite
import Time

/// The cached results of all users and connectors, with a database for each scope.
///
/// The cache never makes an operation fail. It reports a problem with a file as a sentence, and the scope works without
/// the file. It renames a damaged file and creates a new one.
actor ResultCache {
  private let folder: String?
  private let maximumBytes: Int
  private let clock: WallClock
  private let report: @Sendable (String) -> Void
  private let recent: RecentResults
  private let observers: Observers
  private let thread = SQLiteThread(name: "data-cache")
  private var open: [CacheScope: (file: CacheFile, lastUse: Int)] = [:]
  private var uses = 0

  /// The most databases that are open at one time.
  static let mostOpen = 16

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

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
    let found: KeptResult?? = file(of: scope).use { database throws(SQLiteError) in try database.result(key, now: now) }
    return found ?? nil
  }

  func give(_ key: String, in scope: CacheScope, to sink: Observers.Sink) -> Bool {
    guard let kept = result(key, in: scope) else { return false }
    sink(.success(DataResponse(data: kept.data, source: .cache)))
    return true
  }

  /// Caches the result of an operation, and notifies the followers of results that it changes. Both happen in one turn,
  /// so that no follower receives an older result after a newer one.
  ///
  /// - Parameter sinks: the followers that receive this answer in any case; `nil` when no follower of the operation has
  ///   received it yet.
  func keep(
    _ answer: DataResponse, of operation: DataOperation, in scope: CacheScope, _ use: CacheSettings,
    sinks: [Observers.Sink]?
  ) {
    let own = operation.key
    var changed = operation.kind == .query ? store(answer, key: own, in: scope, use) : touch(answer, in: scope)
    recent.forget(scope)
    if let sinks {
      changed.remove(own)
      for sink in sinks { sink(.success(answer)) }
    }
    for key in changed where observers.isObserved(key, in: scope) {
      guard let kept = result(key, in: scope) else { continue }
      observers.publish(DataResponse(data: kept.data, source: .cache), key: key, in: scope)
    }
  }

  /// - Returns: the keys of the results that are others now.
  private func store(_ answer: DataResponse, key: String, in scope: CacheScope, _ use: CacheSettings) -> Set<String> {
    guard answer.isWhole, let data = answer.data else { return [] }
    let age = answer.hints.compactMap { $0.maximumAge.map { Int($0.wholeMilliseconds) } }.min()
    let result = StoredResult(key: key, parts: SplitResult(data, hints: answer.hints), maximumAge: age)
    let now = clock.milliseconds
    let limit = min(max(use.maxSize ?? maximumBytes, 0), maximumBytes)
    return file(of: scope).use { database throws(SQLiteError) in
      try database.store(result, now: now, limit: limit)
    } ?? []
  }

  /// - Returns: the keys of the results that are others now.
  private func touch(_ answer: DataResponse, in scope: CacheScope) -> Set<String> {
    guard let data = answer.data, !answer.hints.isEmpty else { return [] }
    let entities = SplitResult(data, hints: answer.hints).entities
    return file(of: scope).use { database throws(SQLiteError) in try database.touch(entities) } ?? []
  }

  /// Closes all databases; those in memory are lost.
  func close() { open = [:] }

  private func file(of scope: CacheScope) -> CacheFile {
    uses += 1
    if let there = open[scope]?.file {
      open[scope]?.lastUse = uses
      return there
    }
    if open.count >= Self.mostOpen, let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
      open[oldest] = nil
    }
    let options = CacheFile.Options(
      name: "The cache of Data Connect", applicationID: 0x414E_4443, migrations: ResultTable.migrations,
      maximumBytes: maximumBytes)
    let new = CacheFile(options, report: report) { [folder, report] in
      guard scope.storage == .persistent, let folder else { return ":memory:" }
      do throws(FileError) { try Folder.make(folder) } catch {
        report("The cache of Data Connect has no place: \(error.message) Every query goes to the server.")
        return nil
      }
      return "\(folder)/\(scope.fileName)"
    }
    open[scope] = (new, uses)
    return new
  }
}
