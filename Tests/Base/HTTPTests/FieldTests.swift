import HTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A header field` {
  @Test func `is found whatever the case of its name`() {
    #expect(HTTPField("Content-Type", "").isNamed("content-TYPE"))
    #expect(!HTTPField("K", "").isNamed("\u{212A}"))
    #expect(!HTTPField("[", "").isNamed("{"))
  }

  @Test func `is made small letter by letter of ASCII, and no other sign becomes one`() {
    #expect(FieldSyntax.lowercased("@AZ[`az{09") == "@az[`az{09")
    #expect(Array(FieldSyntax.lowercased("\u{212A}\u{C4}").utf8) == Array("\u{212A}\u{C4}".utf8))
  }

  @Test(arguments: [("GET", true), ("x-a_b.c~1", true), ("", false), ("a b", false), ("a:", false), ("é", false)])
  func `has a token for a name`(name: String, isToken: Bool) {
    #expect(FieldSyntax.isToken(name) == isToken)
  }

  @Test(arguments: [("a\tb é", true), ("", true), ("a\r\nb", false), ("\u{0}", false), ("\u{7F}", false)])
  func `has a value without line ends`(value: String, isValue: Bool) {
    #expect(FieldSyntax.isValue(value) == isValue)
  }

  @Test func `is trimmed of spaces and tabs, and of nothing else`() {
    #expect(FieldSyntax.trimmed(" \t a b\t") == "a b")
    #expect(FieldSyntax.trimmed("\u{A0}a") == "\u{A0}a")
  }
}
