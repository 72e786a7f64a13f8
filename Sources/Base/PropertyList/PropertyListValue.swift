/// A value of a property list: what a manifest holds and what shared defaults store.
public indirect enum PropertyListValue: Sendable, Hashable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  /// Seconds since 1970-01-01 00:00:00 UTC.
  case date(Double)
  case data([UInt8])
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])
}

// MARK: - Typed access

extension PropertyListValue {
  /// The text of a string; `nil` for every other type.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The number of an integer; a bool and a real are not integers.
  public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The number of a real; an integer is not a real. See ``numberValue``.
  public var realValue: Double? { if case .real(let value) = self { value } else { nil } }

  /// The number of an integer or a real.
  public var numberValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The value of a Boolean; the integers 0 and 1 are none.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The seconds since 1970 of a date.
  public var dateValue: Double? { if case .date(let value) = self { value } else { nil } }

  /// The bytes of a data value.
  public var dataValue: [UInt8]? { if case .data(let value) = self { value } else { nil } }

  /// The elements of an array.
  public var arrayValue: [PropertyListValue]? { if case .array(let value) = self { value } else { nil } }

  /// The entries of a dictionary.
  public var dictionaryValue: [String: PropertyListValue]? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The value under a key; `nil` when this is no dictionary or has no such key.
  public subscript(_ key: String) -> PropertyListValue? { dictionaryValue?[key] }

  /// The element at an index; `nil` when this is no array or has no such element.
  public subscript(_ index: Int) -> PropertyListValue? {
    guard let elements = arrayValue, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The name of the type, as error messages use it.
  public var typeName: String {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .bool: "bool"
    case .date: "date"
    case .data: "data"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }
}

// MARK: - Literals

extension PropertyListValue: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension PropertyListValue: ExpressibleByIntegerLiteral {
  /// An integer: `1` is not `1.0`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension PropertyListValue: ExpressibleByFloatLiteral {
  /// A real.
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension PropertyListValue: ExpressibleByBooleanLiteral {
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension PropertyListValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
}

extension PropertyListValue: ExpressibleByDictionaryLiteral {
  /// When a key comes twice, the last value wins.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
