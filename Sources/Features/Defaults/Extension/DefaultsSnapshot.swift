public import PropertyList

/// A suite as of one moment, for reading without waiting. It does not change; take another for newer values.
public struct DefaultsSnapshot: Sendable {
  /// The suite's revision.
  public let revision: Int64
  /// Every key with its value, in the search order of the defaults it was taken from.
  public let values: [String: PropertyListValue]

  /// The value of a key, or `nil`.
  public func value(forKey key: String) -> PropertyListValue? { values[key] }
  /// A number, a numeric text, or a bool as 1 or 0; else 0.
  public func integer(forKey key: String) -> Int { DefaultsValue.integer(values[key]) }
  /// A number or a numeric text; else 0.
  public func double(forKey key: String) -> Double { DefaultsValue.double(values[key]) }
  /// A number or a numeric text; else 0.
  public func float(forKey key: String) -> Float { Float(double(forKey: key)) }
  /// A bool, a number that is not 0, or the texts `YES` and `1`; else `false`.
  public func bool(forKey key: String) -> Bool { DefaultsValue.bool(values[key]) }
  /// A text, or a number as text; else `nil`.
  public func string(forKey key: String) -> String? { DefaultsValue.string(values[key]) }
  /// An array, or `nil`.
  public func array(forKey key: String) -> [PropertyListValue]? { values[key]?.arrayValue }
  /// An array of texts only, or `nil`.
  public func stringArray(forKey key: String) -> [String]? { DefaultsValue.stringArray(values[key]) }
  /// A dictionary, or `nil`.
  public func dictionary(forKey key: String) -> [String: PropertyListValue]? { values[key]?.dictionaryValue }
  /// Bytes, or `nil`.
  public func data(forKey key: String) -> [UInt8]? { values[key]?.dataValue }
  /// The seconds since 1970 of a date, or `nil`.
  public func date(forKey key: String) -> Double? { values[key]?.dateValue }
  /// A URL as text: of a path, its `file:` URL; else `nil`.
  public func url(forKey key: String) -> String? { DefaultsValue.url(values[key]) }
}
