import JSONRPC

/// Values that programs are known to fail at, in the place of each value of a message in turn.
enum ExtremeValues {
  private static let numbers: [JSONValue] = [
    .integer(.min), .integer(.max), .unsigned(.max), .integer(-1), .integer(0), .double(1e300), .double(-1e300),
    .double(-0.0), .double(.leastNonzeroMagnitude), .double(0.5), .integer(9_007_199_254_740_991),
  ]
  private static let strings: [JSONValue] = [
    "", "NaN", "-9223372036854775808", "../../../../etc/passwd", "\u{0}\u{1B}[2J\u{202E}", "https://[::1", "e\u{301}",
  ]
  /// As long as a text in a message may be, and longer than any text has to be.
  private static let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
  private static let others: [JSONValue] = [
    .null, true, [], [:], .array(Array(repeating: 0, count: 1000)),
    (0..<64).reduce(JSONValue.null) { inner, _ in [inner] },
  ]

  /// A value with one of its parts replaced, for each part and each replacement.
  static func variants(of value: JSONValue) -> [JSONValue] {
    switch value {
    case .object(let object):
      return object.flatMap { key, member in
        replacements(of: member).map { replacement in
          var changed = object
          changed[key] = replacement
          return JSONValue.object(changed)
        }
      }
    case .array(let elements):
      return elements.indices.flatMap { index in
        replacements(of: elements[index]).map { replacement in
          var changed = elements
          changed[index] = replacement
          return JSONValue.array(changed)
        }
      }
    default: return []
    }
  }

  private static func replacements(of value: JSONValue) -> [JSONValue] {
    let whole = numbers + strings + others
    if case .string = value { return whole + [long] }
    return whole + variants(of: value)
  }
}
