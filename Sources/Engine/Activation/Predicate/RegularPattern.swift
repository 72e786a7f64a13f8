/// A regular expression that is matched in a time proportional to the text: no pattern of a foreign rule can make the
/// host search for ever.
///
/// It has the part of the usual syntax that such a search allows: characters, `.`, classes `[a-z]` and `[^…]`, `\d \w
/// \s` and their opposites, groups, `|`, `*`, `+`, `?`, `{n,m}`, `^` and `$`. Back references and looking around are
/// refused. Lazy quantifiers are taken and mean the same, since a whole text matches or does not.
struct RegularPattern: Sendable {
  /// Why a pattern cannot be used, one sentence.
  struct Failure: Error {
    let message: String
  }

  /// One place of the automaton.
  enum State: Sendable {
    /// Takes a character and goes on behind.
    case take(CharacterSet)
    /// Goes on in both places.
    case split(Int, Int)
    case jump(Int)
    /// Goes on at the beginning, or the end, of the text only.
    case start, end
    case accept
  }

  /// The largest automaton: `{n,m}` repeats its part so many times.
  static let maximumStates = 4096

  private let states: [State]
  private let ignoresCase: Bool

  init(_ text: String, ignoresCase: Bool = false) throws(Failure) {
    var parser = RegularPatternParser(text)
    let syntax = try parser.parse()
    var states: [State] = []
    try syntax.append(to: &states)
    states.append(.accept)
    self.states = states
    self.ignoresCase = ignoresCase
  }

  /// Whether the whole text matches.
  func matches(_ text: String, _ budget: inout StepBudget) throws(StepBudget.Exceeded) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var current = PlaceSet(states.count)
    var next = PlaceSet(states.count)
    add(0, to: &current, at: 0, of: scalars.count)
    for (position, scalar) in scalars.enumerated() {
      try budget.spend(characters: current.places.count + 1)
      next.removeAll()
      for place in current.places {
        guard case .take(let set) = states[place], set.contains(scalar, ignoringCase: ignoresCase) else { continue }
        add(place + 1, to: &next, at: position + 1, of: scalars.count)
      }
      swap(&current, &next)
      if current.places.isEmpty { return false }
    }
    return current.places.contains { if case .accept = states[$0] { true } else { false } }
  }

  /// Adds a place and all that can be reached from it without a character.
  private func add(_ first: Int, to set: inout PlaceSet, at position: Int, of count: Int) {
    var waiting = [first]
    while let place = waiting.popLast() {
      guard set.insert(place) else { continue }
      switch states[place] {
      case .take, .accept: continue
      case .jump(let other): waiting.append(other)
      case .split(let one, let other): waiting += [other, one]
      case .start: if position == 0 { waiting.append(place + 1) }
      case .end: if position == count { waiting.append(place + 1) }
      }
    }
  }
}

extension RegularPattern {
  /// Characters that one place takes.
  struct CharacterSet: Sendable {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar, ignoringCase: Bool) -> Bool {
      func holds(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }
      var found = holds(scalar)
      if ignoringCase, !found {
        let forms = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
        found = forms.contains { form in
          form.unicodeScalars.count == 1 && form.unicodeScalars.first.map(holds) ?? false
        }
      }
      return found != isNegated
    }

    static let digits = CharacterSet(ranges: [0x30...0x39])
    static let word = CharacterSet(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A, 0xAA...0x2FF])
    static let space = CharacterSet(ranges: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0])
    /// Everything but the ends of lines.
    static let any = CharacterSet(ranges: [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029], isNegated: true)

    var inverted: CharacterSet { CharacterSet(ranges: ranges, isNegated: !isNegated) }
  }

  /// Places in the order in which they came, each once.
  private struct PlaceSet {
    private(set) var places: [Int] = []
    private var isMember: [Bool]

    init(_ count: Int) { isMember = Array(repeating: false, count: count) }

    mutating func insert(_ place: Int) -> Bool {
      if isMember[place] { return false }
      isMember[place] = true
      places.append(place)
      return true
    }

    mutating func removeAll() {
      for place in places { isMember[place] = false }
      places.removeAll(keepingCapacity: true)
    }
  }
}
