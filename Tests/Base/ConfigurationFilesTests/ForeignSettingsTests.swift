import ConfigurationFiles
import Testing

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
struct `Foreign settings` {
  private func texts(of pieces: [String], count: Int, seed: UInt64) -> [String] {
    var numbers = Seeded(state: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...14, using: &numbers)).map { _ in pieces.randomElement(using: &numbers) ?? "" }.joined()
    }
  }

  @Test func `are values or an error, whatever it is`() {
    let pieces = [
      "A", "B", " ", "\n", "\r\n", "=", "//", "/", "$(A)", "$(B)", "$(", ")", "$", "#include \"a\"", "#include? \"b\"",
      "#", "\"", "[x]", "é", "\u{301}", "\0", "\u{FEFF}",
    ]
    for text in texts(of: pieces, count: 20_000, seed: 1) {
      let files = ["first": text, "a": "A = 1\n" + text, "b": "B = $(A)"]
      do throws(ConfigurationError) {
        let config = try XCConfig(path: "first") { files[$0] }
        #expect(config.settings.allSatisfy { !$0.key.isEmpty && !$0.value.contains("\n") })
      } catch {
        #expect(error.place != nil && !error.recovery.isEmpty)
      }
    }
  }
}
