import ExtensionProtocol
import Files
public import GroupStore
import JSON
public import PropertyList
import SQLite
import Synchronization

/// The group store: suites of key and value pairs.
///
/// A write is durable before it is acknowledged: a crash of the host loses none. Each write of a suite raises the
/// suite's revision by one, and every key remembers the revision at which it was written. Any number of hosts may use one
/// file at once.
public final class SuiteStore: Sendable {
  /// A key's value and the revision at which it was written.
  public struct Entry: Sendable, Equatable {
    /// The value as it was written.
    public var value: PropertyListValue
    /// The suite's revision at which the key was written.
    public var revision: Int64

    /// Creates an entry; tests compare with it.
    public init(value: PropertyListValue, revision: Int64) {
      self.value = value
      self.revision = revision
    }
  }

  /// Which failures an acknowledged write survives.
  public enum Durability: Sendable {
    /// The end of the host at any moment. A loss of power may take the last writes, and damages nothing.
    case normal
    /// A loss of power as well: every write waits for the disk.
    case strict
  }

  /// The most bytes of one stored value.
  public static let valueLimit = BackendLimits().maxValueBytes
  /// Bytes of all keys and values of a suite.
  public static let suiteLimit = BackendLimits().maxSuiteBytes
  /// Bytes of a key.
  public static let keyLimit = BackendLimits().maxKeyBytes

  private let open: @Sendable () throws -> any GroupBackend
  private let opened = Mutex<(any GroupBackend)?>(nil)

  private init(open: @escaping @Sendable () throws -> any GroupBackend) { self.open = open }

  /// A store on a backend.
  package convenience init(_ backend: any GroupBackend) { self.init { backend } }

  /// A store that another library keeps, for example in a database that hosts on several machines share.
  public convenience init(_ provider: GroupStoreProvider) { self.init(provider.backend) }

  /// Whether the store is a file, whose changes can be seen without asking it.
  package var isFile: Bool { (try? backend())?.path != nil }

  /// The store in a file. The file is made at the first write or read.
  public static func file(
    durability: Durability = .normal, _ path: @escaping @Sendable () throws -> String
  ) -> SuiteStore {
    SuiteStore {
      var options = SQLiteGroupBackend.Options(path: try path())
      options.durability = durability == .strict ? .strict : .normal
      return SQLiteGroupBackend(options)
    }
  }

  /// A store that ends with the process, for tests.
  ///
  /// - Parameter suites: values by suite and key; they must be finite.
  public static func inMemory(_ suites: [String: [String: PropertyListValue]] = [:]) -> SuiteStore {
    SuiteStore {
      var stored: [SuiteID: [String: [UInt8]]] = [:]
      for (suite, values) in suites { stored[SuiteID(suite)] = try values.mapValues(SuiteValueCoding.encode) }
      return InMemoryGroupBackend(stored)
    }
  }

  private func backend() throws -> any GroupBackend {
    try opened.withLock { opened in
      if let opened { return opened }
      let backend = try open()
      opened = backend
      return backend
    }
  }

  /// The damaged files that were set aside beside this store, oldest first.
  package var setAside: [String] { (try? backend())?.setAside ?? [] }

  /// What keeps a store in a file from being used.
  package enum Fault: Sendable, Equatable {
    /// It is damaged; one sentence.
    case damaged(String)
    /// A newer version of this program made it, and it is sound as far as is known; a sentence, and what to do.
    case newer(String, recovery: String)
    /// It cannot be read at present; a sentence, and what to do.
    case unreadable(String, recovery: String)
  }

  /// Returns the fault of the store in a file; `nil` when it is sound or does not exist. Reads every page and changes
  /// nothing.
  package static func fault(ofFile path: String) -> Fault? {
    guard FileStatus(path) != nil else { return nil }
    do throws(SQLiteError) {
      return try StoreCheck.damage(at: path).map { .damaged("Its pages do not agree: \($0)") }
    } catch {
      switch error.kind {
      case .busy: return nil
      case .newerVersion: return .newer(error.message, recovery: error.recovery)
      case .corrupt, .notADatabase: return .damaged(error.message)
      default: return .unreadable(error.message, recovery: error.recovery)
      }
    }
  }

  // MARK: Reading

  /// A key's value; `nil` when it is not set.
  ///
  /// - Throws: `storeFailed` when the store cannot be read.
  public func get(_ key: String, in suite: String) async throws -> Entry? {
    let found = try await wrapping { try await $0.get(SuiteID(suite), key) }
    return try found.map { Entry(value: try SuiteValueCoding.decode($0.bytes), revision: $0.revision) }
  }

  /// Every key with its value, and the suite's revision, as of one moment.
  ///
  /// - Throws: `storeFailed` when the store cannot be read.
  public func all(in suite: String) async throws -> (values: [String: PropertyListValue], revision: Int64) {
    let state = try await entries(in: suite)
    return (state.entries.mapValues(\.value), state.revision)
  }

  /// Every key with its value and revision, and the suite's revision, as of one moment.
  ///
  /// - Throws: `storeFailed` when the store cannot be read.
  public func entries(in suite: String) async throws -> (entries: [String: Entry], revision: Int64) {
    let state = try await wrapping { try await $0.snapshot(SuiteID(suite)) }
    let entries = try state.entries.mapValues {
      Entry(value: try SuiteValueCoding.decode($0.bytes), revision: $0.revision)
    }
    return (entries, state.revision)
  }

  // MARK: Writing

