import Testing

@testable import Fetching

@Suite(.timeLimit(.minutes(1)))
struct `What is taken out of an answer` {
  private static let token = "eyJ/secret+token=="

  /// The text that arrives of pieces of so many bytes.
  private func arrived(_ text: String, of size: Int, tokens: [String] = [token]) -> String {
    var filter = SecretFilter(tokens)
    var found: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      found += filter.pass(bytes[start..<min(start + size, bytes.count)])
    }
    return String(decoding: found + filter.end(), as: UTF8.self)
  }

  @Test(arguments: [1, 2, 3, 17, 1_000]) func `is a token in pieces of any size, whole, twice, at both ends`(size: Int)
  {
    let token = Self.token
    #expect(arrived("\(token)a\(token)\(token)", of: size) == "<redacted>a<redacted><redacted>")
    #expect(arrived("eyJeyJ/\(token)", of: size) == "eyJeyJ/<redacted>")
    #expect(arrived(#"{"a":"eyJ\/secret+token=="}"#, of: size) == #"{"a":"<redacted>"}"#)
    #expect(arrived("?t=eyJ%2Fsecret%2Btoken%3D%3D&", of: size) == "?t=<redacted>&")
  }

  @Test(arguments: [1, 1_000]) func `is not what only begins like one, nor a short text`(size: Int) {
    for text in ["eyJ/secret+token=", "", "eyJ", "eyJ/secret+tokenX="] { #expect(arrived(text, of: size) == text) }
    #expect(arrived("a short one", of: size, tokens: ["short"]) == "a short one")
    #expect(arrived("x", of: size, tokens: []) == "x")
  }

  @Test func `is each of several tokens, one of which begins with another`() {
    let tokens = ["12345678", "1234567890"]
    #expect(arrived("1234567890 12345678 123456789", of: 1, tokens: tokens) == "<redacted> <redacted> <redacted>9")
  }

  @Test func `has eight bytes at least, however many letters these are`() {
    for (token, isTaken) in [("1234567", false), ("12345678", true), ("éééé", true), ("ééé1", false)] {
      let filter = SecretFilter([token])
      #expect(filter.cleaned("a\(token)b") == (isTaken ? "a<redacted>b" : "a\(token)b"))
      // A filter is used again, for each field and the body.
      #expect(filter.cleaned(Array(token.utf8)) == (isTaken ? SecretFilter.mark : Array(token.utf8)))
    }
  }

  @Test func `is kept back until it is known to be none, and let go at the end`() {
    var filter = SecretFilter(["12345678"])
    #expect(filter.pass(Array("a1234567".utf8)) == Array("a".utf8))
    #expect(filter.pass([]) == [] && filter.pass(Array("x12".utf8)) == Array("1234567x".utf8))
    #expect(filter.end() == Array("12".utf8) && filter.end() == [])
  }
}
