import Testing

@testable import Files

@Suite(.timeLimit(.minutes(1)))
struct `A path in a folder` {
  @Test(arguments: [
    ("a", "/x", "/x/a"), ("../b", "/x/y", "/x/y/../b"), ("/abs", "/x", "/abs"), ("a", ".", "a"), ("a", "..", "../a"),
    ("a", "/", "/a"), ("a", "x/", "x/a"), ("/", "x", "/"), ("/\u{301}a", "/x", "/\u{301}a"),
  ])
  func `is meant from there on, unless it begins at the root`(path: String, folder: String, expected: String) {
    #expect(Array(Folder.path(path, in: folder).utf8) == Array(expected.utf8))
  }

  @Test func `is meant from the working directory by default`() {
    #expect(Folder.path("a") == "\(Folder.workingDirectory)/a")
    #expect(Folder.path("/a") == "/a")
  }
}
