import ContentClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A hostile answer` {
  @Test(arguments: [
    String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 200_000),
    #"{"data":{"a":"# + String(repeating: "[", count: 60) + String(repeating: "]", count: 60) + "}}",
    #"{"data":{},"data":{}}"#, #"{"data":{"a":1,"a":2}}"#, "{\"data\":{\"a\":\"\u{0}\"}}", "\u{FEFF}{\"data\":{}}",
    #"{"data":{"a":1e999}}"#, #"{"data":{"a":"\ud800"}}"#, #"{"data":{}} x"#, #"{"data":5}"#, #"{"data":"x"}"#,
    #"{"data":true,"errors":[]}"#, "nul", "\u{1}",
  ])
  func `is one clear error`(body: String) async throws {
    let server = FakeAEM(.json(body))
    let error = try await #require(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error.kind == .invalidAnswer)
    #expect(error.description.count < 1_000)
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test func `with a hundred thousand errors is cut to three in words`() async throws {
    let errors = Array(repeating: #"{"message":"\#(String(repeating: "x", count: 50))"}"#, count: 100_000)
    let server = FakeAEM(.json(#"{"data":null,"errors":[\#(errors.joined(separator: ","))]}"#))
    let error = try await #require(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error.kind == .queryFailed && error.message.contains("(and 99997 more)"))
    #expect(error.message.count < 1_000)
  }

  @Test(arguments: [
    #"{"adventureList":{"items":[null,1,"x",[],{},{"price":"5000.00"},{"primaryImage":5}]}}"#,
    #"{"adventureList":{"items":[{"title":null,"price":null,"primaryImage":null,"itinerary":null}]}}"#,
    // A fragment that holds itself, as far as a query follows it.
    #"{"adventureList":{"items":[{"_path":"/a","self":{"_path":"/a","self":{"_path":"/a","self":null}}}]}}"#,
  ])
  func `with nulls and other types is data`(data: String) async throws {
    let server = FakeAEM(.json(#"{"data":\#(data)}"#))
    let result = try await server.client().execute(query: adventures)
    #expect(result.data == (try JSONValue(parsing: data)))
    #expect(try !result.root().fragments().isEmpty)
    for fragment in try result.root().fragments() { _ = ImageAddress.path(in: fragment["primaryImage"]) }
  }
}
