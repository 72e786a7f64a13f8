internal import Files
internal import Glibc
internal import SQLite

/// The cache of answers on disk: one table, keyed by the URL and the identity of the caller.
///
/// A cache never makes a request fail: when the file cannot be used, the cache reports one message, and the client
/// works without a cache. A damaged file is renamed to `….damaged` and replaced by a new one.
actor ResponseCache {
  struct Key: Hashable, Sendable {
    let url: String
    let identity: String
  }

  private let path: @Sendable () throws -> String
  private let maximumBytes: Int
  private let report: @Sendable (String) -> Void
  private let thread = SQLiteThread(name: "content-cache")
  private var database: Database?
  private var isOff = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - path: the file; asked for at the first use.
  ///   - maximumBytes: of all bodies with their URLs; the least recently used answers give way.
  ///   - report: is called with one sentence when something is wrong with the file.
  init(
    path: @escaping @Sendable () throws -> String, maximumBytes: Int, report: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.maximumBytes = maximumBytes
    self.report = report
  }

  func answer(for key: Key, now: Int) -> CachedAnswer? {
    let found: CachedAnswer?? = use { database throws(SQLiteError) in
      let answer = try database.answer(for: key)
      // A file that cannot be written now can still be read.
      if answer != nil { try? database.touch(key, now: now) }
      return answer
    }
    return found ?? nil
  }

  /// Stores an answer in place of the older one, and removes others to make space.
  func store(_ answer: CachedAnswer, for key: Key, now: Int) {
    let size = answer.body.count + key.url.utf8.count
    guard size <= maximumBytes / 2 else { return remove(key) }
    let limit = maximumBytes
    use { database throws(SQLiteError) in
      try database.store(answer, for: key, size: size, now: now, limit: limit)
    }
  }

  func remove(_ key: Key) {
    use { database throws(SQLiteError) in
      try database.run("DELETE FROM response WHERE url = ? AND identity = ?", key.url, key.identity)
    }
  }

  func removeAll() {
    use { database throws(SQLiteError) in try database.run("DELETE FROM response") }
  }

  func signature() -> Int? {
    use { database throws(SQLiteError) in try database.signature() }
  }

  /// Runs `body` on the open database; nil when there is none. A file found damaged is replaced, once, and `body` runs
  /// on the new one.
  @discardableResult
  private func use<Value>(_ body: (borrowing Database) throws(SQLiteError) -> Value) -> Value? {
    for isLastTry in [false, true] {
      if isOff { return nil }
      do throws(SQLiteError) {
        if database == nil { try open() }
        return try database?.perform(body)
      } catch {
        let isDamaged = error.kind == .corrupt || error.kind == .notADatabase
        if isDamaged, !isLastTry, setAside(error.path) { continue }
        doWithout(error)
        return nil
      }
    }
    return nil
  }

  private func open() throws(SQLiteError) {
    let file: String
    do { file = try path() } catch {
      isOff = true
      return report("The content cache has no place: \(error). Every query goes to the server.")
    }
    // Twice the bodies: a page is seldom full.
    let pages = max(64, maximumBytes / 4096 * 2)
    let options = DatabaseOptions(
      applicationID: 0x414E_4343, busyTimeout: .milliseconds(500), maximumPageCount: pages)
    database = try Database(path: file, options: options, migrations: Self.migrations)
  }

  /// Renames a damaged file and its logs; false when that fails.
  private func setAside(_ file: String) -> Bool {
    database = nil
    guard unsafe rename(file, file + ".damaged") == 0 else { return false }
    for suffix in ["-wal", "-shm"] { File.remove(file + suffix) }
    report("The content cache at \(file) was damaged. It is now \(file).damaged, and a new one is in use.")
    return true
  }

  /// A lock or a full disk passes; after anything else the cache stays off.
  private func doWithout(_ error: SQLiteError) {
    switch error.kind {
    case .busy, .full, .interrupted, .tooBig: return
    default:
      database = nil
      isOff = true
      report("The content cache is not used: \(error.message) \(error.recovery)")
    }
  }
}
