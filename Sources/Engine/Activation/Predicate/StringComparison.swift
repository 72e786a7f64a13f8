// The canonical decomposition that the standard library compares texts with is no public API of it yet. Foundation has
// one, for 40 MB of tables and 8 ms at the start of every command.
@_spi(_Unicode) import Swift
import Pattern

/// How a predicate compares strings.
enum StringComparison {
  /// A string without what the options ignore: its case, its diacritics.
  static func folded(_ text: String, _ options: PredicateNode.Options) -> String {
    if options.contains(.normalized) { return text }
    let text = options.contains(.diacriticInsensitive) ? withoutMarks(text) : text
    return options.contains(.caseInsensitive) ? text.lowercased() : text
  }

  /// The pattern of MATCHES under the options.
  static func pattern(
    _ text: String, _ options: PredicateNode.Options
  ) throws(PatternFailure) -> RegularPattern {
    let isPlain = options.contains(.normalized)
    let marksMatter = isPlain || !options.contains(.diacriticInsensitive)
    return try RegularPattern(
      marksMatter ? text : withoutMarks(text), .icu, ignoresCase: !isPlain && options.contains(.caseInsensitive))
  }

  private static func withoutMarks(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text._nfd where scalar.properties.generalCategory != .nonspacingMark {
      kept.append(scalar)
    }
    return String(kept)
  }

  // MARK: Searching

  /// Whether one string contains another.
  static func contains(
    _ text: String, _ part: String, _ budget: inout StepBudget
  ) throws(StepBudget.Exceeded) -> Bool {
    let text = Array(text.unicodeScalars)
    let part = Array(part.unicodeScalars)
    guard part.count <= text.count else { return false }
    for start in 0...(text.count - part.count) {
      let equal = zip(text[start...], part).prefix { $0 == $1 }.count
      try budget.spend(characters: equal + 1)
      if equal == part.count { return true }
    }
    return false
  }

  /// Whether a string is like a pattern: `*` matches any characters, `?` one, and a backslash takes away their meaning.
  ///
  /// - Parameter exactly: whether characters are the same only byte by byte.
  static func isLike(
    _ text: String, _ pattern: String, exactly: Bool, _ budget: inout StepBudget
  ) throws(StepBudget.Exceeded) -> Bool {
    let text = Array(text)
    let pattern = wildcards(pattern)
    var (position, place) = (0, 0)
    // After the last `*`: where to go on in the pattern, and the text that it has taken up to.
    var retry: (place: Int, position: Int)?
    while position < text.count {
      try budget.spend(characters: 1)
      if place < pattern.count, pattern[place].takesOne(text[position], exactly: exactly) {
        (position, place) = (position + 1, place + 1)
      } else if place < pattern.count, pattern[place] == .any {
        retry = (place + 1, position)
        place += 1
      } else if let last = retry {
        retry = (last.place, last.position + 1)
        (position, place) = (last.position + 1, last.place)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == .any }
  }

  private enum Wildcard: Equatable {
    case any, one
    case character(Character)

    func takesOne(_ character: Character, exactly: Bool) -> Bool {
      switch self {
      case .any: false
      case .one: true
      case .character(let own): exactly ? own.utf8.elementsEqual(character.utf8) : own == character
      }
    }
  }

  private static func wildcards(_ pattern: String) -> [Wildcard] {
    var found: [Wildcard] = []
    var isEscaped = false
    for character in pattern {
      switch character {
      case _ where isEscaped: found.append(.character(character))
      case "\\":
        isEscaped = true
        continue
      case "*": if found.last != .any { found.append(.any) }
      case "?": found.append(.one)
      default: found.append(.character(character))
      }
      isEscaped = false
    }
    return found
  }
}
