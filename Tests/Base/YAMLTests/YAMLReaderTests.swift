import Testing
import YAML

@Suite(.timeLimit(.minutes(1)))
struct `The reader of YAML` {
  private func read(_ text: String, _ limits: YAMLLimits = YAMLLimits()) -> YAMLReader.Result {
    YAMLReader.read(Array(text.utf8), limits: limits)
  }

  @Test func `gives a tree with the place of every value`() {
    let result = read("a: 1\nb:\n  - x\n  - {c: 'true', d: true}\n# the end\nümlaut:   ~\n")
    #expect(result.errors.isEmpty)
    let root = result.node
    #expect(root?.entries?.map(\.key) == ["a", "b", "ümlaut"])
    #expect(root?["a"]?.text == "1")
    #expect(root?["b"]?.elements?.first?.text == "x")
    let map = root?["b"]?.elements?.last
    #expect(map?["c"]?.boolean == nil && map?["c"]?.text == "true")
    #expect(map?["d"]?.boolean == true)
    #expect(map?["d"]?.place == YAMLPlace(line: 4, column: 20))
    #expect(root?["ümlaut"]?.isNull == true)
    #expect(root?["ümlaut"]?.text == nil)
    #expect(root?.entries?.last?.place == YAMLPlace(line: 6, column: 1))
    #expect(root?["ümlaut"]?.place == YAMLPlace(line: 6, column: 11))
  }

  @Test func `knows a file that holds nothing`() {
    for text in ["", "# nothing\n", "---\n", "~\n"] {
      let result = read(text)
      #expect(result.node == nil && result.errors.isEmpty, "\(text)")
    }
  }

  @Test func `tells keys that come twice and goes on`() {
    let result = read("a: 1\nb: 2\na: 3\nb: 4\n")
    #expect(result.errors.map(\.place) == [YAMLPlace(line: 3, column: 1), YAMLPlace(line: 4, column: 1)])
    #expect(result.errors.first?.message == "The key “a” is given twice.")
    #expect(result.node?["a"]?.text == "1")
  }

  @Test func `says where something is no YAML`() {
    let result = read("a: 1\nb: [1, 2\nc: 3\n")
    #expect(result.node == nil)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.place.line == 3)
    #expect(result.errors.first?.message.hasPrefix("This is not YAML: ") == true)
    let bytes = YAMLReader.read([0x61, 0x3A, 0x20, 0xFF])
    #expect(bytes.errors.first?.message.contains("not UTF-8") == true)
  }

  @Test func `puts aliases in, each at its own place`() {
    let result = read("a: &x {b: 1}\nc: *x\nd: [*x, *y]\n")
    #expect(result.node?["c"]?["b"]?.text == "1")
    #expect(result.node?["c"]?.place == YAMLPlace(line: 2, column: 4))
    #expect(result.errors.map(\.message) == ["There is no finished value &y before this alias."])
  }

  @Test func `refuses aliases that multiply`() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<12 {
      let uses = [String](repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(uses)]\n"
    }
    let result = read(text)
    #expect(result.node == nil)
    #expect(result.errors.count == 1)
    #expect(result.errors.first?.message.contains("more than 20000 values") == true)
  }

  @Test func `refuses an alias that holds itself`() {
    let result = read("a: &a [*a]\n")
    #expect(result.errors.first?.message.contains("no finished value &a") == true)
  }

  @Test func `bounds bytes, depth, values and errors`() {
    #expect(read("a: 12345", YAMLLimits(bytes: 4)).errors.first?.message.contains("4 bytes") == true)
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    #expect(read(deep).errors.first?.message.contains("deeper than 32") == true)
    #expect(read("[[[]]]", YAMLLimits(depth: 3)).errors.isEmpty)
    #expect(read("[1, 2, 3]", YAMLLimits(values: 3)).errors.count == 1)
    #expect(read("[1, 2, 3]", YAMLLimits(values: 4)).errors.isEmpty)
    let twice = String(repeating: "a: 1\n", count: 100)
    #expect(read(twice, YAMLLimits(errors: 5)).errors.count == 5)
    let nested = "a: &a [[[]]]\nb: [[*a]]\n"
    #expect(read(nested, YAMLLimits(depth: 5)).errors.count == 1)
    #expect(read(nested, YAMLLimits(depth: 6)).errors.isEmpty)
  }

  @Test func `takes one document, no tags of others and texts as keys`() {
    #expect(read("a: 1\n---\nb: 2\n").errors.first?.message == "The file holds more than one document.")
    #expect(read("a: !python/object x\n").errors.first?.message.contains("means nothing") == true)
    #expect(read("a: !!str true\n").node?["a"]?.boolean == nil)
    #expect(read("? [a]\n: 1\n").errors.first?.message == "A key has to be a text.")
  }

  @Test func `shows no control characters of the file`() {
    let message = read("\"\\e[2J\": 1\n\"\\e[2J\": 2\n").errors.first?.message
    #expect(message == "The key “\u{FFFD}[2J” is given twice.")
  }

  @Test func `puts in for an alias what its name meant last`() {
    let result = read("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
    #expect(result.node?["b"]?.text == "1" && result.node?["d"]?.text == "2" && result.errors.isEmpty)
  }

  @Test func `counts what aliases put in, up to the last value and the last byte`() {
    let text = "a: &a [1, 2]\nb: *a\n"
    // A map, two keys, and twice a list of two values.
    #expect(read(text, YAMLLimits(values: 9)).errors.isEmpty)
    #expect(read(text, YAMLLimits(values: 8)).errors.map(\.message).first?.contains("more than 8 values") == true)
    #expect(read(text, YAMLLimits(bytes: text.utf8.count)).errors.isEmpty)
    #expect(read(text, YAMLLimits(bytes: text.utf8.count - 1)).errors.count == 1)
    #expect(YAMLLimits(depth: 201).depth == 200 && YAMLLimits(depth: 199).depth == 199)
    #expect(YAMLLimits(errors: 0).errors == 1 && YAMLLimits(errors: 2).errors == 2)
  }

  @Test func `is done with the last mistake that it tells`() {
    let twice = "a: 1\na: 2\na: 3\n"
    let (all, cut) = (read(twice, YAMLLimits(errors: 3)), read(twice, YAMLLimits(errors: 2)))
    #expect(all.errors.count == 2 && all.node?["a"]?.text == "1")
    #expect(cut.errors.count == 2 && cut.node == nil)
  }

  @Test(
    arguments: [
      ("true", true, false), ("True", true, false), ("TRUE", true, false), ("tRUE", nil, false),
      ("false", false, false),
      ("False", false, false), ("FALSE", false, false), ("yes", nil, false), ("'true'", nil, false),
      ("\"false\"", nil, false), ("null", nil, true), ("Null", nil, true), ("NULL", nil, true), ("nULL", nil, false),
      ("~", nil, true), ("'null'", nil, false), ("''", nil, false), ("!!str null", nil, false), ("", nil, true),
    ] as [(String, Bool?, Bool)])
  func `tells truths and nothing from texts`(text: String, boolean: Bool?, isNull: Bool) {
    let node = read("a: \(text)\n").node?["a"]
    #expect(node != nil && node?.boolean == boolean && node?.isNull == isNull)
    #expect((node?.text == nil) == isNull)
  }

  @Test func `takes the tags of YAML and none but them`() {
    #expect(read("a: !!int 1\nb: ! x\nc: !!map {}\n").errors.isEmpty)
    let result = read("a: !x 1\nb: !<tag:example.org,2002:y> 2\n")
    #expect(result.errors.map(\.place.line) == [1, 2])
  }
}
