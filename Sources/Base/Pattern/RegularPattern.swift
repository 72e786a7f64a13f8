/// A regular expression that is matched in a time proportional to the text (Ken Thompson, 1968): all ways through the
/// pattern are followed at once, and none is tried twice.
package struct RegularPattern: Sendable {
  /// One instruction of the machine.
  enum Instruction: Sendable {
    /// Takes one character of a set.
    case take(ScalarSet)
    /// Continues at both places.
    case split(Int, Int)
    case jump(Int)
    /// Continues at the start, or at the end, of the text only.
    case start, end
    case match
  }

  /// The limits of a compiled pattern: at most so many instructions, matched against at most so many characters. No text
  /// that is longer matches.
  struct Limits: Sendable {
    var instructions: Int
    var characters = Int.max
  }

  /// The pattern as it was written.
  package let text: String
  private let instructions: [Instruction]
  private let characters: Int
  private let folding: PatternDialect.Folding?

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - text: the pattern.
  ///   - dialect: its syntax.
  ///   - ignoresCase: whether letters match letters of another case.
  /// - Throws: `PatternFailure` when the dialect does not have the pattern, or the pattern exceeds a limit.
  package init(_ text: String, _ dialect: PatternDialect, ignoresCase: Bool = false) throws(PatternFailure) {
    var parser = PatternParser(text, dialect)
    let node = try parser.pattern()
    var program = PatternProgram(limit: dialect.limits.instructions)
    try program.append(node)
    try program.emit(.match)
    self.text = text
    instructions = program.instructions
    characters = dialect.limits.characters
    folding = ignoresCase || parser.ignoresCase ? dialect.folding : nil
  }

  /// How many instructions the pattern has: each character of a text is compared with at most so many.
  package var size: Int { instructions.count }

  /// Whether a text matches.
  package func matches(_ text: String) -> Bool {
    func free(_ comparisons: Int) throws(Never) {}
    return matches(text, spend: free)
  }

  /// Whether a text matches.
  ///
  /// - Parameter spend: is called for each character of the text with the number of comparisons that it takes.
  /// - Throws: what `spend` throws; the search ends with it.
  package func matches<Failure>(
    _ text: String, spend: (_ comparisons: Int) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count <= characters else { return false }
    var (places, next): ([Int], [Int]) = ([], [])
    // The position at which each place was last reached.
    var reached = [Int](repeating: -1, count: instructions.count)
    var isAnchored = false
    if case .start = instructions[0] { isAnchored = true }
    for position in 0...scalars.count {
      if position == 0 || !isAnchored, reach(0, &places, &reached, position, scalars.count) { return true }
      if position == scalars.count || (isAnchored && places.isEmpty) { return false }
      try spend(places.count + 1)
      next.removeAll(keepingCapacity: true)
      for place in places {
        guard case .take(let set) = instructions[place], set.contains(scalars[position], folding) else { continue }
        if reach(place + 1, &next, &reached, position + 1, scalars.count) { return true }
      }
      swap(&places, &next)
    }
    return false
  }

  /// Adds a place and all places that follow without a character.
  ///
  /// - Returns: whether the pattern matches here.
  private func reach(_ first: Int, _ places: inout [Int], _ reached: inout [Int], _ position: Int, _ end: Int) -> Bool {
    var waiting = [first]
    while let place = waiting.popLast() {
      if reached[place] == position { continue }
      reached[place] = position
      switch instructions[place] {
      case .take: places.append(place)
      case .split(let one, let other): waiting += [other, one]
      case .jump(let other): waiting.append(other)
      case .start: if position == 0 { waiting.append(place + 1) }
      case .end: if position == end { waiting.append(place + 1) }
      case .match: return true
      }
    }
    return false
  }
}
