package import JSONRPC

/// A value of an expression.
package enum CELValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case uint(UInt64)
  case double(Double)
  case string(String)
  case bytes([UInt8])
  /// Seconds and nanoseconds since 1970.
  case timestamp(seconds: Int64, nanoseconds: Int32)
  case duration(seconds: Int64, nanoseconds: Int32)
  case list([CELValue])
  case map([CELValue: CELValue])
}
