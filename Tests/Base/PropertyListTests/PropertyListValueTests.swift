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

  @Test func `is of one type, and called by it`() {
    let values: [(PropertyListValue, String)] = [
      ("a", "string"), (1, "integer"), (1.5, "real"), (true, "bool"), (.date(1), "date"), (.data([1]), "data"),
      ([], "array"), ([:], "dictionary"),
    ]
    for (index, (value, name)) in values.enumerated() {
      let found = [
        value.stringValue != nil, value.integerValue != nil, value.realValue != nil, value.boolValue != nil,
        value.dateValue != nil, value.dataValue != nil, value.arrayValue != nil, value.dictionaryValue != nil,
      ]
      #expect(found == values.indices.map { $0 == index } && value.typeName == name, "\(name)")
    }
    #expect(PropertyListValue.real(1.5).numberValue == 1.5 && PropertyListValue.date(1).numberValue == nil)
    #expect(PropertyListValue(dictionaryLiteral: ("a", 1), ("a", 2)) == ["a": 2])
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
