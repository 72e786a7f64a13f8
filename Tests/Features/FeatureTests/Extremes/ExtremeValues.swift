import JSONRPC
import JSON

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
    // A message may be 64 deep: one that is deeper has no number that could be answered.
    (0..<56).reduce(JSONValue.null) { inner, _ in [inner] },
  ]

  /// The worst of them, for what takes long.
  private static let worst: [JSONValue] = [
    .integer(.min), .integer(.max), .double(1e300), "", "../../../../etc/passwd", .null, [],
  ]

  /// A value with one of its parts replaced, for each part and each replacement.
  ///
  /// - Parameter all: whether all replacements are meant, or only the worst.
  static func variants(of value: JSONValue, all: Bool = true) -> [JSONValue] {
    switch value {
    case .object(let object):
      return object.flatMap { key, member in
        replacements(of: member, all).map { replacement in
          var changed = object
          changed[key] = replacement
          return JSONValue.object(changed)
        }
      }
    case .array(let elements):
      return elements.indices.flatMap { index in
        replacements(of: elements[index], all).map { replacement in
          var changed = elements
          changed[index] = replacement
          return JSONValue.array(changed)
        }
      }
    default: return []
    }
  }

  private static func replacements(of value: JSONValue, _ all: Bool) -> [JSONValue] {
    let whole = all ? numbers + strings + others : worst
    if case .string = value { return all ? whole + [long] : whole }
    return whole + variants(of: value, all: all)
  }
}
