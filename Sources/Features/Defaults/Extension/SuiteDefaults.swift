import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
public import PropertyList

/// The key and value pairs of an app group, shared with the containing app and its other extensions
/// (`UserDefaults` with a suite name).
///
/// The typed getters convert as `UserDefaults` does: a missing or unfitting value is 0, `false` or `nil`.
public struct SuiteDefaults: Sendable {
  public let suiteName: String
  private let context: ExtensionContext

  init(suiteName: String, context: ExtensionContext) {
    self.suiteName = suiteName
    self.context = context
  }

  /// The value of a key, or `nil`.
  public func value(forKey key: String) async throws(ExtensionError) -> PropertyListValue? {
    try await context.call(Defaults.Get(suite: suiteName, key: key)).value
  }

  /// Every key with its value.
  public func dictionaryRepresentation() async throws(ExtensionError) -> [String: PropertyListValue] {
    try await context.call(Defaults.All(suite: suiteName)).values
  }

  /// A number, a numeric text, or a bool as 1 or 0; else 0.
  public func integer(forKey key: String) async throws(ExtensionError) -> Int {
    switch try await value(forKey: key) {
    case .integer(let value): Int(value)
    case .real(let value): Int(exactly: value.rounded(.towardZero)) ?? 0
    case .bool(let value): value ? 1 : 0
    case .string(let text): Int(text) ?? 0
    default: 0
    }
  }

  /// A number or a numeric text; else 0.
  public func double(forKey key: String) async throws(ExtensionError) -> Double {
    switch try await value(forKey: key) {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .string(let text): Double(text) ?? 0
    default: 0
    }
  }

  /// A bool, a number that is not 0, or the texts `YES` and `1`; else `false`.
  public func bool(forKey key: String) async throws(ExtensionError) -> Bool {
    switch try await value(forKey: key) {
    case .bool(let value): value
    case .integer(let value): value != 0
    case .real(let value): value != 0
    case .string(let text): text.uppercased() == "YES" || text == "1"
    default: false
    }
  }

  /// A text, or a number as text; else `nil`.
  public func string(forKey key: String) async throws(ExtensionError) -> String? {
    switch try await value(forKey: key) {
    case .string(let text): text
    case .integer(let value): String(value)
    case .real(let value): String(value)
    default: nil
    }
  }

  /// Sets a key. When this returns, the value is durable and every other reader sees it.
  public func set(_ value: PropertyListValue, forKey key: String) async throws(ExtensionError) {
    _ = try await context.call(Defaults.Set(suite: suiteName, key: key, value: value))
  }

  /// Sets a whole number.
  public func set(_ value: Int, forKey key: String) async throws(ExtensionError) {
    try await set(.integer(Int64(value)), forKey: key)
  }

  /// Sets several keys and removes others: all of it, or nothing.
  public func setMany(
    _ values: [String: PropertyListValue], removing keys: [String] = []
  ) async throws(ExtensionError) {
    _ = try await context.call(
      Defaults.SetMany(suite: suiteName, values: values, remove: keys.isEmpty ? nil : keys))
  }

  /// Removes a key; a key that is not set is not an error.
  public func removeObject(forKey key: String) async throws(ExtensionError) {
    _ = try await context.call(Defaults.Remove(suite: suiteName, key: key))
  }
}

extension ExtensionContext {
  /// The shared defaults of an app group, which the manifests of the extension and of its containing app must name.
  public func defaults(suiteName: String) -> SuiteDefaults { SuiteDefaults(suiteName: suiteName, context: self) }
}
