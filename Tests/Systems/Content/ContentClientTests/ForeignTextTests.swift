import Text
import Testing
import Time

@testable import ContentClient

/// Numbers that are the same in every run (SplitMix64).
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    return bits ^ (bits >> 31)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Foreign text` {
  private func texts(of pieces: [String], count: Int, seed: UInt64) -> [String] {
    var numbers = Seeded(state: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...14, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
    }
  }

  @Test func `in a header is a number in range or nothing, whatever it is`() {
    let pieces = [
      "max-age", "stale-if-error", "no-store", "=", ",", "\"", " ", "-", "9", "99999999999999999999", "\t", "é", "Sun,",
      "06", "Nov", "1994", "08:49:37", ":", "GMT",
    ]
    for text in texts(of: pieces, count: 20_000, seed: 2) {
      let control = CacheControl(fields: [text, text])
      #expect((0...1 << 31).contains(control.maximumAge) && (0...1 << 31).contains(control.staleIfError))
      _ = HTTPDate.seconds(text)
    }
  }

  @Test func `is one short line in a message`() {
    #expect(quotable("a\r\n\t b\u{1B}[0m\u{202E}c ") == "a b [0mc")
    #expect(quotable(String(repeating: "x", count: 10_000)).count == 201)
    #expect(quotable("") == "")
  }
}
