import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(2))) struct `The bounds of a schema` {
  private func problems(_ schema: JSONValue, _ value: JSONValue) throws -> [String] {
    SchemaCheck(try JSONSchema(schema)).problems(of: value).map(\.description)
  }

  @Test(
    arguments: [
      (["minimum": 0], 0, []), (["minimum": 0], -1, ["-1 is below 0."]), (["minimum": 0.5], 0.5, []),
      (["maximum": 0], 0, []), (["maximum": 0], 1, ["1 is above 0."]), (["maximum": 1], 1.0, []),
      (["maximum": 1.5], 1.25, []), (["maximum": 1.25], 1.5, ["1.5 is above 1.25."]),
      (["maximum": 9], .unsigned(.max), ["18446744073709551615 is above 9."]), (["minimum": 9], .unsigned(.max), []),
      (["minimum": 2], [1], []), (["maximum": 2], .null, []), (["minimum": 2, "maximum": 2], 2, []),
      (["minLength": 0], "", []), (["minLength": 2], "ab", []), (["maxLength": 2], "ab", []),
      (["minLength": 2], "a", ["The text is shorter than 2."]),
      (["maxLength": 2], "abc", ["The text is longer than 2."]),
      // The mark is a scalar of its own, and a letter of four bytes is one.
      (["maxLength": 1], "e\u{301}", ["The text is longer than 1."]), (["minLength": 2], "e\u{301}", []),
      (["minLength": 2], "𝄞", ["The text is shorter than 2."]), (["maxLength": 1], "𝄞", []),
      (["minLength": 3], [1], []), (["maxLength": 0], 12, []), (["maxLength": 0], "", []),
      (["minItems": 1], [1], []), (["minItems": 2], [1], ["The array has fewer than 2 elements."]),
      (["maxItems": 1], [1], []), (["maxItems": 1], [1, 2], ["The array has more than 1 elements."]),
      (["maxItems": 0], [], []), (["minItems": 3], "ab", []),
    ] as [(JSONValue, JSONValue, [String])])
  func `hold at the bound itself, and are told behind it`(schema: JSONValue, value: JSONValue, said: [String]) throws {
    #expect(try problems(schema, value) == said)
  }

  @Test(
    arguments: [
      ([1, 2], [1, 2.0], true), ([1, 2], [1], false), ([1], [1, 2], false), ([], [], true), ([1, 2], [2, 1], false),
      (["a": 1], ["a": 1.0], true), (["a": 1], ["a": 1, "b": 2], false), (["a": 1, "b": 2], ["a": 1], false),
      (["a": 1], ["b": 1], false), (["a": 1, "b": 2], ["b": 2, "a": 1], true), (1.5, 1.5, true), (1.5, 1.25, false),
      (1, "1", false), (true, 1, false), (.null, false, false), (.unsigned(.max), .unsigned(.max), true),
      (.unsigned(.max), .integer(.max), false), ("é", "e", false),
    ] as [(JSONValue, JSONValue, Bool)])
  func `of one value let pass what is the same`(constant: JSONValue, value: JSONValue, isSame: Bool) throws {
    #expect(try problems(["const": constant], value).isEmpty == isSame)
  }

  @Test(
    arguments: [
      (.null, "null"), (.boolean, "a boolean"), (.integer, "an integer"), (.number, "a number"), (.array, "an array"),
      (.object, "an object"),
    ] as [(JSONSchema.Kind, String)])
  func `of its kind are told in words`(kind: JSONSchema.Kind, words: String) {
    let found = SchemaCheck(.kind(kind, .integer)).problems(of: "a").map(\.description)
    #expect(found == ["The value is a string, not \(words) or an integer."])
  }

  @Test(
    arguments: [
      (.null, .null), (.bool(false), .boolean), (0, .integer), (.unsigned(.max), .integer), (0.5, .number),
      ("", .string), ([], .array), ([:], .object),
    ] as [(JSONValue, JSONSchema.Kind)])
  func `of kinds let pass their own values alone`(value: JSONValue, own: JSONSchema.Kind) {
    let allowing = JSONSchema.Kind.allCases.filter { SchemaCheck(.kind($0)).allows(value) }
    #expect(allowing == (own == .integer ? [.integer, .number] : [own]))
  }

  @Test func `name twenty values that may be, each cut behind eighty bytes`() throws {
    let numbers = JSONValue.array((1...21).map { .integer($0) })
    let listed = (1...20).map { "\($0)" }.joined(separator: ", ")
    #expect(try problems(["enum": numbers], 0) == ["The value is not one of \(listed)."])
    // With its quotes a text of 78 letters has eighty bytes.
    let longest = String(repeating: "x", count: 78)
    #expect(try problems(["const": .string(longest)], 0) == ["The value is not one of \"\(longest)\"."])
    let longer = longest + "x"
    #expect(try problems(["const": .string(longer)], 0) == ["The value is not one of \"\(longer)…."])
  }

  @Test func `of many members are told twenty times`() throws {
    let names = (0..<30).map { "m\($0)" }
    let object = JSONValue.object(JSONObject(names.map { ($0, 1) }))
    let members = JSONValue.object(JSONObject(names.map { ($0, ["type": "string"]) }))
    for schema in [["properties": members], ["additionalProperties": ["type": "null"]]] as [JSONValue] {
      let found = try problems(schema, object)
      #expect(found.count == 20 && found.first?.hasPrefix("m0: ") == true && found.last?.hasPrefix("m19: ") == true)
    }
    #expect(try problems(["required": .array(names.map { .string($0) })], [:]).count == 20)
    #expect(try problems(["additionalProperties": false], object).last == "m19: There is no such member.")
  }

  @Test func `of members without a name leave those with one alone`() throws {
    let schema: JSONValue = ["properties": ["a": ["type": "integer"]], "additionalProperties": ["type": "string"]]
    #expect(try problems(schema, ["a": 1, "b": "x"]).isEmpty)
    #expect(
      try problems(schema, ["a": "x", "b": 1]) == [
        "a: The value is a string, not an integer.", "b: The value is a number, not a string.",
      ])
    #expect(try problems(["properties": ["a": true], "additionalProperties": false], ["a": 1]).isEmpty)
    #expect(try problems(["properties": ["a": false]], ["a": 1]) == ["a: Nothing is allowed here."])
    #expect(try problems(["properties": ["a": false]], ["b": 1]).isEmpty)
  }

  @Test func `of members tell two spellings of a name apart`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let members = JSONValue.object([composed: ["type": "integer"]])
    for (additional, message) in [
      (false, "There is no such member."), (["type": "integer"], "The value is a string, not an integer."),
    ] as [(JSONValue, String)] {
      let schema: JSONValue = ["properties": members, "additionalProperties": additional]
      #expect(try problems(schema, .object([composed: 1])).isEmpty)
      #expect(try problems(schema, .object([decomposed: "x"])) == ["\(decomposed): \(message)"])
    }
  }

  @Test func `of alternatives are told by the one that comes closest`() throws {
    let both: JSONValue = ["properties": ["a": ["type": "string"], "b": ["type": "string"]]]
    let one: JSONValue = ["properties": ["a": ["type": "null"]]]
    let value: JSONValue = ["a": 1, "b": 1]
    let nearer = ["a: The value is a number, not null."]
    #expect(try problems(["anyOf": [both, one]], value) == nearer)
    #expect(try problems(["anyOf": [one, both]], value) == nearer)
    #expect(try problems(["anyOf": [one, ["properties": ["b": ["type": "null"]]]]], value) == nearer)
    #expect(try problems(["oneOf": [["type": "null"], one]], value) == nearer)
  }

  @Test func `of alternatives are one form exactly, or one at least`() throws {
    let forms: JSONValue = [["type": "string"], ["minLength": 1], ["type": "null"]]
    #expect(try problems(["anyOf": forms], "a").isEmpty && problems(["anyOf": forms], .null).isEmpty)
    #expect(try problems(["oneOf": forms], "a") == ["The value is of several forms, where one is allowed."])
    #expect(try problems(["oneOf": forms], "").isEmpty)
    // What has no length is no text that is too short.
    #expect(try problems(["oneOf": forms], 1).isEmpty)
    let strict: JSONValue = [["type": "string"], ["type": "null"]]
    for keyword in ["anyOf", "oneOf"] {
      #expect(
        try problems([(keyword, strict)].object, 1) == ["The value has none of the forms that are allowed."])
    }
    #expect(try problems(["oneOf": [["type": "null"]]], 1) == ["The value is a number, not null."])
    let all: JSONValue = ["anyOf": [["type": "null"], ["type": "string"]], "oneOf": [["type": "null"], false]]
    #expect(try problems(all, .null).isEmpty && !problems(all, "a").isEmpty && !problems(all, 1).isEmpty)
  }

  @Test func `are not told by a reference that leads nowhere, whose name is cut`() {
    let name = String(repeating: "é", count: 81)
    let found = SchemaCheck(.reference(name)).problems(of: 1).map(\.description)
    #expect(found == ["The schema refers to “\(name.dropLast())”, which is not there."])
    let definitions = SchemaDefinitions(["A": .kind(.string)])
    #expect(SchemaCheck(.reference("A"), definitions).allows("a"))
    #expect(
      !SchemaCheck(.reference("A"), definitions).allows(1) && !SchemaCheck(.reference("B"), definitions).allows("a"))
  }

  @Test func `are looked at two hundred references deep`() {
    func check(_ depth: Int) -> SchemaCheck {
      // The first reference leads to depth 1.
      var named = ["D\(depth)": JSONSchema.anything]
      for step in 1..<depth { named["D\(step)"] = .reference("D\(step + 1)") }
      return SchemaCheck(.reference("D1"), SchemaDefinitions(named))
    }
    #expect(check(200).allows(1))
    #expect(
      check(201).problems(of: 1).map(\.description) == ["The schema leads to more work than a check may take."])
  }

  @Test func `are looked at in 400000 steps`() {
    func isAllowed(_ count: Int, steps: Int) -> Bool {
      var nothing = JSONSchema()
      nothing.isNothing = true
      let items = JSONSchema.any(of: Array(repeating: nothing, count: steps - 2) + [.anything])
      return SchemaCheck(.array(of: items)).allows(.array(Array(repeating: 1, count: count)))
    }
    // One step for the array, and for each element one and one for each form.
    #expect(isAllowed(453, steps: 883))
    #expect(!isAllowed(400, steps: 1_000))
  }
}

extension [(String, JSONValue)] {
  fileprivate var object: JSONValue { .object(JSONObject(self)) }
}
