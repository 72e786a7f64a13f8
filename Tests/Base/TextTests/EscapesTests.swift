import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `An escape` {
  @Test(arguments: [
    ("", ""), ("a", "a"), ("'", "''"), ("''", "''''"), ("a'b'", "a''b''"), ("\"", "\""), ("é'ü", "é''ü"),
    // With the mark it is one character.
    ("'\u{301}", "''\u{301}"), ("a'\u{301}'b", "a''\u{301}''b"),
  ])
  func `doubles every quote, whatever follows it`(text: String, doubled: String) {
    #expect(Array(text.doubling("'").unicodeScalars) == Array(doubled.unicodeScalars))
    #expect(Array(text.quoted("'").unicodeScalars) == Array("'\(doubled)'".unicodeScalars))
  }

  @Test(arguments: [
    ("", ""), (#"a\b"c"#, #"a\\b\"c"#), (#"\""#, #"\\\""#), ("\"\u{301}\\\u{301}", "\\\"\u{301}\\\\\u{301}"),
    ("é", "é"),
  ])
  func `stands before each of several scalars, once`(text: String, escaped: String) {
    #expect(Array(text.escaping("\\", "\"", with: "\\").unicodeScalars) == Array(escaped.unicodeScalars))
  }
}
