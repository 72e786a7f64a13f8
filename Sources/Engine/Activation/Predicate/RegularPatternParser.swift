/// The structure of a regular expression.
indirect enum RegularSyntax {
  case empty
  case characters(RegularPattern.CharacterSet)
  case start, end
  case sequence([RegularSyntax])
  case choice([RegularSyntax])
  case repeated(RegularSyntax, least: Int, most: Int?)

  /// Appends the places that take this.
  func append(to states: inout [RegularPattern.State]) throws(RegularPattern.Failure) {
    guard states.count < RegularPattern.maximumStates else {
      throw RegularPattern.Failure(message: "the pattern is too large.")
    }
    switch self {
    case .empty: return
    case .characters(let set): states.append(.take(set))
    case .start: states.append(.start)
    case .end: states.append(.end)
    case .sequence(let parts): for part in parts { try part.append(to: &states) }
    case .choice(let parts): try Self.append(choice: parts[...], to: &states)
    case .repeated(let part, let least, let most):
      for _ in 0..<least { try part.append(to: &states) }
      guard let most else { return try Self.append(loop: part, to: &states) }
      for _ in least..<max(least, most) {
        let split = states.count
        states.append(.jump(split))
        try part.append(to: &states)
        states[split] = .split(split + 1, states.count)
      }
    }
  }

  private static func append(
    choice parts: ArraySlice<RegularSyntax>, to states: inout [RegularPattern.State]
  ) throws(RegularPattern.Failure) {
    var jumps: [Int] = []
    for (index, part) in parts.enumerated() {
      let split = states.count
      let isLast = index == parts.count - 1
      if !isLast { states.append(.jump(split)) }
      try part.append(to: &states)
      if isLast { break }
      jumps.append(states.count)
      states.append(.jump(0))
      states[split] = .split(split + 1, states.count)
    }
    for jump in jumps { states[jump] = .jump(states.count) }
  }

  private static func append(
    loop part: RegularSyntax, to states: inout [RegularPattern.State]
  ) throws(RegularPattern.Failure) {
    let split = states.count
    states.append(.jump(split))
    try part.append(to: &states)
    states.append(.jump(split))
    states[split] = .split(split + 1, states.count)
  }
}

/// Understands the text of a regular expression.
struct RegularPatternParser {
  private let text: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  mutating func parse() throws(RegularPattern.Failure) -> RegularSyntax {
    let syntax = try choice()
    guard position == text.count else { throw RegularPattern.Failure(message: "a bracket closes that did not open.") }
    return syntax
  }

