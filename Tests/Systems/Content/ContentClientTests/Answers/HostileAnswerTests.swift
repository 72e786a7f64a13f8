import ContentClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A hostile answer` {
  @Test(arguments: [
    String(repeating: "[", count: 1_000_000), String(repeating: #"{"a":"#, count: 200_000),
    #"{"data":{"a":"# + String(repeating: "[", count: 60) + String(repeating: "]", count: 60) + "}}",
    "{\"data\":{\"a\":\"\u{0}\"}}", "\u{FEFF}\u{FEFF}{\"data\":{}}", "\u{FEFF}", #"{"data":{"a":1,"a":}}"#,
    #"{"data":{"a":1,,"a":2}}"#, #"{"data":{"a":1 "a":2}}"#, #"{"a":1,"a":2]}"#, #"{"data":{"a":"\ud800\u12"}}"#,
    #"{"data":{"a":1,"a":"#, #"{"data":{"a":1,"a":2},"data":5}"#, #"{"data":{"a":1e999}}"#, #"{"data":{}} x"#,
    #"{"data":5}"#, #"{"data":"x"}"#,
    #"{"data":true,"errors":[]}"#, "nul", "\u{1}",
  ])
  func `is one clear error`(body: String) async throws {
    let server = FakeAEM(.json(body))
    let error = try await #require(throws: ContentError.self) { try await server.client().execute(query: adventures) }
    #expect(error.kind == .invalidAnswer)
    #expect(error.description.count < 1_000)
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test(arguments: [
    ("\u{FEFF}{\"data\":{\"a\":1}}", #"{"a":1}"#), (#"{"data":{},"data":{"a":1}}"#, #"{"a":1}"#),
    (#"{"data":{"a":1,"b":[{"c":1,"c":2}],"a":{"a":3,"d":4,"a":5}}}"#, #"{"b":[{"c":2}],"a":{"d":4,"a":5}}"#),
    (#"{"data":{"a":{"x":1,"x":2},"\u0061":2,"a" : 3 }}"#, #"{"a":3}"#),
    (#"{"data":{"a":1,"a":2,"b":3}}"#, #"{"a":2,"b":3}"#),
    (
      #"{"data":{"a":"\ud800","b":"x\udc00\"y","c":"\\ud800","d":"\ud83d\ude00"}}"#,
      #"{"a":"\ufffd","b":"x\ufffd\"y","c":"\\ud800","d":"\ud83d\ude00"}"#
    ),
    (#"{"data":{"a":"\ud800\ud83d\ude00","a,}":"{","a,}":"}"}}"#, #"{"a":"\ufffd\ud83d\ude00","a,}":"}"}"#),
  ])
  func `is read as browsers read it`(body: String, data: String) async throws {
    let server = FakeAEM(.json(body))
    #expect(try await server.client().execute(query: adventures).data == (try JSONValue(parsing: data)))
  }

  @Test func `with many members that come twice is read in one walk`() async throws {
    let members = (0..<200_000).map { "\"\($0 / 2)\":\($0)" }.joined(separator: ",")
    let server = FakeAEM(.json(#"{"data":{\#(members)}}"#))
    let data = try await server.client().execute(query: adventures).data
    #expect(data.objectValue?.count == 100_000 && data["7"] == .integer(15))
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
