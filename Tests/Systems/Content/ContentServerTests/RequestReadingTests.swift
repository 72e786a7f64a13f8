import HTTPServer
import JSON
import Testing
import Text

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `A request with a query` {
  /// The text, the variables and the name of the operation, or nothing.
  private static func shown(_ order: QueryOrder?) -> String? {
    order.map { "\($0.text) \(JSONCoding.text(of: .object($0.variables))) \($0.operationName ?? "-")" }
  }

  @Test(
    arguments: [
      ("query=%7Ba%7D", "{a} {} -"), ("query=a+b%2Bc", "a b+c {} -"), ("query=a=b", "a=b {} -"),
      ("query=a&query=b", "b {} -"), ("&query=a&", "a {} -"), ("qu%65ry=a", "a {} -"), ("query=", " {} -"),
      ("query=a&variables=%7B%22x%22%3A1%7D&operationName=N", "a {\"x\":1} N"), ("operationName=N&query=a", "a {} N"),
      ("query=a&operationName=", "a {} -"), ("query=a&variables=", "a {} -"), ("query=a&variables=null", "a {} -"),
      ("query=a&other=1", "a {} -"), ("query=a&variables=%5B1%5D", nil), ("query=a&variables=x", nil),
      ("query=a&variables=1", nil), ("query=a&x", nil), ("query=%FF", nil), ("%FF=a&query=a", nil),
      ("variables=%7B%7D", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func `has it in its address`(query: String?, shown: String?) {
    #expect(Self.shown(ContentServer.order(inQuery: query)) == shown)
  }

  @Test(
    arguments: [
      (nil, #"{"query": "a"}"#, "a {} -"), ("application/json", #"{"query": "a"}"#, "a {} -"),
      ("application/json", #"{"query": "a", "variables": {"x": [1]}, "operationName": "N"}"#, "a {\"x\":[1]} N"),
      ("application/json", #"{"query": "a", "variables": null, "operationName": null}"#, "a {} -"),
      ("application/json", #"{"query": "a", "operationName": ""}"#, "a {} -"),
      ("application/json", #"{"query": "a", "operationName": 5}"#, "a {} -"),
      ("application/json", #"{"query": "a", "variables": [1]}"#, nil),
      ("application/json", #"{"query": "a", "variables": "x"}"#, nil), ("application/json", #"{"query": 5}"#, nil),
      ("application/json", #"{"query": null}"#, nil), ("application/json", "{}", nil), ("application/json", "[]", nil),
      ("application/json", "{a}", nil), ("application/json", "", nil), ("application/graphql", "{a}", "{a} {} -"),
      ("application/graphql; charset=utf-8", "{a}", "{a} {} -"), ("Application/GraphQL", "{a}", "{a} {} -"),
      ("application/graphql", #"{"query": "a"}"#, "{\"query\": \"a\"} {} -"),
      ("application/graphql-response+json", #"{"query": "a"}"#, "a {} -"),
      ("application/graphql-response+json", "{a}", nil), ("text/plain", "{a}", nil),
    ] as [(String?, String, String?)])
  func `has it in its body`(type: String?, body: String, shown: String?) {
    let headers = type.map { [ServerField("Content-Type", $0)] } ?? []
    let request = ServerRequest(method: "POST", path: "/", headers: headers, body: Array(body.utf8))
    #expect(Self.shown(ContentServer.order(inBody: request)) == shown)
  }

  @Test func `has a text of UTF-8`() {
    let headers = [ServerField("Content-Type", "application/graphql")]
    for (body, isRead) in [([0xC3, 0xA9], true), ([0xC3], false), ([0xFF], false)] as [([UInt8], Bool)] {
      let request = ServerRequest(method: "POST", path: "/", headers: headers, body: body)
      #expect((ContentServer.order(inBody: request) != nil) == isRead)
    }
  }

  @Test(
    arguments: [
      ("", [:]), ("{}", [:]), (#"{"variables": null}"#, [:]), (#"{"variables": {}}"#, [:]), (#"{"other": 1}"#, [:]),
      (#"{"variables": {"a": 1, "b": null}}"#, ["a": 1, "b": .null]), (#"{"variables": [1]}"#, nil),
      (#"{"variables": 0}"#, nil), ("[]", nil), ("null", nil), ("{", nil), (" ", nil),
    ] as [(String, JSONObject?)])
  func `has variables in its body`(body: String, variables: JSONObject?) {
    #expect(ContentServer.variables(inBody: Array(body.utf8)) == variables)
  }

  @Test(
    arguments: [
      ([], [:]), ([""], [:]), (["a=b"], ["a": "b"]), (["a=b", "", "c", "d=e=f"], ["a": "b", "c": "", "d": "e=f"]),
      (["a=b", "a=c"], ["a": "c"]), (["a=b", "a"], ["a": ""]), (["=b"], ["": "b"]), (["="], ["": ""]),
      (["é=ü"], ["é": "ü"]), (["a=\u{301}b"], ["a": "\u{301}b"]),
    ] as [([String], JSONObject)])
  func `has variables in its path, as text`(parts: [String], variables: JSONObject) {
    #expect(ContentServer.variables(inPath: parts) == variables)
  }

  @Test func `has parts between semicolons, also where one begins with an accent`() {
    let path = "/graphql/execute.json/site/trips;a=%CC%81b;%CC%81c=d;;"
    let read = ContentServer.reading(of: ServerRequest(path: path))
    #expect(read.hasBytes(of: "execute {\"a\":\"\u{301}b\",\"\u{301}c\":\"d\"} {}"))
  }

  @Test(
    arguments: [
      (nil, false), ("application/json", false), ("application/graphql-response+json", true),
      ("APPLICATION/GraphQL-Response+JSON;q=1", true), ("text/html, application/graphql-response+json", true),
      ("application/graphql", false), ("", false),
    ] as [(String?, Bool)])
  func `may want a status of its own`(accept: String?, wants: Bool) {
    let headers = accept.map { [ServerField("Accept", $0)] } ?? []
    #expect(ServerRequest(path: "/", headers: headers).wantsGraphQLStatus == wants)
  }

  @Test func `has the kept answer of the same bytes, content and status`() {
    let accept = [ServerField("Accept", "application/graphql-response+json")]
    let key = AnswerKey(ServerRequest(path: "/\u{e9}"), 1)
    #expect(key == AnswerKey(ServerRequest(path: "/\u{e9}", headers: [ServerField("Accept", "*/*")]), 1))
    #expect(key != AnswerKey(ServerRequest(path: "/e\u{301}"), 1))
    #expect(key != AnswerKey(ServerRequest(path: "/\u{e9}"), 2))
    #expect(key != AnswerKey(ServerRequest(path: "/\u{e9}", headers: accept), 1))
  }

  @Test(arguments: [("GET", true), ("HEAD", true), ("POST", false), ("PUT", false), ("get", false)])
  func `reads or does more`(method: String, isReading: Bool) {
    #expect(ContentServer.isReading(ServerRequest(method: method, path: "/")) == isReading)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A query to store` {
  private static func stored(_ body: [UInt8]) throws -> StoredQuery {
    try StoredQuery(configuration: "site", name: "all", body: body)
  }

  private static func fault(_ body: [UInt8]) -> String? {
    do throws(PersistFault) {
      _ = try StoredQuery(configuration: "site", name: "all", body: body)
      return nil
    } catch {
      return error.message
    }
  }

  @Test(arguments: [
    ("{a}", "{a}"), ("", ""), (#"{"query": "{b}"}"#, "{b}"), (#"{"query": ""}"#, ""),
    (#"{"text": "{b}"}"#, #"{"text": "{b}"}"#),
    (#"["query"]"#, #"["query"]"#), ("{é}", "{é}"),
  ])
  func `is its text, alone or in JSON`(body: String, text: String) throws {
    let query = try Self.stored(Array(body.utf8))
    #expect(query == StoredQuery(configuration: "site", name: "all", text: text))
    #expect(query.shortForm == "site/all" && query.longForm == "/conf/site/settings/graphql/persistentQueries/all")
  }

  @Test func `is as long as it may be`() throws {
    #expect(try Self.stored(Array(repeating: 0x61, count: 131_072)).text.utf8.count == 131_072)
    #expect(Self.fault(Array(repeating: 0x61, count: 131_073)) == "The query has more than 131072 bytes.")
  }

  @Test(arguments: [
    (#"{"query": 5}"#, "“query” is not text."), (#"{"query": null}"#, "“query” is not text."),
    (
      #"{"query": "a", "cache-control": []}"#, "“cache-control” is not an object of seconds."
    ),
    (
      #"{"query": "a", "surrogate-control": {"stale-if-error": -1}}"#,
      "“stale-if-error” of “surrogate-control” is not a number of seconds from 0 to 31536000."
    ),
    (
      #"{"query": "a", "cache-control": {"s-maxage": 31536001}}"#,
      "“s-maxage” of “cache-control” is not a number of seconds from 0 to 31536000."
    ),
  ])
  func `is refused with what is wrong`(body: String, message: String) {
    #expect(Self.fault(Array(body.utf8)) == message)
  }

  @Test func `is refused when it is not UTF-8`() {
    #expect(Self.fault([0x7B, 0xFF, 0x7D]) == "The body is not UTF-8.")
  }

  @Test func `is listed with how long its answers keep`() throws {
    let body = #"""
      {"query": "{a}", "cache-control": {"max-age": "5", "other": 1}, "surrogate-control": {"max-age": 6, "s-maxage": -1}}
      """#
    let query = try Self.stored(Array(body.utf8))
    let path: JSONValue = [
      "shortForm": "site/all", "longForm": "/conf/site/settings/graphql/persistentQueries/all",
    ]
    #expect(
      query.listed == [
        "path": path,
        "data": ["query": "{a}", "cache-control": ["max-age": 5], "surrogate-control": ["max-age": 6]],
      ])
    #expect(try Self.stored(Array("{a}".utf8)).listed == ["path": path, "data": ["query": "{a}"]])
    #expect(
      query.reported("update") == [
        "action": "update", "configurationName": "site", "name": "all", "shortPath": "/site/all",
        "path": "/conf/site/settings/graphql/persistentQueries/all",
      ])
  }

  @Test func `is one of a thousand at most, each configuration with its own`() throws {
    let queries = PersistedQueries()
    for number in 0..<1_000 {
      let query = StoredQuery(configuration: "c\(number % 2)", name: "q\(number / 2)", text: "a")
      #expect(try queries.store(query, replacing: false))
    }
    let more = StoredQuery(configuration: "c0", name: "more", text: "a")
    #expect(throws: PersistFault("There are 1000 persisted queries; no more are taken.")) {
      try queries.store(more, replacing: true)
    }
    #expect(try queries.store(StoredQuery(configuration: "c0", name: "q0", text: "b"), replacing: true))
    #expect(queries["c0", "q0"]?.text == "b" && queries["c1", "q0"]?.text == "a" && queries["c0", "more"] == nil)
    #expect(queries.all(of: "c0").count == 500 && queries.all(of: "c0").first?.text == "b")
  }
}
