/// The syntax of regular expressions that a caller accepts. Every dialect has characters, `.`, classes such as `[a-z]`,
/// `[^…]`, `\d`, `\w` and `\s`, groups, `|`, `*`, `+`, `?` and `{n,m}`. None has back references or looks around, which
/// cannot be matched in linear time.
package struct PatternDialect: Sendable {
  /// Which letters are the same letter in another case.
  enum Folding: Sendable {
    /// The letters from A to Z.
    case ascii
    /// Letters of which Unicode knows one character for each case.
    case unicode
  }

  /// Which part of a text a pattern matches.
  enum Anchoring: Sendable {
    /// Any part; `^` and `$` stand for the ends of the text wherever they are.
    case anywhere
    /// The whole text; `^` and `$` stand for its ends wherever they are.
    case whole
    /// Any part; one `^` at the start and one `$` at the end bind the whole pattern, and stand nowhere else.
    case outer
  }

  /// What a `[` inside of `[…]` is.
  enum Bracket: Sendable { case itself, refused, refusedBeforeColon }

  /// What may follow a repetition.
  enum Repeating: Sendable {
    /// No other sign of a repetition.
    case once
    /// A `?`, which says that the repetition takes little and changes nothing of whether a text matches.
    case onceLazily
    /// A `?`, and then another repetition.
    case often
  }

  let limits: RegularPattern.Limits
  /// How many characters a pattern may have.
  var length = Int.max
  /// How deep groups may be nested.
  var depth = 31
  var anchoring = Anchoring.anywhere
  var folding = Folding.ascii
  var bracket = Bracket.itself
  var repeating = Repeating.once
  /// Which of `{`, `}` and `]` stand for themselves where they have no meaning.
  var literals = ""
  /// The largest number in `{n,m}`, and how many digits it may have.
  var bounds = (most: 9_999, digits: 4)
  /// Whether a pattern that begins with `(?i)` ignores case.
  var hasCaseFlag = false
  /// Whether `\A` and `\z` are the ends of the text.
  var hasTextAnchors = false
  /// Whether an escaped character can begin a range in `[…]`.
  var rangesBeginWithEscapes = true
  /// Whether a backslash before a letter or digit that is not ASCII is refused, as it is before one of ASCII.
  var refusesForeignEscapes = true
  /// The characters that an escaped letter stands for.
  var controls: [Unicode.Scalar: UInt32] = ["n": 10, "r": 13, "t": 9]
  /// The characters that `.` does not match.
  var lineEnds: [ClosedRange<UInt32>] = [0x0A...0x0A]
  /// The characters of `\w`.
  var word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
  /// The characters of `\s`.
  var space: [ClosedRange<UInt32>]
}

extension PatternDialect {
  /// The part of RE2's syntax without classes of Unicode, bounds of words and flags but `(?i)` at the start. A match is
  /// searched anywhere in the text.
  ///
  /// Source: https://github.com/google/re2/wiki/Syntax.
  package static let re2: PatternDialect = {
    var dialect = PatternDialect(limits: .init(instructions: 1_000), space: [9...10, 12...13, 0x20...0x20])
    (dialect.bracket, dialect.repeating, dialect.literals) = (.refusedBeforeColon, .onceLazily, "{}]")
    (dialect.bounds, dialect.hasCaseFlag, dialect.hasTextAnchors) = ((999, .max), true, true)
    dialect.controls = ["n": 10, "t": 9, "r": 13, "f": 12, "v": 11, "a": 7]
    return dialect
  }()

  /// The part of ICU's syntax that predicates use with MATCHES. The whole text has to match.
  ///
  /// Source: https://unicode-org.github.io/icu/userguide/strings/regexp.html.
  package static let icu: PatternDialect = {
    var dialect = PatternDialect(
      limits: .init(instructions: 4_096), space: [0x09...0x0D, 0x20...0x20, 0x85...0x85, 0xA0...0xA0])
    (dialect.anchoring, dialect.folding, dialect.depth) = (.whole, .unicode, 64)
    (dialect.bracket, dialect.repeating, dialect.literals) = (.refused, .often, "}]")
    dialect.bounds = (1_000, 4)
    dialect.lineEnds = [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]
    dialect.word.append(0xAA...0x2FF)
    return dialect
  }()

  /// A small syntax without surprises, for patterns that a form gives its fields: `^` and `$` stand at the ends only, and
  /// what could be a mistake is refused. A text of more than 10,000 characters does not match.
  package static let form: PatternDialect = {
    var dialect = PatternDialect(
      limits: .init(instructions: 2_000, characters: 10_000), space: [0x20...0x20, 0x09...0x0D, 0xA0...0xA0])
    (dialect.length, dialect.anchoring) = (1_000, .outer)
    (dialect.rangesBeginWithEscapes, dialect.refusesForeignEscapes) = (false, false)
    return dialect
  }()
}
