import Text
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Near misses` {
  @Test(
    arguments: [
      ("lsit", ["list"]), ("LIST", ["list"]), ("shar", ["share"]), ("defualts", ["defaults"]), ("sess", ["sessions"]),
      ("xyzzy", []), ("", []), ("sessionss", ["sessions"]), ("t", []),
    ] as [(String, [String])])
  func `are found by edit distance and by beginning`(word: String, expected: [String]) {
    #expect(nearMisses(of: word, in: ["list", "share", "defaults", "sessions", "today"]) == expected)
  }

  @Test func `are at most three, the nearest first, each once`() {
    #expect(nearMisses(of: "abcd", in: ["abce", "abcf", "abcd", "abcg", "abch", "abcd"]) == ["abcd", "abce", "abcf"])
  }

  @Test func `make one sentence`() {
    #expect(didYouMean([]) == nil)
    #expect(didYouMean(["a"]) == "Did you mean a?")
    #expect(didYouMean(["a", "b", "c"]) == "Did you mean a, b or c?")
  }

  @Test(arguments: [
    ("abcde", "abcdX", true), ("abcde", "abcXX", false), ("abcdef", "abcdXX", true), ("abcdef", "abcXXX", false),
    ("abcdefghi", "abcdefXXX", true), ("abcdefghi", "abcdeXXXX", false), ("abcdefghijkl", "abcdefghXXXX", false),
    ("ab", "ba", true), ("a", "b", true), ("a", "bc", false), ("äöüß", "äöüX", true), ("ab", "abXXXXX", true),
  ])
  func `differ in a third of their letters at most, and in three`(word: String, name: String, isFound: Bool) {
    #expect(nearMisses(of: word, in: [name]) == (isFound ? [name] : []))
  }

  @Test func `are never empty names`() { #expect(nearMisses(of: "xyzzy", in: ["", "xyzzyx"]) == ["xyzzyx"]) }
}
