import JSON

/// Values as JSON Schema compares them: numbers by what they are, whatever their spelling.
extension JSONValue {
  /// Whether the value is of a kind.
  func isOf(_ kind: JSONSchema.Kind) -> Bool {
    switch (kind, self) {
    case (.null, .null), (.boolean, .bool), (.string, .string), (.array, .array), (.object, .object): true
    case (.number, .integer), (.number, .unsigned), (.number, .double): true
    case (.integer, .integer), (.integer, .unsigned): true
    case (.integer, .double(let number)): number == number.rounded()
    default: false
    }
  }

  /// The number without fraction, where 64 bits or a few more hold it.
  private var whole: Int128? {
    switch self {
    case .integer(let number): Int128(number)
    case .unsigned(let number): Int128(number)
    case .double(let number): Int128(exactly: number)
    default: nil
    }
  }

  /// Whether a number is greater than another; `false` for what is no number.
  func isAbove(_ other: JSONValue) -> Bool {
    if let one = whole, let two = other.whole { return one > two }
    guard let one = doubleValue, let two = other.doubleValue else { return false }
    return one > two
  }

  /// Whether two values are equal, `1` and `1.0` included.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let one), .array(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
    case (.object(let one), .object(let two)):
      one.count == two.count && one.allSatisfy { key, value in two[key]?.isSame(as: value) ?? false }
    default:
      if let one = whole, let two = other.whole { one == two } else { self == other }
    }
  }

  /// The beginning of the value's text, for messages.
  var quoted: String {
    let text = description
    return text.utf8.count <= 80 ? text : "\(text.prefix(80))…"
  }
}
