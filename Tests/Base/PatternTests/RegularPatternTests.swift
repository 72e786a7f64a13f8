import Pattern
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A pattern` {
  /// A dialect, by the name that a failed test shows.
  enum Dialect: CaseIterable {
    case re2, icu, form

    var syntax: PatternDialect {
      switch self {
      case .re2: .re2
      case .icu: .icu
      case .form: .form
      }
    }
  }

  @Test(arguments: [
    (Dialect.re2, "ell", "hello", true), (.re2, "^ell", "hello", false), (.re2, "^h.*o$", "hello", true),
    (.re2, "l{2}", "hello", true), (.re2, "l{3,}", "hello", false), (.re2, #"^[a-z]+\d{1,3}$"#, "abc123", true),
    (.re2, #"^[\w-]+$"#, "a-b", true), (.re2, "^$", "", true), (.re2, "^(?:a|b)*$", "ab", true),
    (.re2, "^(a|b)*$", "abc", false), (.re2, "(?i)^abc$", "ABC", true), (.re2, "a.b", "a\nb", false),
    (.re2, "^[]]$", "]", true), (.re2, "[^x]", "x", false), (.re2, "^.$", "é", true), (.re2, "(a*)*b", "", false),
    (.re2, "a{", "a{", true), (.re2, "^a??a+?b$", "aab", true), (.re2, "^a{,2}]}$", "a{,2}]}", true),
    (.re2, #"\Ab\z"#, "b", true), (.re2, #"\Ab\z"#, "ab", false), (.re2, "^a|b$", "ax", true),
    (.re2, #"^[+\--9]$"#, ".", true), (.re2, "(?i)é", "É", false),
  ])
  func `of RE2 is searched anywhere`(dialect: Dialect, pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularPattern(pattern, dialect.syntax).matches(text) == isMatch)
  }

  @Test(arguments: [
    (Dialect.icu, #"photo\d+"#, "photo12", true), (.icu, "hot", "photo", false), (.icu, "[^a-c]", "x", true),
    (.icu, "^a.$", "ab", true), (.icu, "a{2,3}", "aaaa", false), (.icu, "a{2,}", "aaa", true),
    (.icu, "(a|b)*", "", true), (.icu, #"[a\-]+b"#, "a-b", true), (.icu, ".", "\n", false),
    (.icu, ".", "\u{2028}", false),
    (.icu, "a|b", "ab", false), (.icu, "a??{2}", "", true), (.icu, "a}]", "a}]", true), (.icu, #"\w"#, "ü", true),
    (.icu, "x{0}", "", true),
  ])
  func `of ICU matches a whole text`(dialect: Dialect, pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularPattern(pattern, dialect.syntax).matches(text) == isMatch)
  }

  @Test(arguments: [
    (#"^[a-z0-9\-_]{5,40}$"#, "bali-surf-camp", true), (#"^[a-z0-9\-_]{5,40}$"#, "bali", false),
    (#"^[a-z0-9\-_]{5,40}$"#, "Bali-surf", false), ("^a|b$", "b", true), ("^(a|bc)+$", "abcbc", true),
    ("^(a|bc)+$", "abcb", false), ("b+", "abba", true), ("^b+", "abba", false), ("a$", "abba", true), ("", "", true),
    ("^$", "a", false), (#"^\d{2,}$"#, "1", false), (#"^\d{2,}$"#, "12345", true), (#"^\w+\s\W$"#, "ab_9 !", true),
    ("^[^a-c]+$", "xyz", true), ("^[^a-c]+$", "xbz", false), ("^(?:ab)?c.$", "abcd", true), (#"^\$$"#, "$", true),
    ("^(a*)*$", String(repeating: "a", count: 5_000) + "b", false), ("^ü{2}$", "üü", true), ("^[a-]$", "-", true),
    (#"^[+\--9]$"#, ".", false), ("^a|b$", "ax", false), (#"\ü"#, "ü", true),
    (".", String(repeating: "a", count: 10_000), true), (".", String(repeating: "a", count: 10_001), false),
    ("ü$", String(repeating: "ü", count: 10_000), true), ("ü$", String(repeating: "ü", count: 10_001), false),
  ])
  func `of a form matches`(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try RegularPattern(pattern, .form).matches(text) == isMatch)
  }

  @Test(arguments: [
    (Dialect.re2, ["a{2,1}", "[[:alpha:]]", "(?P<n>a)", #"\pL"#, "a{999}{999}", "a{1000}", #"[\D]"#, "a+?+"]),
    (.icu, ["{", "a{1,2000}", "a++", "[[a]", #"[\D]"#, "a{x}", "a{2,x}", "a{3,2}", "a{0002000}", "a**"]),
    (
      .form,
      [
        "[]", "a{", "a{2", "a{3,2}", "a{99999}", "((a{99}){99}){99}", String(repeating: "(", count: 500), "a^", "a$b",
        "]", "}", "a+?", String(repeating: "a", count: 1_001), #"[\D]"#,
      ]
    ),
  ])
  func `is refused when its dialect does not have it`(dialect: Dialect, patterns: [String]) {
    for pattern in patterns {
      #expect(throws: PatternFailure.self, "\(pattern)") { try RegularPattern(pattern, dialect.syntax) }
    }
  }

  @Test(arguments: Dialect.allCases)
  func `is refused in every dialect`(dialect: Dialect) {
    for pattern in [
      "(", ")", "[", "[z-a]", "*a", "a**", #"\"#, #"\1"#, #"\b"#, "(?=a)", "[a", "(a", "a)", "|*", #"[a\"#,
    ] {
      #expect(throws: PatternFailure.self, "\(pattern)") { try RegularPattern(pattern, dialect.syntax) }
    }
    let deep = String(repeating: "(", count: 65) + String(repeating: ")", count: 65)
    #expect(throws: PatternFailure.tooDeep) { try RegularPattern(deep, dialect.syntax) }
  }

  /// Each repetition multiplies those inside, also when there is nothing to repeat.
  @Test(arguments: Dialect.allCases)
  func `is never too much work to compile`(dialect: Dialect) throws {
    let nested = String(repeating: "(", count: 30) + String(repeating: "){900}", count: 30)
    #expect(try RegularPattern(nested, dialect.syntax).matches(""))
    #expect(throws: PatternFailure.tooLarge) {
      try RegularPattern(
        String(repeating: "(", count: 30) + "a" + String(repeating: "){900}", count: 30), dialect.syntax)
    }
    #expect(throws: PatternFailure.tooLarge) {
      try RegularPattern(String(repeating: "(", count: 30) + String(repeating: "){0,900}", count: 30), dialect.syntax)
    }
  }

  @Test(arguments: Dialect.allCases)
  func `takes no longer for a text that almost matches`(dialect: Dialect) throws {
    let text = String(repeating: "a", count: 9_999) + "b"
    for pattern in ["(a*)*c", "(a|a)*(a|a)*(a|a)*c", "(a+)+c"] {
      var comparisons = 0
      let isMatch = try RegularPattern(pattern, dialect.syntax).matches(text) { comparisons += $0 }
      #expect(!isMatch && comparisons <= 10_000 * 20)
    }
  }

  @Test func `ends the search when what it may cost is spent`() throws {
    struct Spent: Error {}
    let pattern = try RegularPattern("(a|b)*", .icu)
    #expect(throws: Spent.self) {
      try pattern.matches(String(repeating: "a", count: 100)) { (_: Int) throws(Spent) in throw Spent() }
    }
  }

  @Test func `ignores the case of letters when it is asked to`() throws {
    #expect(try RegularPattern("p(h|x)oto", .icu, ignoresCase: true).matches("Photo"))
    #expect(try RegularPattern("é[α-ω]", .icu, ignoresCase: true).matches("ÉΔ"))
    #expect(try !RegularPattern("[^a]", .icu, ignoresCase: true).matches("A"))
    #expect(try !RegularPattern("straße", .icu, ignoresCase: true).matches("STRASSE"))
    #expect(try RegularPattern("a1", .re2, ignoresCase: true).matches("A1"))
  }

  @Test(arguments: [(Dialect.re2, 31), (.icu, 64), (.form, 31)])
  func `is as deep as its dialect allows, and no deeper`(dialect: Dialect, depth: Int) throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
    }
    #expect(try RegularPattern(nested(depth), dialect.syntax).matches("a"))
    #expect(throws: PatternFailure.tooDeep) { try RegularPattern(nested(depth + 1), dialect.syntax) }
    // Groups beside each other are not in each other.
    let many = String(repeating: "(a)", count: depth + 1)
    #expect(try RegularPattern(many, dialect.syntax).matches(String(repeating: "a", count: depth + 1)))
  }

  @Test(
    arguments: [
      (
        .re2,
        [
          ("a{2,1}", .invalidBounds), ("[[:alpha:]]", .nestedClass), ("(?P<n>a)", .unknownGroup),
          (#"\pL"#, .unknownEscape("p")), (#"\1"#, .unknownEscape("1")), (#"[\D]"#, .negatedClass("D")),
          ("a+?+", .repeatedTwice("+")), ("a+??", .repeatedTwice("?")), ("a**", .repeatedTwice("*")),
          ("*a", .nothingToRepeat("*")), ("(|+)", .nothingToRepeat("+")), ("a)", .unopenedGroup),
          ("(a", .unclosedGroup), ("[a", .unclosedClass), ("[z-a]", .invalidRange),
          (#"[a-\d]"#, .invalidRange), (#"a\"#, .unfinishedEscape), (#"[a\"#, .unfinishedEscape),
          ("a{1000}", .tooLarge),
        ]
      ),
      (
        .icu,
        [
          ("{", .nothingToRepeat("{")), ("a{x}", .noCount), ("a{2,x}", .invalidBounds), ("a{1,1001}", .invalidBounds),
          ("a++", .repeatedTwice("+")), ("a*{2}", .repeatedTwice("{")), ("[[a]", .nestedClass),
          (#"[\S]"#, .negatedClass("S")), (#"\é"#, .unknownEscape("é")),
        ]
      ),
      (
        .form,
        [
          ("a^", .misplaced("^")), ("a$b", .misplaced("$")), ("]", .misplaced("]")), ("}", .misplaced("}")),
          ("a+?", .nothingToRepeat("?")), ("a{", .noCount), ("a{2", .invalidBounds), ("[]", .unclosedClass),
        ]
      ),
    ] as [(Dialect, [(String, PatternFailure)])])
  func `says why it is refused`(dialect: Dialect, patterns: [(String, PatternFailure)]) {
    for (pattern, failure) in patterns {
      #expect(throws: failure, "\(pattern)") { try RegularPattern(pattern, dialect.syntax) }
    }
  }

  @Test(arguments: [
    ("^ab", "xb", 2), ("^ab", "ab", 4), ("^ab", "abxxxx", 4), ("ab", "xx", 4), ("b", "abbb", 4), ("", "abc", 0),
  ])
  func `costs a comparison for each place up to the match`(pattern: String, text: String, cost: Int) throws {
    // Behind a start that did not match nothing is looked at.
    var sum = 0
    let isMatch = try RegularPattern(pattern, .re2).matches(text) { sum += $0 }
    #expect(sum == cost && isMatch == !text.hasPrefix("x"))
  }

  @Test func `has so many instructions and so many repetitions`() throws {
    #expect(try RegularPattern("a{999}", .re2).size == 1_000)
    #expect(throws: PatternFailure.tooLarge) { try RegularPattern("a{999}b", .re2) }
    #expect(throws: PatternFailure.tooLarge) { try RegularPattern("a{0,1000}", .re2) }
    #expect(try RegularPattern("a{1999}", .form).size == 2_000)
    #expect(throws: PatternFailure.tooLarge) { try RegularPattern("a{2000}", .form) }
    #expect(try RegularPattern("a{1000}", .icu).matches(String(repeating: "a", count: 1_000)))
    #expect(throws: PatternFailure.invalidBounds) { try RegularPattern("a{1001}", .icu) }
    #expect(throws: PatternFailure.invalidBounds) { try RegularPattern("a{0,1001}", .icu) }
    let most = String(repeating: "ü", count: 1_000)
    #expect(try RegularPattern(most, .form).matches(most))
    #expect(throws: PatternFailure.tooLarge) { try RegularPattern(most + "ü", .form) }
  }

  @Test(arguments: [
    (Dialect.re2, #"\d"#, "09", "/:"), (.re2, #"\w"#, "09AZaz_", "/:@[`{^é"),
    (.re2, #"\s"#, "\t\n\u{C}\r ", "\u{8}\u{B}\u{E}\u{A0}!"), (.icu, #"\d"#, "09", "/:"),
    (.icu, #"\s"#, "\t\n\u{B}\u{C}\r \u{85}\u{A0}", "\u{8}\u{E}!\u{86}"),
    (.icu, #"\w"#, "09AZaz_\u{AA}\u{2FF}", "/:@[`{\u{A9}\u{300}"),
    (.icu, ".", "\u{9}\u{E}\u{84}\u{86}\u{2027}\u{202A}", "\n\u{B}\u{C}\r\u{85}\u{2028}\u{2029}"),
    (.re2, ".", "\u{9}\u{B}\r\u{2028}", "\n"), (.form, ".", "\u{9}\u{B}\r\u{2028}", "\n"),
    (.form, #"\s"#, "\t\n\u{B}\u{C}\r \u{A0}", "\u{8}\u{E}!\u{85}"), (.form, "^[b-d]$", "bcd", "ae"),
    (.re2, #"\f"#, "\u{C}", "f"), (.re2, #"\v"#, "\u{B}", "v"), (.re2, #"\a"#, "\u{7}", "a"),
    (.icu, #"\n"#, "\n", "n"), (.icu, #"\r"#, "\r", "r"), (.icu, #"\t"#, "\t", "t"),
  ])
  func `has classes from their first character to their last`(
    dialect: Dialect, pattern: String, inside: String, outside: String
  ) throws {
    let pattern = try RegularPattern(pattern, dialect.syntax)
    for scalar in inside.unicodeScalars { #expect(pattern.matches(String(scalar)), "\(scalar.value)") }
    for scalar in outside.unicodeScalars { #expect(!pattern.matches(String(scalar)), "\(scalar.value)") }
  }

  @Test func `ignores the case of letters, and of nothing that stands where they would`() throws {
    for (one, other) in [("@", "`"), ("[", "{"), ("0", "\u{10}")] {
      #expect(try !RegularPattern("^[\(one)]$", .re2, ignoresCase: true).matches(other))
    }
    #expect(try RegularPattern("[a-c]", .re2, ignoresCase: true).matches("C"))
    #expect(try !RegularPattern("[a-c]", .re2, ignoresCase: true).matches("D"))
    #expect(try !RegularPattern("a", .re2).matches("A") && !RegularPattern("é", .icu).matches("É"))
  }
}
