import TestSupport
import Testing

@testable import DataConnectGenerator

/// What a name of a schema becomes, also where it is empty, no word of ASCII, or a word of Swift.
@Suite(.timeLimit(.minutes(1)))
struct `A name in generated code` {
  private static let keywords = [
    "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "async", "await", "borrow", "break", "case",
    "catch", "class", "consume", "continue", "copy", "default", "defer", "deinit", "discard", "do", "each", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "macro", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "then", "throw",
    "throws", "true", "try", "typealias", "unsafe", "var", "where", "while", "yield", "_",
  ]

  @Test func `is in back quotes where it is a word of Swift, and nowhere else`() throws {
    for word in try Cases.present(Self.keywords, least: 69) {
      #expect(SwiftName.escaped(word) == "`\(word)`")
      #expect(SwiftName.isKeyword(word))
    }
    for name in ["title", "", "__", "Class", "SELF", "class2", "é", "actor", "get", "open"] {
      #expect(SwiftName.escaped(name) == name)
      #expect(!SwiftName.isKeyword(name))
    }
  }

  @Test func `is in back quotes as a label only where Swift wants them`() {
    #expect(SwiftName.label("inout") == "`inout`")
    #expect(SwiftName.label("_") == "`_`")
    for name in ["class", "self", "init", "in", "", "title"] { #expect(SwiftName.label(name) == name) }
  }

  @Test func `of a member is another where it would hide something`() {
    for name in ["self", "Self", "CodingKeys", "RawValue"] { #expect(SwiftName.member(name) == name + "_") }
    for name in ["init", "codingKeys", "rawValue", "Type", "", "self_"] { #expect(SwiftName.member(name) == name) }
  }

  @Test(
    arguments: [
      ("title", "Title", "title"), ("Title", "Title", "title"), ("", "", ""), ("a", "A", "a"), ("AB", "AB", "aB"),
      ("_name", "_name", "_name"), ("ämter", "Ämter", "ämter"), ("ÄB", "ÄB", "äB"), ("ßa", "SSa", "ßa"),
      ("e\u{301}tage", "E\u{301}tage", "e\u{301}tage"), ("2nd", "2nd", "2nd"),
    ])
  func `begins with a letter of the wanted case`(name: String, upper: String, lower: String) {
    #expect(SwiftName.upperFirst(name) == upper)
    #expect(SwiftName.lowerFirst(name) == lower)
  }

  @Test(
    arguments: [
      ("movies", "Movies"), ("friendly-flix", "FriendlyFlix"), ("a_b", "AB"), ("a--b-", "AB"), ("-a", "A"),
      ("myFlix", "MyFlix"), ("2nd-one", "_2ndOne"), ("one-2", "One2"), ("", "_"), ("--", "_"), ("é", "_"),
      ("aéb", "AB"),
      ("a\u{301}b", "B"), ("a١b", "AB"),
    ])
  func `of a module is made of its words of ASCII`(name: String, expected: String) {
    #expect(SwiftName.pascalCase(name) == expected)
  }

  @Test(
    arguments: [
      ("", #""""#), ("plain", #""plain""#), (#"say "hi""#, #""say \"hi\"""#), (#"a\b"#, #""a\\b""#),
      ("\u{0}\u{7}\u{1F}", #""\u{0}\u{7}\u{1f}""#), ("a\r\nb\tc", #""a\u{d}\u{a}b\u{9}c""#),
      ("\u{7F}\u{85}\u{9F}", #""\u{7f}\u{85}\u{9f}""#), ("\u{2028}\u{2029}", #""\u{2028}\u{2029}""#),
      ("\u{2027}\u{202A}\u{A0}", "\"\u{2027}\u{202A}\u{A0}\""), ("é\u{301}\u{1F600}", "\"é\u{301}\u{1F600}\""),
      (#"\(x)"#, #""\\(x)""#), ("'$#", #""'$#""#),
    ])
  func `that is a text is a literal that reads as it`(text: String, literal: String) {
    #expect(SwiftName.literal(text).unicodeScalars.elementsEqual(literal.unicodeScalars))
  }

  @Test func `is given once, then with a number from 2 on`() {
    var scope = NameScope()
    #expect(!scope.has("a"))
    #expect(["a", "a", "a"].map { scope.take($0) } == ["a", "a2", "a3"])
    #expect(scope.has("a") && scope.has("a2") && scope.has("a3") && !scope.has("a4"))
    // A number that is there already is passed over.
    #expect(scope.take("b2") == "b2")
    #expect([scope.take("b"), scope.take("b")] == ["b", "b3"])
  }

  @Test func `is the first of several that nothing has, or the last with a number`() {
    var scope = NameScope(["taken"])
    #expect(scope.has("taken"))
    #expect(scope.take("taken", "first", "second") == "first")
    #expect(scope.take("taken", "first", "second") == "second")
    #expect(scope.take("taken", "first", "second") == "second2")
    #expect(scope.take("taken", "second") == "second3")
    #expect(scope.take("first", "taken") == "taken2")
    #expect(scope.take() == "_2")
    #expect(scope.take() == "_3")
  }
}
