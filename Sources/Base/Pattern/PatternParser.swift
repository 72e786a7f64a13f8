/// Reads the text of a regular expression.
struct PatternParser {
  let dialect: PatternDialect
  var scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0
  /// Whether the pattern begins with a flag that says so.
  private(set) var ignoresCase = false

  init(_ text: String, _ dialect: PatternDialect) {
    (self.dialect, scalars) = (dialect, Array(text.unicodeScalars))
  }

  var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// Reads the whole pattern.
  mutating func pattern() throws(PatternFailure) -> PatternNode {
    guard scalars.count <= dialect.length else { throw .tooLarge }
    let isWhole = dialect.anchoring == .whole
    var ends = (start: isWhole, end: isWhole)
    if dialect.anchoring == .outer {
      ends.start = take("^")
      let backslashes = scalars.dropLast().reversed().prefix { $0 == "\\" }.count
      ends.end = position < scalars.count && scalars.last == "$" && backslashes % 2 == 0
      if ends.end { scalars.removeLast() }
    }
    if dialect.hasCaseFlag, scalars.starts(with: "(?i)".unicodeScalars) { (ignoresCase, position) = (true, 4) }
    let node = try alternatives()
    guard position == scalars.count else { throw .unopenedGroup }
    var parts = [node]
    if ends.start { parts.insert(.start, at: 0) }
    if ends.end { parts.append(.end) }
    return .sequence(parts)
  }

  private mutating func alternatives() throws(PatternFailure) -> PatternNode {
    var parts: [PatternNode] = []
    repeat {
      var sequence: [PatternNode] = []
      while let scalar = next, scalar != "|", scalar != ")" { sequence.append(try repeated(try atom())) }
      parts.append(sequence.count == 1 ? sequence[0] : .sequence(sequence))
    } while take("|")
    return parts.count == 1 ? parts[0] : .either(parts)
  }

  private mutating func atom() throws(PatternFailure) -> PatternNode {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "(": return try group()
    case "[": return .one(try characterClass())
    case ".": return .one(ScalarSet(dialect.lineEnds, isNegated: true))
    case "\\": return try escape()
    case "^", "$":
      guard dialect.anchoring != .outer else { throw .misplaced(scalar) }
      return scalar == "^" ? .start : .end
    case "*", "+", "?": throw .nothingToRepeat(scalar)
    case "{" where !dialect.literals.unicodeScalars.contains(scalar): throw .nothingToRepeat(scalar)
    case "}", "]":
      guard dialect.literals.unicodeScalars.contains(scalar) else { throw .misplaced(scalar) }
      return .one(ScalarSet(scalar))
    default: return .one(ScalarSet(scalar))
    }
  }

  private mutating func group() throws(PatternFailure) -> PatternNode {
    if take("?"), !take(":") { throw .unknownGroup }
    depth += 1
    defer { depth -= 1 }
    guard depth <= dialect.depth else { throw .tooDeep }
    let inner = try alternatives()
    guard take(")") else { throw .unclosedGroup }
    return inner
  }

  // MARK: - Repetitions

  private mutating func repeated(_ atom: PatternNode) throws(PatternFailure) -> PatternNode {
    var node = atom
    while let (least, most) = try repetition() {
      node = .several(node, least: least, most: most)
      switch dialect.repeating {
      // Another sign is then no atom.
      case .once: return node
      case .onceLazily:
        _ = take("?")
        if let next, "*+?".unicodeScalars.contains(next) { throw .repeatedTwice(next) }
        return node
      case .often:
        if next == "+" { throw .repeatedTwice("+") }
        if !take("?"), let next, "*{".unicodeScalars.contains(next) { throw .repeatedTwice(next) }
      }
    }
    return node
  }

  /// Takes the sign of a repetition; nil when there is none.
  private mutating func repetition() throws(PatternFailure) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = position
    guard take("{") else { return nil }
    let isLiteral = dialect.literals.contains("{")
    guard let least = number() else {
      position = start
      if isLiteral { return nil }
      throw .noCount
    }
    let isOpen = take(",")
    let most = isOpen ? number() : least
    guard take("}") else {
      position = start
      if isLiteral { return nil }
      throw .invalidBounds
    }
    guard most.map({ least <= $0 }) ?? true else { throw .invalidBounds }
    if max(least, most ?? 0) > dialect.bounds.most {
      if isLiteral { throw .tooLarge }
      throw .invalidBounds
    }
    return (least, most)
  }

  /// Takes a number, which is at most one more than the largest of the dialect.
  private mutating func number() -> Int? {
    var value: Int?
    var digits = 0
    while let digit = next, ("0"..."9").contains(digit), digits < dialect.bounds.digits {
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), dialect.bounds.most + 1)
      (position, digits) = (position + 1, digits + 1)
    }
    return value
  }
}
