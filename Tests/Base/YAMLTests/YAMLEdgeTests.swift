import Testing
import YAML

@Suite(.timeLimit(.minutes(1))) struct `A YAML file at its edges` {
  private func read(_ text: String, _ limits: YAMLLimits = YAMLLimits()) -> YAMLReader.Result {
    YAMLReader.read(Array(text.utf8), limits: limits)
  }

  @Test func `has values of other kinds that are absent`() throws {
    let root = try #require(read("a: [1]\nb: {c: 2}\n").node)
    let (list, map) = (try #require(root["a"]), try #require(root["b"]))
    #expect(root["none"] == nil && root.elements == nil && root.text == nil && root.boolean == nil && !root.isNull)
    #expect(list.entries == nil && list["c"] == nil && list.text == nil && !list.isNull && list.elements?.count == 1)
    #expect(map["c"]?.elements == nil && map["c"]?.entries == nil && map["c"]?["d"] == nil && map["c"]?.text == "2")
  }

  @Test func `has places of characters, from one`() {
    let root = read("é: 日\n  \nb:\n- c\n").node
    #expect(root?.place == YAMLPlace(line: 1, column: 1) && root?["é"]?.place == YAMLPlace(line: 1, column: 4))
    #expect(root?.entries?.last?.place == YAMLPlace(line: 3, column: 1))
    #expect(root?["b"]?.place == YAMLPlace(line: 4, column: 1))
    #expect(root?["b"]?.elements?.first?.place == YAMLPlace(line: 4, column: 3))
  }

  @Test func `keeps an alias of a scalar, a list and a key's value apart from its anchor`() {
    let root = read("a: &s 'true'\nb: *s\nc: &l [x, [y]]\nd: *l\n").node
    #expect(
      root?["b"]?.text == "true" && root?["b"]?.boolean == nil && root?["b"]?.place == YAMLPlace(line: 2, column: 4))
    #expect(
      root?["d"]?.elements?.last?.elements?.first?.text == "y" && root?["d"]?.place == YAMLPlace(line: 4, column: 4))
    #expect(root?["c"]?.place == YAMLPlace(line: 3, column: 4))
  }

  @Test func `goes on behind an alias of nothing and a key that is no text`() {
    let result = read("a: *x\n? {k: v}\n: gone\n? [l]\n: gone\nb: 1\n")
    #expect(
      result.errors.map(\.message) == [
        "There is no finished value &x before this alias.", "A key has to be a text.", "A key has to be a text.",
      ])
    #expect(result.errors.map(\.place.line) == [1, 2, 4])
    #expect(result.node?.entries?.map(\.key) == ["a", "b"] && result.node?["a"]?.isNull == true)
  }

  @Test func `has keys of every scalar, each once`() {
    let result = read("1: a\n'1': b\n~: c\n'': d\n")
    #expect(result.node?.entries?.map(\.key) == ["1", "~", ""] && result.node?["1"]?.text == "a")
    #expect(result.errors.map(\.place) == [YAMLPlace(line: 2, column: 1)])
    // The keys of one mapping are no keys of another.
    let nested = read("a: {k: 1}\nb: {k: 2}\nc: {a: 3}\n")
    #expect(nested.errors.isEmpty && nested.node?["b"]?["k"]?.text == "2" && nested.node?["c"]?["a"]?.text == "3")
  }

  @Test func `has two spellings of a key as two keys`() {
    let result = read("caf\u{E9}: 1\ncafe\u{301}: 2\n")
    #expect(result.errors.isEmpty && result.node?.entries?.count == 2)
    #expect(result.node?["caf\u{E9}"]?.text == "1" && result.node?["cafe\u{301}"]?.text == "2")
    // The standard library calls the sign of Kelvin a K.
    #expect(read("\u{212A}: 1\n").node?["K"] == nil)
  }

  @Test func `counts a key, a value and what holds them`() {
    #expect(read("a: 1", YAMLLimits(values: 3)).errors.isEmpty && read("a: 1", YAMLLimits(values: 2)).node == nil)
    #expect(read("a", YAMLLimits(values: 1)).node?.text == "a" && read("a", YAMLLimits(values: 0)).errors.count == 1)
  }

  @Test func `is nested as deep as its limit, by lists and maps alike`() {
    #expect(read("{a: {b: 1}}", YAMLLimits(depth: 2)).errors.isEmpty)
    let error = read("a: {b: {}}", YAMLLimits(depth: 2)).errors.first
    #expect(
      error?.message == "Values are nested deeper than 2 levels." && error?.place == YAMLPlace(line: 1, column: 8))
    #expect(read("a", YAMLLimits(depth: 0)).node?.text == "a" && read("[]", YAMLLimits(depth: 0)).node == nil)
    #expect(
      read("[&a [], *a]", YAMLLimits(depth: 2)).errors.isEmpty
        && read("[&a [], [*a]]", YAMLLimits(depth: 2)).node == nil)
    // A list beside a list is no deeper.
    #expect(read("[[], [], {}]", YAMLLimits(depth: 2)).errors.isEmpty)
  }

  @Test func `tells nothing more behind the error that stops it`() {
    let result = read("a: 1\na: 2\n---\nb: 1\nb: 2\n")
    #expect(result.errors.map(\.message) == ["The key “a” is given twice.", "The file holds more than one document."])
    #expect(result.errors.map(\.place.line) == [2, 3] && result.node == nil)
    #expect(read("---\na: 1\n...\n").node?["a"]?.text == "1")
  }

  @Test func `cuts names of others in what it says`() {
    let name = String(repeating: "é", count: 81)
    let cut = String(name.dropLast()) + "…"
    #expect(read("\(name): 1\n\(name): 2\n").errors.first?.message == "The key “\(cut)” is given twice.")
    #expect(read("a: !x 1\n").errors.first?.message == "The tag !x means nothing here.")
    #expect(
      read("a: !x 1\n").node?["a"]?.text == "1" && read("a: !x [1]\nb: !y {}\n").errors.map(\.place.line) == [1, 2])
  }

  @Test func `has limits where nobody says otherwise, none of which is beyond what can be read`() {
    let limits = YAMLLimits()
    #expect(limits.bytes == 262_144 && limits.depth == 32 && limits.values == 20_000 && limits.errors == 50)
    #expect(YAMLLimits(depth: 200).depth == 200 && YAMLLimits(depth: 201).depth == 200)
    #expect(YAMLLimits(errors: 0).errors == 1 && YAMLLimits(errors: 2).errors == 2)
  }
}
