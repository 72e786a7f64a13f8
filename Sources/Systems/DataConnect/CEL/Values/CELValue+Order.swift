import Text

/// A number of any of the three kinds.
enum CELNumber {
  case whole(Int128)
  case double(Double)

  init?(_ value: CELValue) {
    switch value {
    case .int(let value): self = .whole(Int128(value))
    case .uint(let value): self = .whole(Int128(value))
    case .double(let value): self = .double(value)
    default: return nil
    }
  }

  var double: Double {
    switch self {
    case .whole(let value): Double(value)
    case .double(let value): value
    }
  }

  /// Below zero when the first is less; `nil` for what is no number. Exact beyond 53 bits too.
  static func order(_ left: CELNumber, _ right: CELNumber) -> Int? {
    switch (left, right) {
    case (.whole(let left), .whole(let right)): return left < right ? -1 : left == right ? 0 : 1
    case (.double(let left), .double(let right)):
      return left < right ? -1 : left == right ? 0 : left > right ? 1 : nil
    case (.whole(let left), .double(let right)):
      if right.isNaN { return nil }
      if right >= 0x1p65 { return -1 }
      if right <= -0x1p65 { return 1 }
      let whole = Int128(right.rounded(.towardZero))
      if left != whole { return left < whole ? -1 : 1 }
      let rest = right - right.rounded(.towardZero)
      return rest > 0 ? -1 : rest == 0 ? 0 : 1
    case (.double, .whole): return order(right, left).map { -$0 }
    }
  }
}

extension CELEvaluation {
  /// The language's equality: by value, whatever the kinds of the numbers; values of different types differ.
  mutating func isEqual(_ left: CELValue, _ right: CELValue, at offset: Int) throws(CELError) -> Bool {
    try charge(1, at: offset)
    switch (left, right) {
    case (.string(let left), .string(let right)):
      try charge(min(left.utf8.count, right.utf8.count), at: offset)
      return left.hasBytes(of: right)
    case (.bytes(let left), .bytes(let right)):
      try charge(min(left.count, right.count), at: offset)
      return left == right
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return false }
      for (one, other) in zip(left, right) where try !isEqual(one, other, at: offset) { return false }
      return true
    case (.map(let left), .map(let right)):
      guard left.count == right.count else { return false }
      for (key, value) in left {
        guard let other = right[key], try isEqual(value, other, at: offset) else { return false }
      }
      return true
    default:
      if let left = CELNumber(left), let right = CELNumber(right) { return CELNumber.order(left, right) == 0 }
      return left == right
    }
  }

  /// Below zero when the left one is less; `nil` when one of them is no number (`NaN`).
  mutating func order(_ left: CELValue, _ right: CELValue, at offset: Int) throws(CELError) -> Int? {
    func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
    switch (left, right) {
    case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
    case (.string(let left), .string(let right)):
      try charge(min(left.utf8.count, right.utf8.count), at: offset)
      if left.hasBytes(of: right) { return 0 }
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    case (.bytes(let left), .bytes(let right)):
      try charge(min(left.count, right.count), at: offset)
      return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    case (.timestamp(let left, let rest), .timestamp(let right, let otherRest)),
      (.duration(let left, let rest), .duration(let right, let otherRest)):
      return left == right ? order(rest, otherRest) : order(left, right)
    default:
      guard let one = CELNumber(left), let other = CELNumber(right) else {
        throw CELError("\(left.typeName) and \(right.typeName) have no order.", at: offset)
      }
      return CELNumber.order(one, other)
    }
  }
}
