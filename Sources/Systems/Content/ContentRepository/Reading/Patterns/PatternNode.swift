/// A part of a regular expression.
indirect enum PatternNode: Sendable {
  case one(CharacterClass)
  case sequence([PatternNode])
  case either([PatternNode])
  case several(PatternNode, least: Int, most: Int?)

  /// - Returns: whether there was space for its steps.
  func append(to program: inout [TextPattern.Step]) -> Bool {
    guard program.count < TextPattern.limits.steps else { return false }
    switch self {
    case .one(let wanted): program.append(.one(wanted))
    case .sequence(let parts):
      for part in parts where !part.append(to: &program) { return false }
    case .either(let parts):
      var ends: [Int] = []
      for (index, part) in parts.enumerated() {
        let fork = program.count
        if index < parts.count - 1 { program.append(.fork(fork + 1, fork + 1)) }
        guard part.append(to: &program) else { return false }
        if index < parts.count - 1 {
          ends.append(program.count)
          program.append(.jump(0))
          program[fork] = .fork(fork + 1, program.count)
        }
      }
      for end in ends { program[end] = .jump(program.count) }
    case .several(let part, let least, let most):
      for _ in 0..<least where !part.append(to: &program) { return false }
      return most.map { Self.append(part, upTo: $0 - least, to: &program) } ?? Self.append(part, to: &program)
    }
    return true
  }

  /// Any number of times.
  private static func append(_ part: PatternNode, to program: inout [TextPattern.Step]) -> Bool {
    let fork = program.count
    program.append(.fork(fork + 1, fork + 1))
    guard part.append(to: &program) else { return false }
    program.append(.jump(fork))
    program[fork] = .fork(fork + 1, program.count)
    return true
  }

  private static func append(_ part: PatternNode, upTo count: Int, to program: inout [TextPattern.Step]) -> Bool {
    var forks: [Int] = []
    for _ in 0..<max(0, count) {
      forks.append(program.count)
      program.append(.done)
      guard part.append(to: &program) else { return false }
    }
    for fork in forks { program[fork] = .fork(fork + 1, program.count) }
    return true
  }
}

/// Reads a regular expression.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var at = 0

  init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  var isAtEnd: Bool { at == scalars.count }
  private var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    at += 1
    return true
  }

  /// - Returns: `nil` for what is not understood.
  mutating func expression(depth: Int) -> PatternNode? {
    guard depth < 32 else { return nil }
    var parts: [PatternNode] = []
    repeat {
      var sequence: [PatternNode] = []
      while let scalar = next, scalar != "|", scalar != ")" {
        guard let atom = atom(depth), let node = repeated(atom) else { return nil }
        sequence.append(node)
      }
      parts.append(.sequence(sequence))
    } while take("|")
    return parts.count == 1 ? parts[0] : .either(parts)
  }

  private mutating func atom(_ depth: Int) -> PatternNode? {
    if take("(") {
      if take("?"), !take(":") { return nil }
      guard let inner = expression(depth: depth + 1), take(")") else { return nil }
      return inner
    }
    if take("[") { return set().map(PatternNode.one) }
    if take(".") { return .one(.any) }
    guard let scalar = next, !"*+?{}^$]".unicodeScalars.contains(scalar) else { return nil }
    at += 1
    if scalar == "\\" { return escape().map(PatternNode.one) }
    return .one(CharacterClass(ranges: [scalar...scalar]))
  }

  private mutating func repeated(_ atom: PatternNode) -> PatternNode? {
    if take("*") { return .several(atom, least: 0, most: nil) }
    if take("+") { return .several(atom, least: 1, most: nil) }
    if take("?") { return .several(atom, least: 0, most: 1) }
    guard take("{") else { return atom }
    guard let least = number() else { return nil }
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : number() ?? -1 }
    guard take("}"), most.map({ $0 >= least }) ?? true else { return nil }
    return .several(atom, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar), digits.utf8.count < 4 {
      digits.unicodeScalars.append(scalar)
      at += 1
    }
    return Int(digits)
  }

  private mutating func escape() -> CharacterClass? {
    guard let scalar = next else { return nil }
    at += 1
    switch scalar {
    case "d": return CharacterClass(ranges: CharacterClass.digits)
    case "D": return CharacterClass(ranges: CharacterClass.digits, isNegated: true)
    case "w": return CharacterClass(ranges: CharacterClass.words)
    case "W": return CharacterClass(ranges: CharacterClass.words, isNegated: true)
    case "s": return CharacterClass(ranges: CharacterClass.spaces)
    case "S": return CharacterClass(ranges: CharacterClass.spaces, isNegated: true)
    case "t": return CharacterClass(ranges: ["\t"..."\t"])
    case "n": return CharacterClass(ranges: ["\n"..."\n"])
    case "r": return CharacterClass(ranges: ["\r"..."\r"])
    default:
      // Other letters and digits mean things that are not known here.
      if scalar.isASCII, scalar.properties.isAlphabetic || CharacterClass.digits[0].contains(scalar) { return nil }
      return CharacterClass(ranges: [scalar...scalar])
    }
  }

  private mutating func set() -> CharacterClass? {
    var found = CharacterClass()
    found.isNegated = take("^")
    while let scalar = next {
      at += 1
      if scalar == "]", !found.ranges.isEmpty { return found }
      guard scalar == "\\" || next != "-" else {
        guard let end = rangeEnd() else { return nil }
        // A dash at the end stands for itself.
        if end == "]" {
          found.ranges += [scalar...scalar, "-"..."-"]
          return found
        }
        guard scalar <= end else { return nil }
        found.ranges.append(scalar...end)
        continue
      }
      if scalar == "\\" {
        guard let inner = escape(), !inner.isNegated else { return nil }
        found.ranges += inner.ranges
      } else {
        found.ranges.append(scalar...scalar)
      }
    }
    return nil
  }

  /// What stands behind the dash that is next.
  private mutating func rangeEnd() -> Unicode.Scalar? {
    at += 1
    guard let scalar = next else { return nil }
    at += 1
    guard scalar == "\\" else { return scalar }
    guard let inner = escape(), inner.ranges.count == 1, !inner.isNegated else { return nil }
    return inner.ranges[0].lowerBound
  }
}
