/// Any JSON value (RFC 8259), with exact 64-bit integers and the order of an object's members.
///
/// A number without fraction and exponent is an integer when 64 bits hold it; every other number is a double. Equality
/// is by value and kind: `1` and `1.0` differ. Objects are equal whatever the order of their members, strings and names
/// when their code points are.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// Every integer from `Int64.min` to `Int64.max`.
  case integer(Int64)
  /// Only integers above `Int64.max`.
  case unsigned(UInt64)
  /// A number with a fraction or an exponent; always finite.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// The value of a boolean; `nil` for every other kind, numbers too.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The text of a string; `nil` for every other kind.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The integer, also of a double without fraction such as `1.0`.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Any number, rounded where a double cannot hold it.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The elements of an array; `nil` for every other kind.
  public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members of an object; `nil` for every other kind.
  public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// A member of an object; `nil` when there is none or this is no object.
  public subscript(key: String) -> JSONValue? { objectValue?[key] }

  /// An element of an array; `nil` when there is none or this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  /// What kind of value this is, in JSON's words: for messages.
  public var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// There is no `nil` literal: in `condition ? value : nil` it would silently mean null instead of absence.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer: `1` is not `1.0`.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a double, which must be finite: JSON has no NaN and no infinities.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object with its members in this order; a name that comes twice keeps the last value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }

  /// An integer of any width, exactly.
  public init(_ value: some FixedWidthInteger & Sendable) {
    if let signed = Int64(exactly: value) {
      self = .integer(signed)
    } else if let unsigned = UInt64(exactly: value) {
      self = .unsigned(unsigned)
    } else {
      self = .double(Double(value))
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { JSONCoding.text(of: self) }
}
