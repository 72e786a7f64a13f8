import ContentClient
import HTTPClient
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A variable as people write it` {
  static let arguments: [(String, String, JSONValue)] = [
    ("slug=lantern-caves", "slug", "lantern-caves"), ("slug=\"quoted\"", "slug", "\"quoted\""), ("v=[1]", "v", "[1]"),
    ("v={\"a\":1}", "v", "{\"a\":1}"), ("v=null", "v", "null"), ("v=", "v", ""), ("v=a=b;c", "v", "a=b;c"),
    ("limit=2", "limit", 2), ("v=-1.5", "v", -1.5), ("v=true", "v", true), ("v=false", "v", false),
    // Another text by GET than the number would be: it stays text.
    ("v=007", "v", "007"), ("v=1.0", "v", "1.0"), ("v=1e3", "v", "1e3"), ("v= 1", "v", " 1"), ("v=NaN", "v", "NaN"),
    ("v=12345678901234567890123", "v", "12345678901234567890123"), ("v=é", "v", "é"),
    ("v:=\"quoted\"", "v", "quoted"), ("v:=[1,null]", "v", [1, .null]), ("v:={\"a\":1}", "v", ["a": 1]),
    ("v:=1.0", "v", 1.0),
    ("v:=null", "v", .null),
  ]

  @Test(arguments: arguments.indices) func `is text, whatever it looks like, unless JSON is asked for`(index: Int)
    throws
  {
    let (text, name, value) = Self.arguments[index]
    let argument = try QueryArgument(text)
    #expect(argument.name == name && argument.value == value)
  }

  @Test(arguments: ["", "x", "=x", ":=1", "v:=", "v:=x", "v:=[1", "v:={\"a\":1,\"a\":2}"])
  func `is refused without a name or with what is no JSON`(text: String) {
    let error = #expect(throws: ContentError.self) { try QueryArgument(text) }
    #expect(error?.kind == .invalidQuery && error?.recovery.contains("NAME=VALUE") == true)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A value that a URL cannot carry` {
  static let long = String(repeating: "é", count: 1_400)

  @Test func `goes by POST, whole`() async throws {
    for value in ["a;b=c", "a\u{0}b", .string(Self.long)] as [JSONValue] {
      let server = FakeAEM(.json(twoAdventures))
      let result = try await server.client().execute(query: adventures, variables: ["w": 1, "v": value])
      #expect(result.source == .network)
      #expect(server.requests.map(\.method) == ["POST"])
      #expect(server.requests.first?.url.hasSuffix("/graphql/execute.json/wknd-shared/adventures-all") == true)
      let body = try JSONCoding.parse(server.requests.first?.body ?? [])
      #expect(body == ["variables": ["w": 1, "v": value]])
    }
  }

  @Test func `is told with the reason when the server takes no POST`() async throws {
    for (value, says) in [("a;b", "semicolon"), ("a\u{0}b", "NUL"), (Self.long, "bytes")] {
      for status in [404, 405] {
        let server = FakeAEM(.status(status))
        let error = try await #require(throws: ContentError.self) {
          try await server.client().execute(query: adventures, variables: ["v": .string(value)])
        }
        #expect(error.kind == .postRefused && error.httpStatus == status)
        #expect(error.message.contains(says) && error.recovery.contains("dispatcher"))
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test func `is none that is as long as servers take`() throws {
    let short = try PersistedQuery("a/b", variables: ["v": .string(String(repeating: "x", count: 7_900))])
    #expect(short.fitsURL)
    let long = try PersistedQuery("a/b", variables: ["v": .string(String(repeating: "x", count: 8_000))])
    #expect(long.obstacle(to: long.target) == .length(bytes: long.target.utf8.count))
  }
}
