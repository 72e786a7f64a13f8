import Files
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A path and a folder` {
  @Test(
    arguments: [
      ("/a/b", "/a", "b"), ("/a/b/c", "/a", "b/c"), ("/a", "/a", nil), ("/ab", "/a", nil), ("/a", "/a/b", nil),
      ("/a/b", "/a/b/c", nil), ("/x", "/", "x"), ("/x/y", "/", "x/y"), ("/", "/", nil), ("/a/", "/a", nil),
      ("a/b", "a", "b"), ("ab", "a", nil), ("a", "a", nil),
      // Two spellings of a letter are two names, and what a mark follows is still a slash.
      ("/e\u{301}/x", "/\u{e9}", nil), ("/\u{e9}/x", "/e\u{301}", nil), ("/é/x", "/é", "x"),
      ("/a/\u{301}b", "/a", "\u{301}b"), ("/a\u{301}/b", "/a", nil),
    ] as [(String, String, String?)])
  func `the part below it begins after a whole name`(path: String, folder: String, part: String?) {
    // A comparison of texts would take two spellings of a letter for the same.
    #expect(path.part(below: folder).map { Array($0.utf8) } == part.map { Array($0.utf8) })
    #expect(path.isBelow(folder) == (part != nil))
  }

  @Test(
    arguments: [
      ("/a/b", "/a", true), ("/a", "/a", true), ("/ab", "/a", false), ("/a", "/a/b", false), ("/x", "/", true),
      ("/", "/", true), ("/a/b", "/a/b/c", false), ("/e\u{301}", "/\u{e9}", false), ("/a/\u{301}b", "/a", true),
      ("a", "a", true), ("a/b", "a", true), ("ab", "a", false),
    ])
  func `a folder is within itself`(path: String, folder: String, isWithin: Bool) {
    #expect(path.isBelowOrEqual(folder) == isWithin)
  }
}
