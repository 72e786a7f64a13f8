import Text

/// Translates a regular expression into the steps of its machine.
struct CELPatternParser {
  typealias Step = CELPattern.Step

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var ignoresCase = false

  init(_ pattern: String) {
    scalars = Array(pattern.unicodeScalars)
    if pattern.unicodeScalars.starts(with: "(?i)".unicodeScalars) { (ignoresCase, position) = (true, 4) }
  }

  mutating func program() throws(CELPattern.Failure) -> [Step] {
    let steps = try alternatives()
    if position < scalars.count { throw failure("a ) closes nothing") }
    return steps + [.match]
  }

  private func failure(_ words: String) -> CELPattern.Failure {
    CELPattern.Failure(message: "The pattern is not understood: \(words).")
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  /// Steps are relative to their own start until they are put somewhere.
  private func moved(_ steps: [Step], by distance: Int) -> [Step] {
    steps.map { step in
      switch step {
      case .split(let one, let other): .split(one + distance, other + distance)
      case .jump(let other): .jump(other + distance)
      default: step
      }
    }
  }

  private func bounded(_ steps: [Step]) throws(CELPattern.Failure) -> [Step] {
    guard steps.count < CELPattern.limit else { throw failure("it is too large") }
    return steps
  }

  private mutating func alternatives() throws(CELPattern.Failure) -> [Step] {
    guard depth < 32 else { throw failure("it has too many levels") }
    depth += 1
    defer { depth -= 1 }
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    var steps = branches.removeLast()
    while let branch = branches.popLast() {
      let behind = 1 + branch.count + 1
      steps = try bounded(
        [.split(1, behind)] + moved(branch, by: 1) + [.jump(behind + steps.count)] + moved(steps, by: behind))
    }
    return steps
  }

  private mutating func sequence() throws(CELPattern.Failure) -> [Step] {
    var steps: [Step] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let atom = try atom()
      steps = try bounded(steps + moved(repeated(atom), by: steps.count))
    }
    return steps
  }

  private mutating func repeated(_ atom: [Step]) throws(CELPattern.Failure) -> [Step] {
    let (least, most): (Int, Int?)
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if next == "{", let bounds = bounds() {
      (least, most) = bounds
    } else {
      return atom
    }
    // Whether it takes much or little makes no difference to whether it matches.
    _ = take("?")
    if let next, "*+?".unicodeScalars.contains(next) { throw failure("one repetition follows another") }
    if let most, most < least { throw failure("a repetition has its bounds the wrong way round") }
    guard max(least, most ?? 0) * max(atom.count, 1) < CELPattern.limit else { throw failure("it is too large") }
    var steps: [Step] = []
    for _ in 0..<least { steps += moved(atom, by: steps.count) }
    if let most {
      for _ in least..<most {
        let start = steps.count
        steps += [.split(start + 1, start + 1 + atom.count)] + moved(atom, by: start + 1)
      }
    } else {
      let start = steps.count
      steps += [.split(start + 1, start + 2 + atom.count)] + moved(atom, by: start + 1) + [.jump(start)]
    }
    return steps
  }

  /// `{2}`, `{2,}` and `{2,3}`; anything else is a brace.
  private mutating func bounds() -> (Int, Int?)? {
    let start = position
    position += 1
    let least = number()
    var most = least
    if take(",") { most = number() }
    guard let least, take("}") else {
      position = start
      return nil
    }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let digit = next, digit.value >= 0x30, digit.value <= 0x39 {
      value = min((value ?? 0) * 10 + Int(digit.value - 0x30), CELPattern.limit)
      position += 1
    }
    return value
  }

  private mutating func atom() throws(CELPattern.Failure) -> [Step] {
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case "(":
      if take("?"), !take(":") { throw failure("(? is known as (?: and, at the start, as (?i) alone") }
      let inner = try alternatives()
      if !take(")") { throw failure("a ( is not closed") }
      return inner
    case "[": return try characterClass()
    case ".": return [.scalar([0x0A...0x0A], isNegative: true)]
    case "^": return [.start]
    case "$": return [.end]
    case "\\": return [try escape(isInClass: false)]
    case "*", "+", "?": throw failure("a repetition follows nothing")
    default: return [.scalar([scalar.value...scalar.value], isNegative: false)]
    }
  }

  private mutating func escape(isInClass: Bool) throws(CELPattern.Failure) -> Step {
    guard let letter = next else { throw failure("it ends with a backslash") }
    position += 1
    let simple: [Unicode.Scalar: UInt32] = ["n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7]
    if let value = simple[letter] { return .scalar([value...value], isNegative: false) }
    let classes: [Unicode.Scalar: [ClosedRange<UInt32>]] = [
      "d": [0x30...0x39], "w": [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A],
      "s": [9...10, 12...13, 0x20...0x20],
    ]
    if let ranges = classes[letter] { return .scalar(ranges, isNegative: false) }
    if !isInClass, let lower = Unicode.Scalar(letter.value | 0x20), letter.value < 0x80, let ranges = classes[lower] {
      return .scalar(ranges, isNegative: true)
    }
    if !isInClass, letter == "A" { return .start }
    if !isInClass, letter == "z" { return .end }
    if letter.properties.isAlphabetic || letter.properties.numericType != nil {
      throw failure("there is no \\\(String(Character(letter)).shownInMessage())")
    }
    return .scalar([letter.value...letter.value], isNegative: false)
  }

  private mutating func characterClass() throws(CELPattern.Failure) -> [Step] {
    let isNegative = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while let scalar = next, isFirst || scalar != "]" {
      isFirst = false
      if scalar == "[", position + 1 < scalars.count, scalars[position + 1] == ":" {
        throw failure("classes such as [:alpha:] are not known")
      }
      let low = try classMember()
      guard low.count == 1, low[0].count == 1, next == "-", position + 1 < scalars.count, scalars[position + 1] != "]"
      else {
        ranges += low
        continue
      }
      position += 1
      let high = try classMember()
      guard high.count == 1, high[0].count == 1, low[0].lowerBound <= high[0].lowerBound else {
        throw failure("a range in [] has its bounds the wrong way round")
      }
      ranges.append(low[0].lowerBound...high[0].lowerBound)
    }
    if !take("]") { throw failure("a [ is not closed") }
    return [.scalar(ranges, isNegative: isNegative)]
  }

  private mutating func classMember() throws(CELPattern.Failure) -> [ClosedRange<UInt32>] {
    let scalar = scalars[position]
    position += 1
    guard scalar == "\\" else { return [scalar.value...scalar.value] }
    guard case .scalar(let ranges, _) = try escape(isInClass: true) else { return [] }
    return ranges
  }
}
