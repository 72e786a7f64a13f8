import JSON

/// One comparison: `{value: "Surfing", _operator: CONTAINS, _ignoreCase: true}`.
struct FilterExpression: Sendable {
  /// The operators of all types.
  enum Operator: String, Sendable {
    case equals = "EQUALS"
    case equalsNot = "EQUALS_NOT"
    case contains = "CONTAINS"
    case containsNot = "CONTAINS_NOT"
    case startsWith = "STARTS_WITH"
    case greater = "GREATER"
    case greaterEqual = "GREATER_EQUAL"
    case lower = "LOWER"
    case lowerEqual = "LOWER_EQUAL"

    /// Numbers and moments have words of their own for the same.
    init(word: String?) {
      switch word {
      case "UNEQUAL", "NOT_AT": self = .equalsNot
      case "BEFORE": self = .lower
      case "AT_OR_BEFORE": self = .lowerEqual
      case "AFTER": self = .greater
      case "AT_OR_AFTER": self = .greaterEqual
      default: self = word.flatMap(Operator.init(rawValue:)) ?? .equals
      }
    }

    var isNegative: Bool { self == .equalsNot || self == .containsNot }
  }

  let comparison: Operator
  let value: Comparand
  /// Of an array's filter, when several were given.
  let values: [Comparand]?
  let ignoresCase: Bool
  /// How far numbers may be apart that count as equal.
  let tolerance: Double
  /// Of an array's filter; `nil` when the query does not say.
  let mode: ArrayMode?

  init(_ json: JSONObject, _ form: Comparand.Form) {
    comparison = Operator(word: json["_operator"]?.stringValue)
    let ignoresCase = json["_ignoreCase"]?.boolValue == true
    self.ignoresCase = ignoresCase
    tolerance = abs(json["_sensitiveness"]?.doubleValue ?? 0)
    value = Self.folded(Comparand(json["value"], form), ignoresCase)
    values = json["values"]?.arrayValue?.map { Self.folded(Comparand($0, form), ignoresCase) }
    mode = ArrayMode(json)
  }

  private static func folded(_ value: Comparand, _ folds: Bool) -> Comparand {
    if folds, case .text(let text) = value { .text(text.lowercased()) } else { value }
  }

  /// Whether a value passes.
  func matches(_ field: Comparand) -> Bool { matches(field, value) }

  private func matches(_ given: Comparand, _ wanted: Comparand) -> Bool {
    switch comparison {
    case .equals: return isEqual(given, wanted)
    case .equalsNot: return !isEqual(given, wanted)
    case .contains: return hasText(given, wanted) { $0.holds($1) }
    case .containsNot: return !hasText(given, wanted) { $0.holds($1) }
    case .startsWith: return hasText(given, wanted) { $0.utf8.starts(with: $1.utf8) }
    case .greater: return (given.order(wanted) ?? 0) > 0
    case .greaterEqual: return given.order(wanted).map { $0 >= 0 } ?? false
    case .lower: return (given.order(wanted) ?? 0) < 0
    case .lowerEqual: return given.order(wanted).map { $0 <= 0 } ?? false
    }
  }

  private func isEqual(_ given: Comparand, _ wanted: Comparand) -> Bool {
    // Byte by byte, as the other comparisons of texts: two spellings of one accent are two texts.
    if case .text = given { return hasText(given, wanted) { $0.utf8.elementsEqual($1.utf8) } }
    if tolerance > 0, let one = given.double, let other = wanted.double { return abs(one - other) <= tolerance }
    if given.double != nil { return given.order(wanted) == 0 }
    return given == wanted
  }

  private func hasText(_ given: Comparand, _ wanted: Comparand, _ test: (String, String) -> Bool) -> Bool {
    guard case .text(let text) = given, case .text(let part) = wanted else { return false }
    return test(ignoresCase ? text.lowercased() : text, part)
  }

  // MARK: Arrays

  /// Whether an array passes. Without a mode, `values` are the whole array, and `value` has to be in it.
  func matches(array: [Comparand]) -> Bool {
    if mode == nil {
      if let values {
        let isSame = values.count == array.count && zip(array, values).allSatisfy { isEqual($0, $1) }
        switch comparison {
        case .equals: return isSame
        case .equalsNot: return !isSame
        default: break
        }
      } else if value == .null {
        return comparison.isNegative != array.isEmpty
      }
    }
    let mode = mode ?? .atLeastOnce
    return mode.matches(count: array.count) { element(array[$0]) }
  }

  private func element(_ given: Comparand) -> Bool {
    guard let values else { return matches(given, value) }
    return comparison.isNegative
      ? values.allSatisfy { matches(given, $0) } : values.contains { matches(given, $0) }
  }
}

/// How many elements of an array have to pass.
enum ArrayMode: Sendable, Equatable {
  case all
  case allOrEmpty
  case atLeastOnce
  case instances(Int)

  /// - Returns: `nil` when the filter does not say.
  init?(_ json: JSONObject) {
    switch json["_apply"]?.stringValue {
    case "ALL": self = .all
    case "ALL_OR_EMPTY": self = .allOrEmpty
    case "AT_LEAST_ONCE": self = .atLeastOnce
    case "INSTANCES": self = .instances(Int(clamping: json["_instances"]?.integerValue ?? 1))
    default: return nil
    }
  }

  func matches<Failure>(count: Int, _ element: (Int) throws(Failure) -> Bool) throws(Failure) -> Bool {
    var passed = 0
    for index in 0..<count {
      if try element(index) {
        if self == .atLeastOnce { return true }
        passed += 1
      } else if self == .all || self == .allOrEmpty {
        return false
      }
    }
    switch self {
    case .all: return count > 0
    case .allOrEmpty: return true
    case .atLeastOnce: return false
    case .instances(let wanted): return passed == wanted
    }
  }
}

extension String {
  /// Whether a text is a part of this one, byte by byte.
  func holds(_ part: String) -> Bool {
    let (whole, wanted) = (utf8, part.utf8)
    guard let first = wanted.first else { return true }
    guard wanted.count <= whole.count else { return false }
    var start = whole.startIndex
    let last = whole.index(whole.startIndex, offsetBy: whole.count - wanted.count)
    while start <= last {
      if whole[start] == first, whole[start...].starts(with: wanted) { return true }
      start = whole.index(after: start)
    }
    return false
  }
}