  private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  private mutating func choice() throws(RegularPattern.Failure) -> RegularSyntax {
    var parts: [RegularSyntax] = []
    repeat { parts.append(try sequence()) } while take("|")
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(RegularPattern.Failure) -> RegularSyntax {
    var parts: [RegularSyntax] = []
    while let next = current, next != "|", next != ")" { parts.append(try quantified()) }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func quantified() throws(RegularPattern.Failure) -> RegularSyntax {
    var part = try atom()
    while let next = current, "*+?{".unicodeScalars.contains(next) {
      position += 1
      switch next {
      case "*": part = .repeated(part, least: 0, most: nil)
      case "+": part = .repeated(part, least: 1, most: nil)
      case "?": part = .repeated(part, least: 0, most: 1)
      default: part = try bounded(part)
      }
      if current == "+" { throw RegularPattern.Failure(message: "possessive quantifiers are not supported.") }
      if !take("?"), let next = current, "*+{".unicodeScalars.contains(next) {
        throw RegularPattern.Failure(message: "“\(next)” follows another quantifier.")
      }
    }
    return part
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let next = current, ("0"..."9").contains(next), digits.count < 4 {
      digits.unicodeScalars.append(next)
      position += 1
    }
    return Int(digits)
  }

  private mutating func bounded(_ part: RegularSyntax) throws(RegularPattern.Failure) -> RegularSyntax {
    guard let least = number() else { throw RegularPattern.Failure(message: "“{” takes a number of repetitions.") }
    var most: Int? = least
    if take(",") { most = current == "}" ? nil : number() ?? -1 }
    guard take("}"), least <= 1000, most.map({ least...1000 ~= $0 }) ?? true else {
      throw RegularPattern.Failure(message: "“{n,m}” takes numbers up to 1000, the smaller one first.")
    }
    return .repeated(part, least: least, most: most)
  }

  private mutating func atom() throws(RegularPattern.Failure) -> RegularSyntax {
    guard let next = current else { throw RegularPattern.Failure(message: "something is missing at the end.") }
    position += 1
    switch next {
    case ".": return .characters(.any)
    case "^": return .start
    case "$": return .end
    case "(": return try group()
    case "[": return .characters(try characterClass())
    case "\\": return .characters(try escaped())
    case "*", "+", "?", "{": throw RegularPattern.Failure(message: "“\(next)” has nothing to repeat.")
    default: return .characters(.init(ranges: [next.value...next.value]))
    }
  }

  private mutating func group() throws(RegularPattern.Failure) -> RegularSyntax {
    if take("?"), !take(":") {
      throw RegularPattern.Failure(message: "looking around and named groups are not supported.")
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= 64 else { throw RegularPattern.Failure(message: "it is nested too deep.") }
    let inner = try choice()
    guard take(")") else { throw RegularPattern.Failure(message: "a bracket is not closed.") }
    return inner
  }

  private mutating func escaped() throws(RegularPattern.Failure) -> RegularPattern.CharacterSet {
    guard let next = current else { throw RegularPattern.Failure(message: "it ends with a backslash.") }
    position += 1
    switch next {
    case "d": return .digits
    case "D": return .digits.inverted
    case "w": return .word
    case "W": return .word.inverted
    case "s": return .space
    case "S": return .space.inverted
    case "n": return .init(ranges: [0x0A...0x0A])
    case "r": return .init(ranges: [0x0D...0x0D])
    case "t": return .init(ranges: [0x09...0x09])
    case _ where next.properties.isAlphabetic || next.properties.numericType != nil:
      throw RegularPattern.Failure(message: "“\\\(next)” is not supported.")
    default: return .init(ranges: [next.value...next.value])
    }
  }

  private mutating func characterClass() throws(RegularPattern.Failure) -> RegularPattern.CharacterSet {
    var set = RegularPattern.CharacterSet()
    let isNegated = take("^")
    var isFirst = true
    while let next = current, next != "]" || isFirst {
      isFirst = false
      guard let low = try classMember(into: &set) else { continue }
      guard current == "-", position + 1 < text.count, text[position + 1] != "]" else {
        set.ranges.append(low.value...low.value)
        continue
      }
      position += 1
      guard let high = try classMember(into: &set), low.value <= high.value else {
        throw RegularPattern.Failure(message: "a range in “[…]” has no beginning or end.")
      }
      set.ranges.append(low.value...high.value)
    }
    guard take("]") else { throw RegularPattern.Failure(message: "“[” is not closed.") }
    set.isNegated = isNegated
    return set
  }

  /// One character of a class; `nil` when it stood for several, which the set has now.
  private mutating func classMember(
    into set: inout RegularPattern.CharacterSet
  ) throws(RegularPattern.Failure) -> Unicode.Scalar? {
    guard let next = current else { return nil }
    position += 1
    guard next == "\\" else {
      if next == "[" { throw RegularPattern.Failure(message: "“[” inside “[…]” needs a backslash.") }
      return next
    }
    let escaped = try escaped()
    if !escaped.isNegated, escaped.ranges.count == 1, escaped.ranges[0].count == 1 {
      return Unicode.Scalar(escaped.ranges[0].lowerBound)
    }
    guard !escaped.isNegated else {
      throw RegularPattern.Failure(message: "the opposite of a class inside “[…]” is not supported.")
    }
    set.ranges += escaped.ranges
    return nil
  }
}
