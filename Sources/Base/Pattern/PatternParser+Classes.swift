/// Escaped characters, and classes in brackets.
extension PatternParser {
  /// Reads what follows a backslash outside of `[…]`.
  mutating func escape() throws(PatternFailure) -> PatternNode {
    if dialect.hasTextAnchors, take("A") { return .start }
    if dialect.hasTextAnchors, take("z") { return .end }
    return .one(try escapedSet())
  }

  private mutating func escapedSet() throws(PatternFailure) -> ScalarSet {
    guard let letter = next else { throw .unfinishedEscape }
    position += 1
    if let value = dialect.controls[letter] { return ScalarSet([value...value]) }
    switch letter {
    case "d", "D": return ScalarSet([0x30...0x39], isNegated: letter == "D")
    case "w", "W": return ScalarSet(dialect.word, isNegated: letter == "W")
    case "s", "S": return ScalarSet(dialect.space, isNegated: letter == "S")
    default:
      guard dialect.refusesForeignEscapes || letter.isASCII,
        letter.properties.isAlphabetic || letter.properties.numericType != nil
      else { return ScalarSet(letter) }
      throw .unknownEscape(letter)
    }
  }

  /// Reads a class, behind its `[`.
  mutating func characterClass() throws(PatternFailure) -> ScalarSet {
    var found = ScalarSet(isNegated: take("^"))
    var isFirst = true
    while let scalar = next, isFirst || scalar != "]" {
      isFirst = false
      let low = try member()
      guard let lowest = low.only, next == "-", position + 1 < scalars.count, scalars[position + 1] != "]",
        dialect.rangesBeginWithEscapes || scalar != "\\"
      else {
        found.ranges += low.ranges
        continue
      }
      position += 1
      guard let highest = try member().only, lowest <= highest else { throw .invalidRange }
      found.ranges.append(lowest.value...highest.value)
    }
    guard take("]") else { throw .unclosedClass }
    return found
  }

  private mutating func member() throws(PatternFailure) -> ScalarSet {
    let scalar = scalars[position]
    position += 1
    switch (scalar, dialect.bracket) {
    case ("[", .refused): throw .nestedClass
    case ("[", .refusedBeforeColon) where next == ":": throw .nestedClass
    case ("\\", _):
      let letter = next
      let set = try escapedSet()
      if set.isNegated, let letter { throw .negatedClass(letter) }
      return set
    default: return ScalarSet(scalar)
    }
  }
}
