import PropertyList
import Testing

@testable import AppExtensions

/// What is read as a URL from shared defaults.
@Suite(.timeLimit(.minutes(1)))
struct `A URL in shared defaults` {
  private func url(_ value: PropertyListValue?) -> String? {
    DefaultsSnapshot(revision: 1, values: value.map { ["k": $0] } ?? [:]).url(forKey: "k")
  }

  @Test(arguments: ["https://example.com/a?b#c", "a:", "mailto:a@b", "x-1.y+z:rest", "Z9:\u{E9}", "a:b:c"])
  func `is a text with a scheme`(text: String) {
    #expect(url(.string(text)) == text)
  }

  @Test(arguments: [
    "", "a", ":", ":a", "1a:b", "+a:b", "a b:c", "a_b:c", "\u{E9}:a", "a\u{E9}:b", "a/b:c", "\u{FF11}a:b",
  ])
  func `is no text without one`(text: String) {
    #expect(url(.string(text)) == nil)
  }

  @Test func `is the file URL of a path from the root, with what a URL does not hold escaped`() {
    #expect(url("/") == "file:///")
    #expect(url("/a-b._~!$&'()*+,;=:@z0") == "file:///a-b._~!$&'()*+,;=:@z0")
    #expect(url("/a b/\u{E9}%?#[\n\u{1}") == "file:///a%20b/%C3%A9%25%3F%23%5B%0A%01")
    #expect(url("a/b") == nil && url("./a") == nil && url("~/a") == nil)
  }

  @Test func `is nothing else`() {
    #expect(url(nil) == nil && url(1) == nil && url(["a:b"]) == nil && url(true) == nil)
  }
}
