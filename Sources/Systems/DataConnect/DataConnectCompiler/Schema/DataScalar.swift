/// The scalar types that columns may have.
package enum DataScalar: String, Sendable, Hashable, CaseIterable {
  case uuid = "UUID"
  case string = "String"
  case int = "Int"
  case int64 = "Int64"
  case float = "Float"
  case boolean = "Boolean"
  case date = "Date"
  case timestamp = "Timestamp"
  case any = "Any"
  case vector = "Vector"

  /// The type that PostgreSQL has for it; of a vector without its size.
  package var sqlType: String {
    switch self {
    case .uuid: "uuid"
    case .string: "text"
    case .int: "integer"
    case .int64: "bigint"
    case .float: "double precision"
    case .boolean: "boolean"
    case .date: "date"
    case .timestamp: "timestamptz"
    case .any: "jsonb"
    case .vector: "vector"
    }
  }

  /// Whether values of it can be added and averaged.
  package var isNumber: Bool { self == .int || self == .int64 || self == .float }
  /// Whether the smallest and the greatest value can be asked for.
  package var hasExtremes: Bool { isNumber || self == .date || self == .timestamp || self == .any }

  /// The fields that `_Data` offers besides the value itself, each with its type, in order.
  var dataVariants: [(suffix: String, type: String)] {
    switch self {
    case .vector: [("embed", "Vector_Embed")]
    case .date: [("date", "Date_Relative"), ("expr", "Date_Expr"), ("update", "[Date_Update!]")]
    case .timestamp:
      [("expr", "Timestamp_Expr"), ("time", "Timestamp_Relative"), ("update", "[Timestamp_Update!]")]
    case .int, .int64, .float: [("expr", "\(rawValue)_Expr"), ("update", "[\(rawValue)_Update!]")]
    case .uuid, .string, .boolean, .any: [("expr", "\(rawValue)_Expr")]
    }
  }
}
