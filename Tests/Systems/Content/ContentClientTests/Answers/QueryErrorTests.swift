import ContentClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An error of GraphQL` {
  @Test func `has a message, a path, places and more`() throws {
    let error = QueryError(
      try JSONValue(
        parsing: """
          {"message":"no price","path":["adventureList","items",3,"price"],"locations":[{"line":2,"column":7},{"line":9}],
          "extensions":{"classification":"DataFetchingException"}}
          """))
    #expect(error.message == "no price")
    #expect(error.path == [.field("adventureList"), .field("items"), .index(3), .field("price")])
    #expect(error.pathText == "adventureList.items[3].price")
    #expect(error.locations.map(\.line) == [2] && error.locations.map(\.column) == [7])
    #expect(error.extensions["classification"] == "DataFetchingException")
    #expect(error.description == "no price (at adventureList.items[3].price) (line 2, column 7)")
  }

  @Test(arguments: [
    ("{}", "{}"), ("null", "null"), ("\"text\"", "text"), ("[1]", "[1]"), (#"{"message":5}"#, #"{"message":5}"#),
    (#"{"message":"m","path":"x","locations":{},"extensions":[]}"#, "m"),
    (#"{"message":"m","path":[null,{},1.5],"locations":[null,1,{"line":-1,"column":1}]}"#, "m"),
    (#"{"message":"m","locations":[{"line":99999999999999999999,"column":1}]}"#, "m"),
  ])
  func `is read whatever its shape`(text: String, message: String) throws {
    let value = try JSONValue(parsing: text)
    let error = QueryError(value)
    #expect(error.message == message)
    #expect(error.path.isEmpty && error.locations.isEmpty && error.extensions.isEmpty)
    #expect(error.value == value)
  }

  @Test func `is shown in one short line`() {
    let error = QueryError(["message": .string("a\n\u{1B}[2Jb" + String(repeating: "x", count: 5_000))])
    #expect(error.description.hasPrefix("a [2Jbxx") && error.description.count < 300)
  }

  @Test func `beside data reaches the caller with all it has`() async throws {
    let errors = #"[{"message":"half","path":["a"]},{"message":"more","extensions":{"x":1}}]"#
    let server = FakeAEM(.json(#"{"data":{"a":null,"b":1},"errors":\#(errors)}"#))
    let result = try await server.client().execute(query: adventures)
    #expect(result.data == ["a": .null, "b": 1])
    #expect(result.errors.map(\.message) == ["half", "more"])
    #expect(result.errorsValue == (try JSONValue(parsing: errors)))
    #expect(result.httpStatus == 200)
  }

  @Test func `without data is why the query failed`() async throws {
    let server = FakeAEM(.json(#"{"data":null,"errors":[{"message":"one","path":["a",0]},{"message":"two"}]}"#))
    let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error?.kind == .queryFailed)
    #expect(error?.message.contains("one; two") == true)
    #expect(error?.errors.map(\.pathText) == ["a[0]", ""])
  }

  @Test func `is one of three that are told, and of the others the number is`() async throws {
    for (count, rest) in [(1, ""), (3, ""), (4, " (and 1 more)"), (5, " (and 2 more)")] {
      let errors = (1...count).map { #"{"message":"e\#($0)"}"# }.joined(separator: ",")
      let server = FakeAEM(.json(#"{"errors":[\#(errors)]}"#))
      let error = await #expect(throws: ContentError.self) { try await server.client().execute(query: adventures) }
      let told = (1...min(count, 3)).map { "e\($0)" }.joined(separator: "; ")
      #expect(error?.message == "AEM could not run \"\(adventures)\": \(told)\(rest)")
    }
  }
}
