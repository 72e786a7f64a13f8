import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A JSON object` {
  @Test func `keeps the order in which members came`() {
    var object = JSONObject()
    for name in ["z", "a", "m"] { object[name] = .string(name) }
    object["a"] = 1
    #expect(object.keys == ["z", "a", "m"])
    #expect(object.values == ["z", 1, "m"])
  }

  @Test func `tells a null from an absent member`() {
    var object: JSONObject = ["a": .null]
    #expect(object["a"] == .null)
    #expect(object["b"] == nil)
    object["a"] = nil
    #expect(object.isEmpty)
  }

  @Test(arguments: [3, 16, 17, 18, 200]) func `finds every member, also when it is large`(count: Int) {
    var object = JSONObject()
    for index in 0..<count { object["k\(index)"] = JSONValue(index) }
    for index in 0..<count { #expect(object["k\(index)"] == JSONValue(index)) }
    #expect(object["none"] == nil)
    object["k1"] = nil
    #expect(object.count == count - 1)
    for index in 2..<count { #expect(object["k\(index)"] == JSONValue(index)) }
    object["new"] = 1
    #expect(object["new"] == 1)
    #expect(object.keys.last == "new")
  }

  @Test(arguments: [0, 20]) func `has the last value of a name at the place of the first`(others: Int) {
    var members: [(String, JSONValue)] = [("a", 1)]
    for index in 0..<others { members.append(("k\(index)", JSONValue(index))) }
    members += [("b", 2), ("a", 3)]
    let object = JSONObject(members)
    #expect(object.count == others + 2 && object.keys.first == "a" && object.keys.last == "b")
    #expect(object["a"] == 3 && object["b"] == 2)
  }

  @Test func `is equal whatever the order`() {
    let left: JSONObject = ["a": 1, "b": 2]
    let right: JSONObject = ["b": 2, "a": 1]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": 3])
    #expect(left != ["a": 1])
  }

  /// One accent, as one scalar and as a letter with a mark: two names and two strings by RFC 8259, section 8.3.
  @Test(arguments: [0, 14, 15, 16, 40]) func `tells two spellings of a name apart`(others: Int) {
    var object = JSONObject((0..<others).map { ("k\($0)", JSONValue($0)) })
    object["caf\u{E9}"] = 1
    object["cafe\u{301}"] = 2
    #expect(object.count == others + 2)
    #expect(object["caf\u{E9}"] == 1)
    #expect(object["cafe\u{301}"] == 2)
    object["caf\u{E9}"] = nil
    #expect(object["caf\u{E9}"] == nil)
    #expect(object["cafe\u{301}"] == 2)
    // A sign that the standard library calls equal to an ASCII letter.
    object["\u{212A}"] = 3
    #expect(object["K"] == nil)
  }

  @Test func `is another one with another spelling, in a name or a value`() {
    let composed: JSONValue = ["caf\u{E9}": "caf\u{E9}"]
    #expect(composed == ["caf\u{E9}": "caf\u{E9}"])
    #expect(composed != ["cafe\u{301}": "caf\u{E9}"])
    #expect(composed != ["caf\u{E9}": "cafe\u{301}"])
    #expect(Set<JSONValue>(["caf\u{E9}", "cafe\u{301}", "caf\u{E9}", ""]).count == 3)
    #expect(JSONValue.string("") == "")
    #expect(JSONValue.string("") != "a")
  }

  @Test func `is equal by kind and value`() {
    let values: [JSONValue] = [
      .null, false, true, 0, 1, .unsigned(UInt64.max), .double(1), .double(0), "", "a", [], [1], [[:]], [:], ["a": 1],
    ]
    for (index, left) in values.enumerated() {
      for (other, right) in values.enumerated() { #expect((left == right) == (index == other), "\(left) \(right)") }
    }
    #expect(Set(values + values).count == values.count)
  }
}
