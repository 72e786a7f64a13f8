public import ExtensionProtocol
import JSON
public import PropertyList

/// Values by type, with the conversions of `UserDefaults`.
extension SuiteDefaults {
  /// A number, a numeric text, or a bool as 1 or 0; else 0.
  public func integer(forKey key: String) async throws(ExtensionError) -> Int {
    DefaultsValue.integer(try await value(forKey: key))
  }

  /// A number or a numeric text; else 0.
  public func double(forKey key: String) async throws(ExtensionError) -> Double {
    DefaultsValue.double(try await value(forKey: key))
  }

  /// A number or a numeric text; else 0.
  public func float(forKey key: String) async throws(ExtensionError) -> Float { Float(try await double(forKey: key)) }

  /// A bool, a number that is not 0, or the texts `YES` and `1`; else `false`.
  public func bool(forKey key: String) async throws(ExtensionError) -> Bool {
    DefaultsValue.bool(try await value(forKey: key))
  }

  /// A text, or a number as text; else `nil`.
  public func string(forKey key: String) async throws(ExtensionError) -> String? {
    DefaultsValue.string(try await value(forKey: key))
  }

  /// An array, or `nil`.
  public func array(forKey key: String) async throws(ExtensionError) -> [PropertyListValue]? {
    try await value(forKey: key)?.arrayValue
  }

  /// An array of texts only, or `nil`.
  public func stringArray(forKey key: String) async throws(ExtensionError) -> [String]? {
    DefaultsValue.stringArray(try await value(forKey: key))
  }

  /// A dictionary, or `nil`.
  public func dictionary(forKey key: String) async throws(ExtensionError) -> [String: PropertyListValue]? {
    try await value(forKey: key)?.dictionaryValue
  }

  /// Bytes, or `nil`.
  public func data(forKey key: String) async throws(ExtensionError) -> [UInt8]? {
    try await value(forKey: key)?.dataValue
  }

  /// The seconds since 1970 of a date, or `nil`.
  public func date(forKey key: String) async throws(ExtensionError) -> Double? {
    try await value(forKey: key)?.dateValue
  }

  /// A URL as text: of a path, its `file:` URL; else `nil`.
  public func url(forKey key: String) async throws(ExtensionError) -> String? {
    DefaultsValue.url(try await value(forKey: key))
  }

  /// Sets a whole number.
  public func set(_ value: Int, forKey key: String) async throws(ExtensionError) {
    try await set(.integer(Int64(value)), forKey: key)
  }

  /// Sets a number, which stays apart from a whole number: 1.0 is not 1.
  public func set(_ value: Double, forKey key: String) async throws(ExtensionError) {
    try await set(.real(value), forKey: key)
  }

  /// Sets a truth.
  public func set(_ value: Bool, forKey key: String) async throws(ExtensionError) {
    try await set(.bool(value), forKey: key)
  }

  /// Sets a text.
  public func set(_ value: String, forKey key: String) async throws(ExtensionError) {
    try await set(.string(value), forKey: key)
  }

  // MARK: Codable

  /// Sets a key to a value of the program's own, as the property list that its encoding makes.
  ///
  /// - Throws: `invalidParams` for a value that a property list cannot hold, such as an absent element of an array.
  public func set(encoding value: some Encodable, forKey key: String) async throws(ExtensionError) {
    let list: PropertyListValue
    do {
      list = try JSONCoding.decode(PropertyListValue.self, from: JSONCoding.encode(value))
    } catch {
      throw ExtensionError(.invalidParams, "The value for \"\(key)\" is not a property list: \(error)")
    }
    try await set(list, forKey: key)
  }

  /// The value of the program's own that a key was set to with ``set(encoding:forKey:)``; `nil` when it is not set.
  ///
  /// - Throws: `invalidParams` when what is stored does not fit the type.
  public func value<Value: Decodable>(
    _ type: Value.Type, forKey key: String
  ) async throws(ExtensionError) -> Value? {
    guard let list = try await value(forKey: key) else { return nil }
    do {
      return try JSONCoding.decode(type, from: JSONCoding.encode(list))
    } catch {
      throw ExtensionError(.invalidParams, "The value for \"\(key)\" is not a \(type): \(error)")
    }
  }
}
