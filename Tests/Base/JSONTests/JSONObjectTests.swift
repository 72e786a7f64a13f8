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

  @Test func `is equal whatever the order`() {
    let left: JSONObject = ["a": 1, "b": 2]
    let right: JSONObject = ["b": 2, "a": 1]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": 3])
    #expect(left != ["a": 1])
  }
}
