import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON
public import PropertyList

/// The key and value pairs of an app group, shared with the containing app and its other extensions
/// (`UserDefaults` with a suite name).
///
/// The first use fetches the suite. From then on the host sends every change, and reading costs no message. A process
/// reads its own writes at once, and never reads an older state than before. The typed getters convert as
/// `UserDefaults` does: a missing or unsuitable value is 0, `false` or `nil`.
public struct SuiteDefaults: Sendable {
  /// The app group's identifier.
  public let suiteName: String
  let context: ExtensionContext
  let suite: FollowedSuite
  /// The suites that a lookup searches next.
  private var added: [FollowedSuite] = []

  init(suiteName: String, context: ExtensionContext) {
    self.suiteName = suiteName
    self.context = context
    suite = context.session.features.feature(FollowedSuites.self).suite(suiteName)
  }

  // MARK: Search order

  /// Looks for keys that this suite does not have in another one, after those that were added before.
  public mutating func addSuite(named name: String) {
    added.append(context.session.features.feature(FollowedSuites.self).suite(name))
  }

  /// Looks there no more.
  public mutating func removeSuite(named name: String) { added.removeAll { $0.name == name } }

  /// Values for keys that no suite has: for this process, and not stored.
  public func register(defaults values: [String: PropertyListValue]) {
    context.session.features.feature(FollowedSuites.self).register(values)
  }

  // MARK: Reading

  /// The value of a key, or `nil`.
  ///
  /// - Throws: `groupNotEntitled` for a suite that is not an app group of the extension; `storeFailed` when the store
  ///   cannot be read.
  public func value(forKey key: String) async throws(ExtensionError) -> PropertyListValue? {
    if let value = try await value(key, in: suite) { return value }
    for suite in added { if let value = try await value(key, in: suite) { return value } }
    return context.session.features.feature(FollowedSuites.self).registeredValue(key)
  }

  private func value(_ key: String, in suite: FollowedSuite) async throws(ExtensionError) -> PropertyListValue? {
    while true {
      if let known = suite.quick(key) { return known }
      try await suite.catchUp(context.session)
    }
  }

  /// Every key with its value.
  ///
  /// - Throws: as ``value(forKey:)``.
  public func dictionaryRepresentation() async throws(ExtensionError) -> [String: PropertyListValue] {
    try await snapshot().values
  }

  /// The suite as of now, for reading without waiting.
  ///
  /// - Throws: as ``value(forKey:)``.
  public func snapshot() async throws(ExtensionError) -> DefaultsSnapshot {
    for suite in [suite] + added { try await suite.catchUp(context.session) }
    return current ?? DefaultsSnapshot(revision: 0, values: [:])
  }

  /// The suite as far as this process knows it, without asking the host; `nil` before the first use.
  public var current: DefaultsSnapshot? {
    guard let revision = suite.revision, var values = suite.values else { return nil }
    for suite in added { values.merge(suite.values ?? [:]) { first, _ in first } }
    values.merge(context.session.features.feature(FollowedSuites.self).registeredValues) { first, _ in first }
    return DefaultsSnapshot(revision: revision, values: values)
  }

  /// Asks the host for what is newest: afterwards everything is read that was written, by anyone, before this call.
  ///
  /// - Throws: as ``value(forKey:)``.
  public func refresh() async throws(ExtensionError) {
    for suite in [suite] + added { try await suite.refresh(context.session) }
  }

  // MARK: Writing

  /// Sets a key. When this returns, the value is durable and every other reader sees it.
  ///
  /// - Throws: `groupNotEntitled`; `permissionDenied` for a keyboard without open access; `limitExceeded` for a key
  ///   over 1 KiB, a value over 256 KiB or a suite over 1 MiB; `storeFailed`. Nothing is written then.
  public func set(_ value: PropertyListValue, forKey key: String) async throws(ExtensionError) {
    let revision = try await context.call(Defaults.Set(suite: suiteName, key: key, value: value)).revision
    await suite.wrote(
      at: revision, [Defaults.Change(key: key, value: value, revision: revision)], context.session)
  }

  /// Sets several keys and removes others: all of it, or nothing.
  ///
  /// - Throws: as `set(_:forKey:)`; `invalidParams` for a key that is to be set and removed.
  public func setMany(
    _ values: [String: PropertyListValue], removing keys: [String] = []
  ) async throws(ExtensionError) {
    let revision = try await context.call(
      Defaults.SetMany(suite: suiteName, values: values, remove: keys.isEmpty ? nil : keys)
    ).revision
    let set = values.map { Defaults.Change(key: $0.key, value: $0.value, revision: revision) }
    let removed = keys.map { Defaults.Change(key: $0, value: nil, revision: revision) }
    await suite.wrote(at: revision, set + removed, context.session)
  }

  /// Removes a key; a key that is not set is not an error.
  ///
  /// - Throws: as `set(_:forKey:)`.
  public func removeObject(forKey key: String) async throws(ExtensionError) {
    let revision = try await context.call(Defaults.Remove(suite: suiteName, key: key)).revision
    await suite.wrote(at: revision, [Defaults.Change(key: key, value: nil, revision: revision)], context.session)
  }

  /// Removes every key, as one write.
  ///
  /// - Throws: as `set(_:forKey:)`.
  public func removeAll() async throws(ExtensionError) {
    let revision = try await context.call(Defaults.RemoveAll(suite: suiteName)).revision
    await suite.wrote(at: revision, nil, context.session)
  }
}

extension ExtensionContext {
  /// The shared defaults of an app group, which the manifests of the extension and of its containing app must name.
  public func defaults(suiteName: String) -> SuiteDefaults { SuiteDefaults(suiteName: suiteName, context: self) }
}
