/// The structure of a regular expression.
indirect enum PatternNode: Sendable {
  case one(ScalarSet)
  /// The start, or the end, of the text.
  case start, end
  case sequence([PatternNode])
  case either([PatternNode])
  case several(PatternNode, least: Int, most: Int?)
}

/// Translates the structure of a pattern to instructions, of which it makes no more than a limit.
struct PatternProgram {
  private(set) var instructions: [RegularPattern.Instruction] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Appends an instruction.
  ///
  /// - Returns: its place.
  @discardableResult
  mutating func emit(_ instruction: RegularPattern.Instruction) throws(PatternFailure) -> Int {
    guard instructions.count < limit else { throw .tooLarge }
    instructions.append(instruction)
    return instructions.count - 1
  }

  /// Appends the instructions of a node.
  mutating func append(_ node: PatternNode) throws(PatternFailure) {
    switch node {
    case .one(let set): try emit(.take(set))
    case .start: try emit(.start)
    case .end: try emit(.end)
    case .sequence(let parts): for part in parts { try append(part) }
    case .either(let parts):
      var jumps: [Int] = []
      for part in parts.dropLast() {
        let fork = try emit(.jump(0))
        try append(part)
        jumps.append(try emit(.jump(0)))
        instructions[fork] = .split(fork + 1, instructions.count)
      }
      if let last = parts.last { try append(last) }
      for jump in jumps { instructions[jump] = .jump(instructions.count) }
    case .several(let part, let least, let most):
      for _ in 0..<least {
        let start = instructions.count
        try append(part)
        // What makes no instructions makes none however often: nested repetitions of nothing would never end.
        if instructions.count == start { return }
      }
      for _ in least..<max(least, most ?? least + 1) {
        let fork = try emit(.jump(0))
        try append(part)
        if most == nil { try emit(.jump(fork)) }
        instructions[fork] = .split(fork + 1, instructions.count)
      }
    }
  }
}
