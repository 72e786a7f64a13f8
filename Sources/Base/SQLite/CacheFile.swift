internal import Files
internal import Glibc

/// A cache in one database file, which is never a reason to fail: what is wrong with the file is reported once, in a
/// sentence, and the owner goes on without it.
///
/// The file is opened, or made, at the first use. A damaged file is set aside and replaced by a new one; only the newest
/// of those set aside is kept. Every call blocks: the owner is an actor on a `SQLiteThread`, and nobody else uses the
/// object.
package final class CacheFile {
  /// What a cache file is called and how it is opened.
  package struct Options {
    /// What a message begins with, for example "The content cache".
    package var name: String
    package var applicationID: Int32
    package var migrations: Migrations
    /// The most bytes of what is kept; the file may have twice as many, because a page is seldom full.
    package var maximumBytes: Int
    /// What a damaged file has after its name; `nil` for ".corrupt-" and the time.
    package var damagedSuffix: String?

    package init(
      name: String, applicationID: Int32, migrations: Migrations, maximumBytes: Int, damagedSuffix: String? = nil
    ) {
      (self.name, self.applicationID, self.migrations) = (name, applicationID, migrations)
      (self.maximumBytes, self.damagedSuffix) = (maximumBytes, damagedSuffix)
    }

    fileprivate var database: DatabaseOptions {
      DatabaseOptions(
        applicationID: applicationID, busyTimeout: .milliseconds(500),
        maximumPageCount: max(64, maximumBytes / 4096 * 2))
    }
  }

  private let options: Options
  private let path: () -> String?
  private let report: (String) -> Void
  private var database: Database?
  private var isOff = false

  /// - Parameters:
  ///   - report: is called with one sentence when something is wrong with the file.
  ///   - path: the file, ":memory:" for none; asked for at the first use. `nil` when there is no place for it, which the
  ///     closure has reported: the cache is then off.
  package init(_ options: Options, report: @escaping (String) -> Void, path: @escaping () -> String?) {
    (self.options, self.report, self.path) = (options, report, path)
  }

  /// Runs `body` on the open database; `nil` when there is none. A file found damaged is replaced, once, and `body` runs
  /// on the new one.
  @discardableResult
  package func use<Value>(_ body: (borrowing Database) throws(SQLiteError) -> Value) -> Value? {
    for isLastTry in [false, true] {
      if isOff { return nil }
      do throws(SQLiteError) {
        if database == nil { try open() }
        return try database?.perform(body)
      } catch {
        if error.kind.isDamage, !isLastTry, replace(error.path) { continue }
        doWithout(error)
        return nil
      }
    }
    return nil
  }

  private func open() throws(SQLiteError) {
    guard let path = path() else {
      isOff = true
      return
    }
    database = try Database(path: path, options: options.database, migrations: options.migrations)
  }

  /// Sets a damaged file aside; false when that fails.
  private func replace(_ path: String) -> Bool {
    database = nil
    guard path != ":memory:", let target = DamagedDatabase.setAsideAlone(path, suffix: options.damagedSuffix) else {
      return false
    }
    report("\(options.name) at \(path) was damaged. It is now \(target), and a new one is in use.")
    return true
  }

  /// A lock or a full disk passes; after anything else the cache stays off.
  private func doWithout(_ error: SQLiteError) {
    switch error.kind {
    case .busy, .full, .interrupted, .tooBig: return
    default:
      database = nil
      isOff = true
      report("\(options.name) is not used: \(error.message) \(error.recovery)")
    }
  }
}

extension Database {
  /// Lends itself, also when it is optional.
  fileprivate func perform<Value>(
    _ body: (borrowing Database) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value {
    try body(self)
  }
}

extension DamagedDatabase {
  /// Moves a database that is worth nothing to anybody but for looking into what happened, and removes its log and the
  /// older ones that were set aside beside it.
  ///
  /// - Parameter suffix: what the new name has after the old one; `nil` for ".corrupt-" and the time.
  /// - Returns: the new path; `nil` when the file could not be moved.
  fileprivate static func setAsideAlone(_ path: String, suffix: String?) -> String? {
    guard let suffix else {
      guard let target = setAside(path) else { return nil }
      for older in all(beside: path) where older != target {
        for suffix in ["", "-wal", "-shm"] { File.remove(older + suffix) }
      }
      return target
    }
    guard unsafe rename(path, path + suffix) == 0 else { return nil }
    for log in ["-wal", "-shm"] { File.remove(path + log) }
    return path + suffix
  }
}
