import ExtensionProtocol
import JSONRPC
public import PropertyList
import SQLite

/// The group store: suites of key and value pairs in one SQLite file.
///
/// A write is durable before it is acknowledged: a crash of the host loses none. Each write of a suite raises the
/// suite's revision by one, and every key remembers the revision at which it was written.
public actor SuiteStore {
  /// A key's value and the revision at which it was written.
  public struct Entry: Sendable, Equatable {
    public var value: PropertyListValue
    public var revision: Int64
  }

  /// A write that happened.
  public struct Change: Sendable, Equatable {
    public var suite: String
    /// The suite's revision after the write.
    public var revision: Int64
    public var keys: [String]
  }

  /// Bytes of one value, in its JSON form.
  public static let valueLimit = 256 << 10
  /// Bytes of all keys and values of a suite.
  public static let suiteLimit = 1 << 20
  /// Bytes of a key.
  public static let keyLimit = 1024

  private enum Location: Sendable {
    case file(path: @Sendable () throws -> String)
    case memory([String: [String: PropertyListValue]])
  }

  private let thread = SQLiteThread(name: "annex-store")
  nonisolated public var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let location: Location
  private var opened: SuiteTables?

  private init(_ location: Location) { self.location = location }

  /// The store in a file. The file is made at the first write or read.
  public static func file(_ path: @escaping @Sendable () throws -> String) -> SuiteStore {
    SuiteStore(.file(path: path))
  }

  /// A store that ends with the process, for tests.
  ///
  /// - Parameter suites: values by suite and key.
  public static func inMemory(_ suites: [String: [String: PropertyListValue]] = [:]) -> SuiteStore {
    SuiteStore(.memory(suites))
  }

  /// A key's value; `nil` when it is not set.
  public func get(_ key: String, in suite: String) throws -> Entry? {
    try tables { try $0.entry(key, in: suite) }
  }

  /// Every key with its value, and the suite's revision, as of one moment.
  public func all(in suite: String) throws -> (values: [String: PropertyListValue], revision: Int64) {
    try tables { try $0.all(in: suite) }
  }

  /// Sets and removes keys: all of it or nothing.
  ///
  /// - Throws: `limitExceeded` when a key, a value or the suite would grow too large.
  public func apply(
    setting values: [String: PropertyListValue], removing keys: [String] = [], in suite: String
  ) throws -> Change {
    try tables { try $0.apply(values, removing: keys, in: suite, when: { _ in true }).change }
  }

  /// Sets a key, or removes it, when its revision is the expected one; 0 is a key that is not set.
  ///
  /// - Returns: the change, or `nil` with the key's revision when it was another.
  public func compareAndSet(
    _ key: String, to value: PropertyListValue?, expecting revision: Int64, in suite: String
  ) throws -> (change: Change?, revision: Int64) {
    try tables { tables in
      let values = value.map { [key: $0] } ?? [:]
      var found: Int64 = 0
      let result = try tables.apply(values, removing: value == nil ? [key] : [], in: suite) { tables in
        found = try tables.entry(key, in: suite)?.revision ?? 0
        return found == revision
      }
      guard result.applied else { return (nil, found) }
      return (result.change, value == nil ? 0 : result.change.revision)
    }
  }

  private func tables<Value>(_ body: (borrowing SuiteTables) throws -> Value) throws -> Value {
    do {
      if opened == nil { opened = try open() }
      guard let result = try opened.map({ try body($0) }) else {
        throw ExtensionError(.internalError, "The group store is not open.")
      }
      return result
    } catch let error as SQLiteError {
      throw ExtensionError(.storeFailed, "The group store failed: \(error.message)", recovery: error.recovery)
    }
  }

  private func open() throws -> SuiteTables {
    switch location {
    case .file(let path): return try SuiteTables(path: path())
    case .memory(let suites):
      let tables = try SuiteTables(path: ":memory:")
      for (suite, values) in suites { _ = try tables.apply(values, removing: [], in: suite, when: { _ in true }) }
      return tables
    }
  }
}
