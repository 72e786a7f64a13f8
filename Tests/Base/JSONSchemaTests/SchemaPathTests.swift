import JSON
import JSONSchema
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The path to a value` {
  @Test(arguments: [
    ("a", "a"), ("a-b c", "a-b c"), ("é", "é"), ("$ref", "$ref"), ("", "[\"\"]"), ("a.b", "[\"a.b\"]"),
    ("a[", "[\"a[\"]"), ("a]", "[\"a]\"]"), ("a\"", "[\"a\"\"]"),
  ])
  func `has names as they are, and in brackets where they could be read otherwise`(name: String, path: String) {
    #expect(SchemaPath.root.appending(name).description == path)
  }

  @Test func `cuts a name behind eighty letters, and brackets one of more than eighty bytes`() {
    let name = String(repeating: "a", count: 80)
    #expect(SchemaPath.root.appending(name).description == name)
    #expect(SchemaPath.root.appending(name + "b").description == "[\"\(name)\"]")
    let wide = String(repeating: "é", count: 41)
    #expect(SchemaPath.root.appending(wide).description == "[\"\(wide)\"]")
    #expect(SchemaPath.root.appending(String(wide.dropLast())).description == String(wide.dropLast()))
  }

  @Test func `begins with a name, a member or an element`() {
    #expect(SchemaPath("params").appending("a").appending(0).appending("b").description == "params.a[0].b")
    #expect(SchemaPath.root.appending(2).appending("a").description == "[2].a")
    #expect(SchemaPath.root.description == "" && SchemaPath.root.isRoot)
    #expect(!SchemaPath("params").isRoot && !SchemaPath.root.appending(0).isRoot)
  }

  @Test func `is left out of what is said of the value itself`() {
    let check = SchemaCheck(.kind(.null))
    #expect(check.problems(of: 1).map(\.description) == ["The value is a number, not null."])
    #expect(check.problems(of: 1, at: SchemaPath("a")).map(\.description) == ["a: The value is a number, not null."])
    let error = #expect(throws: SchemaError.self) { try JSONSchema(1) }
    #expect(error?.description == "A schema is an object or a boolean, not a number.")
    let deeper = #expect(throws: SchemaError.self) { try JSONSchema(1, at: SchemaPath("a")) }
    #expect(deeper?.description == "a: A schema is an object or a boolean, not a number.")
  }
}
