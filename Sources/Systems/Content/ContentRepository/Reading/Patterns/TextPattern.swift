/// A regular expression that a text has to fit, of a kind that no text can make slow: characters, `.`, classes, groups,
/// `|`, `*`, `+`, `?`, `{m,n}`, and `^` and `$` at its ends.
struct TextPattern: Sendable {
  let text: String
  private let program: [Step]
  private let isAnchored: (start: Bool, end: Bool)

  /// A step of a program that follows all ways at once (Thompson 1968).
  enum Step: Sendable {
    case one(CharacterClass)
    case fork(Int, Int)
    case jump(Int)
    case done
  }

  /// How many steps a program may have, and how many characters a text.
  static let limits = (steps: 2_000, characters: 10_000)

  /// - Returns: `nil` for what is not understood, or asks for too much.
  init?(_ text: String) {
    self.text = text
    var scalars = Array(text.unicodeScalars)
    guard scalars.count <= 1_000 else { return nil }
    let start = scalars.first == "^"
    if start { scalars.removeFirst() }
    let backslashes = scalars.dropLast().reversed().prefix { $0 == "\\" }.count
    let end = scalars.last == "$" && backslashes % 2 == 0
    if end { scalars.removeLast() }
    isAnchored = (start, end)
    var parser = PatternParser(scalars: scalars)
    guard let node = parser.expression(depth: 0), parser.isAtEnd else { return nil }
    var program: [Step] = []
    guard node.append(to: &program) else { return nil }
    program.append(.done)
    self.program = program
  }

  /// Whether a text fits. One that is too long does not.
  func matches(_ value: String) -> Bool {
    let scalars = value.unicodeScalars
    guard scalars.count <= Self.limits.characters else { return false }
    var (now, next) = (Threads(program.count), Threads(program.count))
    now.add(0, program)
    for scalar in scalars {
      if now.isDone, !isAnchored.end { return true }
      for position in now.waiting {
        if case .one(let wanted) = program[position], wanted.contains(scalar) { next.add(position + 1, program) }
      }
      if !isAnchored.start { next.add(0, program) }
      swap(&now, &next)
      next.clear()
    }
    return now.isDone
  }

  /// The instructions at which the matcher stands at one character.
  private struct Threads {
    private(set) var waiting: [Int] = []
    private(set) var isDone = false
    private var seen: [Bool]

    init(_ count: Int) { seen = Array(repeating: false, count: count) }

    mutating func clear() {
      waiting.removeAll(keepingCapacity: true)
      isDone = false
      for index in seen.indices { seen[index] = false }
    }

    mutating func add(_ start: Int, _ program: [Step]) {
      var open = [start]
      while let position = open.popLast() {
        if seen[position] { continue }
        seen[position] = true
        switch program[position] {
        case .one: waiting.append(position)
        case .fork(let one, let other): open += [one, other]
        case .jump(let target): open.append(target)
        case .done: isDone = true
        }
      }
    }
  }
}

/// Characters that may stand at a place.
struct CharacterClass: Sendable {
  var ranges: [ClosedRange<Unicode.Scalar>] = []
  var isNegated = false

  func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } != isNegated }

  static let any = CharacterClass(ranges: ["\n"..."\n"], isNegated: true)
  static let digits: [ClosedRange<Unicode.Scalar>] = ["0"..."9"]
  static let words: [ClosedRange<Unicode.Scalar>] = ["a"..."z", "A"..."Z", "0"..."9", "_"..."_"]
  static let spaces: [ClosedRange<Unicode.Scalar>] = [" "..." ", "\t"..."\r", "\u{A0}"..."\u{A0}"]
}
