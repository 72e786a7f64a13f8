/// A value of an expression.
///
/// Swift's equality tells `1` from `1.0`; that of the language (`isEqual`) does not.
package enum CELValue: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  /// Also small ones: `5u`.
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  /// Seconds and nanoseconds since 1970; from year 1 to 9999.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  /// Both have the same sign.
  case duration(seconds: Int64, nanoseconds: Int32)
  case list([CELValue])
  /// The keys are texts, booleans and integers; an integer that 63 bits hold is `.int`.
  case map([CELValue: CELValue])
  /// The name of a type: what `type(1)` and `int` are.
  case type(String)
}

extension CELValue {
  /// The name of the value's type in the language.
  package var typeName: String {
    switch self {
    case .null: "null_type"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .bytes: "bytes"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .list: "list"
    case .map: "map"
    case .type: "type"
    }
  }

  static let typeNames = [
    "bool", "bytes", "double", "duration", "int", "list", "map", "null_type", "string", "timestamp", "type", "uint",
  ]

  /// The value as a key of a map, in which integers of all kinds are equal; `nil` when it cannot be one.
  var key: CELValue? {
    switch self {
    case .string, .bool, .int: self
    case .uint(let value): Int64(exactly: value).map { .int($0) } ?? self
    case .double(let value):
      Int64(exactly: value).map { .int($0) } ?? UInt64(exactly: value).map { .uint($0) }
    default: nil
    }
  }
}
