import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A property list value` {
  @Test func `keeps types apart`() {
    #expect(PropertyListValue.integer(1) != .bool(true))
    #expect(PropertyListValue.integer(1) != .real(1))
    #expect(PropertyListValue.integer(1).boolValue == nil)
    #expect(PropertyListValue.bool(true).integerValue == nil)
    #expect(PropertyListValue.real(1).integerValue == nil)
    #expect(PropertyListValue.integer(1).realValue == nil)
    #expect(PropertyListValue.integer(1).numberValue == 1)
    #expect(PropertyListValue.bool(true).numberValue == nil)
    #expect(PropertyListValue.string("1").typeName == "string")
  }

  @Test func `is reached by key and index`() {
    let value: PropertyListValue = ["list": [1, ["name": "x"]]]
    #expect(value["list"]?[1]?["name"]?.stringValue == "x")
    #expect(value["list"]?[2] == nil)
    #expect(value["list"]?[-1] == nil)
    #expect(value["none"] == nil)
    #expect(value[0] == nil)
  }
}
