import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `The parts of a path` {
  @Test(
    arguments: [
      ("", [], [""]), ("a", ["a"], ["a"]), ("/", [], ["", ""]), ("a/b", ["a", "b"], ["a", "b"]),
      ("/a//b/", ["a", "b"], ["", "a", "", "b", ""]), ("é/e\u{301}", ["é", "e\u{301}"], ["é", "e\u{301}"]),
      ("../\u{301}x", ["..", "\u{301}x"], ["..", "\u{301}x"]), ("/\u{301}", ["\u{301}"], ["", "\u{301}"]),
      ("a/\u{200D}/b", ["a", "\u{200D}", "b"], ["a", "\u{200D}", "b"]), ("a\r\n/b", ["a\r\n", "b"], ["a\r\n", "b"]),
    ] as [(String, [String], [String])])
  func `are between its slashes, whatever follows one`(path: String, parts: [String], all: [String]) {
    func scalars(_ texts: [some StringProtocol]) -> [[UInt32]] { texts.map { $0.unicodeScalars.map(\.value) } }
    #expect(scalars(path.pathParts()) == scalars(parts))
    #expect(scalars(path.pathParts(keepsEmpty: true)) == scalars(all))
    #expect(scalars("x\(path)".dropFirst().pathParts()) == scalars(parts))
  }

  @Test(
    arguments: [
      ("a", true), ("a/b", true), (".a", true), ("a.", true), ("...", true), ("a/..b", true), ("\u{301}", true),
      ("", false), ("/", false), ("/a", false), ("a/", false), ("a//b", false), (".", false), ("./a", false),
      ("a/.", false), ("..", false), ("../a", false), ("a/..", false), ("a/../b", false), ("a/\u{301}b", true),
      ("../\u{301}b", false), ("a/\u{301}/..", false),
    ] as [(String, Bool)])
  func `lead below where it begins, or are none`(path: String, leadsBelow: Bool) {
    #expect(path.partsBelow == (leadsBelow ? path.pathParts() : nil))
  }

  @Test(
    arguments: [
      ("a.txt", "a.txt"), ("a/b\\c.txt", "c.txt"), ("a\\b/c.txt", "c.txt"), ("a/", "a"), ("/", nil), ("\\", nil),
      ("", nil),
      ("a/\u{301}b", "\u{301}b"), ("a\\\u{301}b", "\u{301}b"), ("..", ".."),
    ] as [(String, String?)])
  func `end with a name, on every system`(path: String, name: String?) {
    #expect(path.lastName.map { Array($0.unicodeScalars) } == name.map { Array($0.unicodeScalars) })
  }

  @Test(arguments: [
    ("a", "a"), ("a?b", "a"), ("a#b?c", "a"), ("a?b#c", "a"), ("?", ""), ("", ""), ("a?\u{301}b", "a"),
    ("a\u{301}#\u{301}b", "a\u{301}"),
  ])
  func `of an address are before its query and its fragment`(address: String, path: String) {
    #expect(Array(address.withoutQuery.utf8) == Array(path.utf8))
    #expect(Array("x\(address)".dropFirst().withoutQuery.utf8) == Array(path.utf8))
  }

  @Test(arguments: [
    ("a/./b/../c", "a/c"), ("a//b/", "a/b"), ("", "."), (".", "."), ("a/..", "."), ("..", ".."), ("../..", "../.."),
    ("../a/..", ".."), ("../../a/../b", "../../b"), ("/", "/"), ("/a/../", "/"), ("/a/./b", "/a/b"), ("./x", "x"),
    ("/..", "/"), ("/../../a", "/a"), ("a/b/../../c", "c"), ("..a/a..", "..a/a.."),
    // Behind a slash with a combining mark is a name, and before it a folder.
    ("/\u{301}a/..", "/"), ("a/../\u{301}b", "\u{301}b"),
  ])
  func `have no steps that lead nowhere`(path: String, expected: String) {
    #expect(Array(path.plainPath.utf8) == Array(expected.utf8))
  }
}
