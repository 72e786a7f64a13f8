import Testing

@testable import GraphQL

@Suite(.timeLimit(.minutes(1))) struct `A list of errors` {
  private static let sources = [
    GraphQLSource(String(repeating: "é\n", count: 20), name: "a"), GraphQLSource("x", name: "b"),
  ]

  private func list(limit: Int) -> ErrorList { ErrorList(sources: Self.sources, limit: limit) }
  private func place(_ line: Int, source: UInt32 = 0) -> SourcePosition {
    SourcePosition(source: source, offset: UInt32(3 * line))
  }

  @Test func `names the first eight places of a thing, and none that is in no source`() {
    var list = list(limit: 5)
    list.add("Eight.", code: "C", at: (0..<8).map { place($0) })
    list.add("Nine.", code: "C", at: (0..<9).map { place($0) })
    list.add("Elsewhere.", code: "C", at: [place(0, source: 7), .none, place(0, source: 1)])
    #expect(list.errors.map(\.locations.count) == [8, 8, 1])
    #expect(list.errors[1].locations.map(\.line) == Array(1...8))
  }

  @Test func `says each error once, and no more than its limit`() {
    var list = list(limit: 2)
    for message in ["A.", "A.", "B.", "A.", "C."] {
      #expect(list.isFull == (list.errors.count == 2))
      list.add(message, code: "C", at: place(1))
    }
    #expect(list.errors.map(\.message) == ["A.", "B."] && list.isFull)
    list.add("A.", code: "C", at: place(2))
    #expect(list.errors.count == 2)
  }

  @Test func `offers what may have been meant of the first 2,000 names, by 64 characters of the wrong one`() {
    for (count, fix) in [(1_999, "Did you mean title?"), (2_000, nil)] as [(Int, String?)] {
      #expect(suggestion(for: "titel", among: [String](repeating: "zzzzzz", count: count) + ["title"]) == fix)
    }
    let name = String(repeating: "a", count: 64) + String(repeating: "b", count: 64)
    let near = String(repeating: "a", count: 61) + "ccc"
    #expect(suggestion(for: name, among: [near]) == "Did you mean \(near)?")
  }

  @Test func `has places that come one behind the other`() {
    #expect(place(1) < place(2) && place(2) < place(0, source: 1))
    #expect(!(place(1) < place(1)) && !(place(2) < place(1)) && !(place(0, source: 1) < place(2)))
  }
}
