/// A regular expression that is matched in linear time: the part of RE2's syntax without classes of Unicode, words'
/// bounds and flags but `(?i)` at the start.
///
/// A match is searched anywhere in the text, as `matches` of the language does.
struct CELPattern {
  /// An instruction of a machine by Ken Thompson.
  enum Step {
    /// A scalar that one of the ranges has, or none of them.
    case scalar([ClosedRange<UInt32>], isNegative: Bool)
    /// Both places.
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case match
  }

  struct Failure: Error { let message: String }

  /// The most steps that a pattern may have, repetitions written out.
  static let limit = 1_000

  let steps: [Step]
  private let ignoresCase: Bool

  init(_ pattern: String) throws(Failure) {
    var parser = CELPatternParser(pattern)
    steps = try parser.program()
    ignoresCase = parser.ignoresCase
  }

  func matches(_ text: String) -> Bool {
    // The places at which the machine is, and when each was last put there.
    var (places, next): ([Int], [Int]) = ([], [])
    var seen = [Int](repeating: -1, count: steps.count)
    let scalars = Array(text.unicodeScalars)
    for position in 0...scalars.count {
      if add(0, to: &places, &seen, position, scalars.count) { return true }
      if position == scalars.count { return false }
      next.removeAll(keepingCapacity: true)
      for place in places {
        guard case .scalar(let ranges, let isNegative) = steps[place], accepts(ranges, scalars[position]) != isNegative
        else { continue }
        if add(place + 1, to: &next, &seen, position + 1, scalars.count) { return true }
      }
      swap(&places, &next)
    }
    return false
  }

  private func accepts(_ ranges: [ClosedRange<UInt32>], _ scalar: Unicode.Scalar) -> Bool {
    if ranges.contains(where: { $0.contains(scalar.value) }) { return true }
    guard ignoresCase, scalar.isASCII, scalar.properties.isAlphabetic else { return false }
    return ranges.contains { $0.contains(scalar.value ^ 0x20) }
  }

  /// Goes to a place and to all that follow without a scalar.
  ///
  /// - Returns: whether the match is there.
  private func add(_ place: Int, to places: inout [Int], _ seen: inout [Int], _ position: Int, _ end: Int) -> Bool {
    var waiting = [place]
    while let place = waiting.popLast() {
      if seen[place] == position { continue }
      seen[place] = position
      switch steps[place] {
      case .scalar: places.append(place)
      case .split(let one, let other): waiting += [one, other]
      case .jump(let other): waiting.append(other)
      case .start: if position == 0 { waiting.append(place + 1) }
      case .end: if position == end { waiting.append(place + 1) }
      case .match: return true
      }
    }
    return false
  }
}
