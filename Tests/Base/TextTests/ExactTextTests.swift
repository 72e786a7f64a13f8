import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `An exact text` {
  /// One accent, as one scalar and as a letter with a mark.
  private let composed = "caf\u{E9}", decomposed = "cafe\u{301}"

  @Test func `equals the same bytes only`() {
    #expect(composed == decomposed, "the standard library calls them equal")
    #expect(ExactText(composed) != ExactText(decomposed))
    #expect(ExactText(composed) == ExactText("xcaf\u{E9}".dropFirst()))
    #expect(composed.hasBytes(of: composed[...]))
    #expect(!composed.hasBytes(of: decomposed))
    #expect(!composed.hasBytes(of: "caf"))
    #expect(!"caf".hasBytes(of: composed))
  }

  @Test func `keeps two spellings apart in a table and in a set`() {
    var table = [ExactText(composed): 1, ExactText(decomposed): 2]
    #expect(table[ExactText(composed)] == 1)
    #expect(table[ExactText(decomposed)] == 2)
    table[ExactText(composed)] = nil
    #expect(table.keys.map(\.text.utf8.count) == [decomposed.utf8.count])
    #expect(Set([composed, decomposed, composed].map { ExactText($0) }).count == 2)
  }

  @Test func `is ordered by its bytes`() {
    // The standard library orders by the composed forms: there the second is the smaller one.
    #expect(ExactText(decomposed) < ExactText(composed))
    #expect(!(ExactText(composed) < ExactText(decomposed)))
    #expect(!(ExactText(composed) < ExactText(composed)))
    #expect(ExactText("a") < "ab")
    #expect([ExactText("\u{E9}"), "e\u{301}", "f", ""].sorted().map(\.description) == ["", "e\u{301}", "f", "\u{E9}"])
  }
}
