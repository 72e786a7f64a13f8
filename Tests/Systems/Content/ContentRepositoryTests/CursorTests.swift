import JSON
import Testing
import Text

@testable import ContentRepository

@Suite(.timeLimit(.minutes(1))) struct `A cursor` {
  private static let id = "00000000-0000-4000-8000-000000000001"

  private static func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

  @Test(
    arguments: [
      [], [.null], [.bool(true), .bool(false)], [.integer(-7), .integer(.max), .integer(.min)],
      [.number(1.5), .number(-0.25), .number(1e300)], [.text(""), .text("a\nb"), .text("\"é\u{301}\t-")],
      [.null, .text("-"), .integer(0), .bool(true), .number(0.1)],
    ] as [[SortKey]], [nil, "night"])
  func `is read as it was written`(keys: [SortKey], variation: String?) {
    let cursor = PageCursor(keys: keys, id: Self.id, variation: variation)
    #expect(PageCursor(cursor.text, count: keys.count) == cursor)
  }

  @Test func `is the lines of its values, its identifier and its variation`() {
    let keys: [SortKey] = [.null, .bool(true), .bool(false), .integer(-7), .number(1.5), .text("a")]
    let lines = "-\nbtrue\nbfalse\ni-7\nn1.5\nt\"a\"\n\(Self.id)"
    #expect(PageCursor(keys: keys, id: Self.id, variation: nil).text == Self.base64(lines))
    #expect(PageCursor(keys: keys, id: Self.id, variation: "v").text == Self.base64(lines + "\nv"))
    #expect(PageCursor(keys: [], id: Self.id, variation: nil).text == Self.base64(Self.id))
  }

  @Test(arguments: [
    "x1", "", "i", "i1.5", "i9223372036854775808", "n", "ninf", "nnan", "nx", "t", "ta", "t5", "tnull", "t[\"a\"]",
    "t\"a", "5",
  ])
  func `is none with a value that cannot be read`(line: String) {
    #expect(SortKey(line: line[...]) == nil)
    #expect(PageCursor(Self.base64("\(line)\n\(Self.id)"), count: 1) == nil)
  }

  @Test func `is none of another list`() {
    let one = PageCursor(keys: [.integer(1)], id: Self.id, variation: nil).text
    #expect(PageCursor(one, count: 0) == nil && PageCursor(one, count: 2) == nil)
    let two = PageCursor(keys: [.integer(1), .integer(2)], id: Self.id, variation: nil).text
    #expect(PageCursor(two, count: 1) == nil && PageCursor(two, count: 0) == nil)
    // The rest is the name of a variation, whatever it holds.
    for name in ["night\nmore", "\n", "", "\u{301}a\r\n"] {
      let cursor = PageCursor(keys: [], id: Self.id, variation: name)
      #expect(PageCursor(cursor.text, count: 0) == cursor)
    }
    #expect(PageCursor(Self.base64("11111111-2222-4333-8444-55555555555A"), count: 0) == nil)
    #expect(PageCursor(Self.base64(""), count: 0) == nil)
    #expect(PageCursor(Base64.encode([0xFF]), count: 0) == nil)
    #expect(PageCursor("*", count: 0) == nil)
  }

  @Test func `is as long as it may be`() {
    // The line of a text has three bytes more than the text, and its end one.
    func cursor(_ bytes: Int) -> String {
      let text = String(repeating: "x", count: bytes - Self.id.utf8.count - 4)
      return PageCursor(keys: [.text(text)], id: Self.id, variation: nil).text
    }
    let (most, more) = (cursor(49_152), cursor(49_153))
    #expect(most.utf8.count == 65_536 && PageCursor(most, count: 1) != nil)
    #expect(more.utf8.count > 65_536 && PageCursor(more, count: 1) == nil)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A page of a list` {
  private struct Item {
    let name: String
    let number: Int
    var rank: Int?
    var variations: [String] = []
  }

  private static func state(_ items: [Item]) throws -> ContentState {
    var files = [
      "models/p/item.json": #"{"fields": [{"name": "name", "type": "text"}, {"name": "rank", "type": "integer"}]}"#
    ]
    for item in items {
      let variations = item.variations.map { "\"\($0)\": {\"fields\": {\"name\": \"\(item.name)-\($0)\"}}" }
      let digits = "\(item.number)"
      let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
      let rank = item.rank.map { "\($0)" } ?? "null"
      files["content/dam/p/\(item.name).json"] = """
        {"model": "item", "id": "\(id)", "fields": {"name": "\(item.name)", "rank": \(rank)},
          "variations": {\(variations.joined(separator: ", "))}}
        """
    }
    return try Samples.state(files)
  }

  private struct Page {
    var names: [String] = []
    var cursors: [String] = []
    var hasNext: Bool?
    var hasPrevious: Bool?
    var start: String?
    var end: String?
  }

  private static func page(
    _ arguments: String, after cursor: String? = nil, of state: ContentState
  ) async throws -> Page {
    let query = """
      query($after: String) { itemPaginated(\(arguments) after: $after) {
        edges { cursor node { name } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }
      """
    let answer = await state.run(query, variables: ["after": cursor.map(JSONValue.string) ?? .null])
    #expect(answer["errors"] == nil, "\(answer["errors"]?.description ?? "")")
    let (edges, info) = (
      answer["data"]?["itemPaginated"]?["edges"]?.arrayValue ?? [], answer["data"]?["itemPaginated"]?["pageInfo"]
    )
    return Page(
      names: edges.compactMap { $0["node"]?["name"]?.stringValue },
      cursors: edges.compactMap { $0["cursor"]?.stringValue }, hasNext: info?["hasNextPage"]?.boolValue,
      hasPrevious: info?["hasPreviousPage"]?.boolValue, start: info?["startCursor"]?.stringValue,
      end: info?["endCursor"]?.stringValue)
  }

  /// Their identifiers are in another order than their names.
  private static let five = [
    Item(name: "e", number: 1), Item(name: "d", number: 2), Item(name: "c", number: 3), Item(name: "b", number: 4),
    Item(name: "a", number: 5),
  ]

  @Test func `is in the order of identifiers without another`() async throws {
    let state = try Self.state(Self.five)
    let page = try await Self.page("", of: state)
    #expect(page.names == ["e", "d", "c", "b", "a"] && page.hasNext == false && page.hasPrevious == false)
    #expect(page.start == page.cursors.first && page.end == page.cursors.last && page.start != page.end)
    // A list is in the order of paths, before and behind.
    for _ in 0..<2 {
      let list = await state.run("{ itemList { items { name } } }")["data"]?["itemList"]?["items"]?.arrayValue
      #expect(list?.map { $0["name"] } == ["a", "b", "c", "d", "e"])
      #expect(try await Self.page("", of: state).names == ["e", "d", "c", "b", "a"])
    }
  }

  @Test func `begins behind a cursor`() async throws {
    let state = try Self.state(Self.five)
    let first = try await Self.page("first: 2,", of: state)
    #expect(first.names == ["e", "d"] && first.hasNext == true && first.hasPrevious == false)
    let second = try await Self.page("first: 2,", after: first.end, of: state)
    #expect(second.names == ["c", "b"] && second.hasNext == true && second.hasPrevious == true)
    let last = try await Self.page("first: 1,", after: second.end, of: state)
    #expect(last.names == ["a"] && last.hasNext == false && last.hasPrevious == true)
    let none = try await Self.page("first: 2,", after: last.end, of: state)
    #expect(none.names == [] && none.hasNext == false && none.hasPrevious == true)
    #expect(none.start == nil && none.end == nil)
    let whole = try await Self.page("", after: "", of: state)
    #expect(whole.names == ["e", "d", "c", "b", "a"] && whole.hasPrevious == false)
    let cut = try await Self.page("first: 0,", of: state)
    #expect(cut.names == [] && cut.hasNext == true && cut.hasPrevious == false)
  }

  @Test func `goes on behind what is gone, by its identifier`() async throws {
    let cursor = try await Self.page("first: 3,", of: try Self.state(Self.five)).end
    let rest = try Self.state(Self.five.filter { $0.name != "c" })
    #expect(try await Self.page("", after: cursor, of: rest).names == ["b", "a"])
    let last = try await Self.page("", of: try Self.state(Self.five)).end
    let others = try Self.state(Self.five.filter { $0.name != "a" })
    let none = try await Self.page("", after: last, of: others)
    #expect(none.names == [] && none.hasNext == false && none.hasPrevious == true)
    let early = try Self.state(Self.five.filter { $0.name != "e" })
    let start = try await Self.page("first: 1,", of: try Self.state(Self.five)).end
    let whole = try await Self.page("", after: start, of: early)
    #expect(whole.names == ["d", "c", "b", "a"] && whole.hasPrevious == false)
  }

  @Test(arguments: [
    ("rank", ["f", "a", "c", "d", "e", "b"]), ("rank DESC", ["b", "a", "c", "d", "e", "f"]),
  ])
  func `goes on behind what is gone, by its values first`(sort: String, order: [String]) async throws {
    let items = [
      Item(name: "a", number: 1, rank: 3), Item(name: "b", number: 2, rank: 5), Item(name: "c", number: 3, rank: 3),
      Item(name: "d", number: 4, rank: 3), Item(name: "e", number: 5, rank: 3), Item(name: "f", number: 6, rank: 1),
    ]
    let whole = try await Self.page("sort: \"\(sort)\",", of: try Self.state(items))
    #expect(whole.names == order)
    for (place, name) in order.enumerated() {
      let rest = try Self.state(items.filter { $0.name != name })
      let page = try await Self.page("sort: \"\(sort)\",", after: whole.cursors[place], of: rest)
      #expect(page.names == Array(order[(place + 1)...]), "\(name)")
    }
  }

  @Test func `shows each variation once`() async throws {
    let state = try Self.state([
      Item(name: "a", number: 2, variations: ["v", "w"]), Item(name: "b", number: 1, variations: ["w"]),
    ])
    let order = ["b", "b-w", "a", "a-v", "a-w"]
    let whole = try await Self.page("includeVariations: true,", of: state)
    #expect(whole.names == order && Set(whole.cursors).count == 5)
    var (names, cursor): ([String], String?) = ([], nil)
    for _ in 0..<5 {
      let page = try await Self.page("includeVariations: true, first: 1,", after: cursor, of: state)
      #expect(page.names.count == 1 && page.hasNext == (names.count < 4))
      names += page.names
      cursor = page.end
    }
    #expect(names == order)
    // In a list of one variation the cursor says nothing of it.
    let one = try await Self.page("variation: \"w\",", of: state)
    #expect(one.names == ["b-w", "a-w"])
    #expect(one.cursors == (try await Self.page("", of: state)).cursors)
  }

  @Test(arguments: [["u", "v", "w"], ["w", "u", "v"]])
  func `goes on behind a variation that is gone, with the others of its fragment`(all: [String]) async throws {
    func state(without gone: String?) throws -> ContentState {
      try Self.state([
        Item(name: "b", number: 1),
        Item(name: "a", number: 2, variations: all.filter { $0 != gone }), Item(name: "c", number: 3),
      ])
    }
    let order = ["b", "a", "a-u", "a-v", "a-w", "c"]
    for sort in ["", "sort: \"rank\","] {
      let arguments = "includeVariations: true, \(sort)"
      let whole = try await Self.page(arguments, of: state(without: nil))
      #expect(whole.names == order)
      for (place, gone) in zip(2..., ["u", "v", "w"]) {
        let page = try await Self.page(arguments, after: whole.cursors[place], of: state(without: gone))
        #expect(page.names == Array(order[(place + 1)...]), "\(gone) \(sort)")
      }
    }
  }

  @Test func `tells variations apart by the bytes of their names`() async throws {
    let state = try Self.state([Item(name: "a", number: 1, variations: ["\u{e9}", "e\u{301}"])])
    func bytes(_ page: Page) -> [[UInt8]] { page.names.map { Array($0.utf8) } }
    let order = ["a", "a-e\u{301}", "a-\u{e9}"].map { Array($0.utf8) }
    let whole = try await Self.page("includeVariations: true,", of: state)
    #expect(bytes(whole) == order)
    for (place, cursor) in whole.cursors.enumerated() {
      let rest = try await Self.page("includeVariations: true,", after: cursor, of: state)
      #expect(bytes(rest) == Array(order[(place + 1)...]), "\(place)")
    }
    // Also after the other one was asked for.
    for name in ["\u{e9}", "e\u{301}", "\u{e9}"] {
      let one = try await Self.page("variation: \"\(name)\",", of: state)
      #expect(bytes(one) == [Array("a-\(name)".utf8)])
    }
  }

  @Test(arguments: [
    ("", 50), ("first: 99,", 99), ("first: 100,", 100), ("first: 101,", 100), ("first: 2147483647,", 100),
  ])
  func `has a hundred at most, and fifty unless more are asked for`(arguments: String, count: Int) async throws {
    let state = try Self.state((1...101).map { Item(name: "n\($0)", number: $0) })
    let page = try await Self.page(arguments, of: state)
    #expect(page.names == (1...count).map { "n\($0)" } && page.hasNext == true)
  }
}
