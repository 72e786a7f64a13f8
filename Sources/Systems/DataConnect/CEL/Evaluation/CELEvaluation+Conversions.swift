extension CELEvaluation {
  /// `nil` where there is no such value.
  static func converted(_ value: CELValue, to function: CELFunction) -> CELValue? {
    switch function {
    case .bool: bool(value)
    case .bytes: bytes(value)
    case .double: double(value)
    case .int: int(value)
    case .uint: uint(value)
    case .string: CELText.of(value).map { .string($0) }
    case .timestamp: timestamp(value)
    case .duration: duration(value)
    default: nil
    }
  }

  private static func bool(_ value: CELValue) -> CELValue? {
    switch value {
    case .bool: value
    case .string("true"), .string("TRUE"), .string("True"), .string("t"), .string("1"): .bool(true)
    case .string("false"), .string("FALSE"), .string("False"), .string("f"), .string("0"): .bool(false)
    default: nil
    }
  }

  private static func bytes(_ value: CELValue) -> CELValue? {
    switch value {
    case .bytes: value
    case .string(let text): .bytes(Array(text.utf8))
    default: nil
    }
  }

  private static func double(_ value: CELValue) -> CELValue? {
    if case .string(let text) = value { return Double(text).map { .double($0) } }
    return CELNumber(value).map { .double($0.double) }
  }

  /// Toward zero.
  private static func int(_ value: CELValue) -> CELValue? {
    switch value {
    case .int: value
    case .uint(let value): Int64(exactly: value).map { .int($0) }
    case .double(let value): Int64(exactly: value.rounded(.towardZero)).map { .int($0) }
    case .string(let text): Int64(text).map { .int($0) }
    case .timestamp(let seconds, _): .int(seconds)
    default: nil
    }
  }

  private static func uint(_ value: CELValue) -> CELValue? {
    switch value {
    case .uint: value
    case .int(let value): UInt64(exactly: value).map { .uint($0) }
    case .double(let value): UInt64(exactly: value.rounded(.towardZero)).map { .uint($0) }
    case .string(let text): UInt64(text).map { .uint($0) }
    default: nil
    }
  }

  private static func timestamp(_ value: CELValue) -> CELValue? {
    switch value {
    case .timestamp: value
    case .string(let text): .timestamp(text)
    case .int(let seconds): .timestamp(seconds, 0)
    default: nil
    }
  }

  private static func duration(_ value: CELValue) -> CELValue? {
    switch value {
    case .duration: value
    case .string(let text): .duration(text)
    case .int(let seconds): .duration(nanoseconds: Int128(seconds) * 1_000_000_000)
    default: nil
    }
  }
}