  /// Sets and removes keys, all or none.
  ///
  /// - Parameters:
  ///   - values: the values to set, by key.
  ///   - keys: the keys to remove.
  ///   - suite: the app group.
  ///   - quietly: whether the writer displays these values itself, as a Today widget does, so that no widget is updated
  ///     for this write.
  /// - Returns: the suite's revision after the write.
  /// - Throws: `limitExceeded` when a key, a value or the suite would grow too large.
  @discardableResult
  public func apply(
    setting values: [String: PropertyListValue], removing keys: [String] = [], in suite: String, quietly: Bool = false
  ) async throws -> Int64 {
    let changes = try Self.mutations(values, keys)
    return try await wrapping { try await $0.apply(SuiteID(suite), changes, quietly: quietly) }
  }

  /// Removes every key, as one write.
  ///
  /// - Parameters:
  ///   - suite: the app group.
  ///   - quietly: whether no widget is to be updated for this write.
  /// - Returns: the suite's revision after the write.
  /// - Throws: `storeFailed` when the store cannot be written.
  @discardableResult
  public func removeAll(in suite: String, quietly: Bool = false) async throws -> Int64 {
    try await wrapping { try await $0.apply(SuiteID(suite), [.removeAll], quietly: quietly) }
  }

  /// The suite's revision after the last write that was not quiet, by whatever host.
  ///
  /// - Throws: `storeFailed` when the store cannot be read.
  package func loudRevision(of suite: String) async throws -> Int64 {
    try await wrapping { try await $0.loudRevision(SuiteID(suite)) }
  }

  /// Replaces the whole suite, as one write.
  @discardableResult
  package func replace(_ suite: String, with values: [String: PropertyListValue]) async throws -> Int64 {
    let changes = [.removeAll] + (try Self.mutations(values, []))
    return try await wrapping { try await $0.apply(SuiteID(suite), changes) }
  }

  /// Sets or removes a key if its revision is the expected one; 0 means that the key is not set.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - value: its new value; `nil` removes it.
  ///   - revision: the revision at which the key was read.
  ///   - suite: the app group.
  ///   - quietly: whether no widget is to be updated for this write.
  /// - Returns: whether it was written, and the key's revision after the call; 0 when it is not set.
  /// - Throws: `limitExceeded`, `storeFailed`; another revision is no error.
  public func compareAndSet(
    _ key: String, to value: PropertyListValue?, expecting revision: Int64, in suite: String, quietly: Bool = false
  ) async throws -> (swapped: Bool, revision: Int64) {
    let changes = try Self.mutations(value.map { [key: $0] } ?? [:], value == nil ? [key] : [])
    do {
      let written = try await backend().apply(
        SuiteID(suite), changes, require: [.revision(key, revision)], quietly: quietly)
      return (true, value == nil ? 0 : written)
    } catch GroupStoreError.conflict(_, let found) {
      return (false, found)
    } catch {
      throw Self.translate(error)
    }
  }

  private static func mutations(
    _ values: [String: PropertyListValue], _ keys: [String]
  ) throws(ExtensionError) -> [Mutation] {
    var changes = keys.map { Mutation.remove($0) }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      changes.append(.set(key, try SuiteValueCoding.encode(value)))
    }
    return changes
  }

  // MARK: Errors

  func wrapping<Value: Sendable>(
    _ body: (any GroupBackend) async throws -> Value
  ) async throws -> Value {
    do { return try await body(backend()) } catch { throw Self.translate(error) }
  }

  /// A backend for ``changes(in:after:)``.
  func watched() throws -> any GroupBackend { try backend() }

  /// An error of a backend, in the terms of the wire.
  static func translate(_ error: any Error) -> any Error {
    guard let error = error as? GroupStoreError else { return error }
    switch error {
    case .quota(_, let limit):
      return ExtensionError(
        .limitExceeded, error.description, recovery: error.recovery, details: ["limit": .integer(Int64(limit))])
    case .corrupt(_, let setAside):
      return ExtensionError(
        .storeFailed, error.description, recovery: error.recovery,
        details: setAside.map { ["setAside": .string($0)] } ?? [:])
    case .unavailable(_, _, let isRetryable):
      return ExtensionError(
        .storeFailed, error.description, recovery: error.recovery, details: ["retryable": .bool(isRetryable)])
    case .conflict, .fenced:
      return ExtensionError(.storeFailed, error.description, recovery: error.recovery)
    }
  }
}

/// Leases lie where the values lie, so that all hosts that share the values agree on them.
extension SuiteStore {
  /// Takes a lease; `nil` while somebody else has it.
  ///
  /// - Throws: `storeFailed`.
  package func acquire(_ name: String, owner: OwnerID, for duration: Duration) async throws -> Lease? {
    try await wrapping { try await $0.acquire(name, owner: owner, for: duration) }
  }

  /// Returns who has a lease, and in which store.
  ///
  /// - Throws: `storeFailed`.
  package func holder(of name: String) async throws -> LeaseHolder {
    try await wrapping { try await $0.holder(of: name) }
  }

  /// Lets a lease last from now; `false` when it is no longer held.
  ///
  /// - Throws: `storeFailed`.
  package func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    try await wrapping { try await $0.renew(lease, for: duration) }
  }

  /// Gives a lease back; one that is no longer held is not an error.
  ///
  /// - Throws: `storeFailed`.
  package func release(_ lease: Lease) async throws {
    try await wrapping { try await $0.release(lease) }
  }
}
