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

  private let maximumBytes: Int
  private let thread = SQLiteThread(name: "content-cache")
  private let file: CacheFile

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - path: the file; asked for at the first use.
  ///   - maximumBytes: of all bodies with their URLs; the least recently used answers give way.
  ///   - report: is called with one sentence when something is wrong with the file.
  init(
    path: @escaping @Sendable () throws -> String, maximumBytes: Int, report: @escaping @Sendable (String) -> Void
  ) {
    self.maximumBytes = maximumBytes
    let options = CacheFile.Options(
      name: "The content cache", applicationID: 0x414E_4343, migrations: Self.migrations, maximumBytes: maximumBytes,
      damagedSuffix: ".damaged")
    file = CacheFile(options, report: report) {
      do { return try path() } catch {
        report("The content cache has no place: \(error). Every query goes to the server.")
        return nil
      }
    }
  }

  func answer(for key: Key, now: Int) -> CachedAnswer? {
    let found: CachedAnswer?? = file.use { database throws(SQLiteError) in
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
    file.use { database throws(SQLiteError) in
      try database.store(answer, for: key, size: size, now: now, limit: limit)
    }
  }

  func remove(_ key: Key) {
    file.use { database throws(SQLiteError) in
      try database.run("DELETE FROM response WHERE url = ? AND identity = ?", key.url, key.identity)
    }
  }

  func removeAll() {
    file.use { database throws(SQLiteError) in try database.run("DELETE FROM response") }
  }

  func signature() -> Int? {
    file.use { database throws(SQLiteError) in try database.signature() }
  }
}
