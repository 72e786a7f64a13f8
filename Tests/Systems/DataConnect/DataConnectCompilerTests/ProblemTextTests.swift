import Testing

@testable import DataConnectCompiler

@Suite(.timeLimit(.minutes(1)))
struct `The text of a problem` {
  @Test func `says the nearest names, or something else`() {
    #expect(suggestion(for: "titel", among: ["title", "name"], otherwise: "x") == "Did you mean title?")
    #expect(suggestion(for: "zzz", among: ["title"], otherwise: "x") == "x")
    #expect(suggestion(for: "zzz", among: ["title"]) == nil && suggestion(for: "a", among: [String]()) == nil)
    let long = String(repeating: "a", count: 64)
    #expect(suggestion(for: long + "bbbbbbbbbb", among: [long]) == "Did you mean \(long)?")
    let names = (1...2_000).map { "other\($0)zzzzzzzzzz" }
    #expect(suggestion(for: "title", among: ["title"] + names) == "Did you mean title?")
    #expect(suggestion(for: "title", among: names.dropLast() + ["title"]) == "Did you mean title?")
    #expect(suggestion(for: "title", among: names + ["title"]) == nil)
  }

  @Test func `shows foreign texts cut and without what a terminal obeys`() {
    #expect("a\"b".quoted == "\"a\"b\"" && "a\u{1B}b".shown == "a\u{FFFD}b")
    #expect(String(repeating: "é", count: 81).shown == String(repeating: "é", count: 80) + "…")
    #expect(String(repeating: "é", count: 80).shown == String(repeating: "é", count: 80))
  }
}
