import DataConnectClient
import HTTPServer
import JSON
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An entity of a kept result` {
  let use = CacheSettings(storage: .memory, maxAge: .seconds(10))
  let list = DataOperation("listMovies", kind: .query)
  let get = DataOperation("getMovie", kind: .query, variables: ["id": "1"])

  static func answer(_ data: JSONValue, _ hints: JSONValue...) -> ServerResponse {
    .json(["data": data, "extensions": ["dataConnect": .array(hints)]])
  }

  @Test func `An entity that another query brings is another in every result`() async throws {
    let reviews: JSONValue = [["text": "good"]]
    let first = Self.answer(
      ["movies": [["id": "1", "title": "A", "reviews": reviews], ["id": "2", "title": "B", "reviews": []]]],
      ["path": ["movies"], "entityIds": ["e1", "e2"]])
    let second = Self.answer(
      ["movie": ["title": "C", "year": 1980, "id": "1"]], ["path": ["movie"], "entityId": "e1"])
    try await StubServer([first, second]).run { client, endpoint in
      _ = try await client.execute(list, at: endpoint, cache: use)
      _ = try await client.execute(get, at: endpoint, cache: use)
      let kept = try await client.execute(list, at: endpoint, cache: use)
      #expect(kept.source == .cache)
      #expect(
        kept.data?.description
          == #"{"movies":[{"id":"1","title":"C","reviews":[{"text":"good"}]},{"id":"2","title":"B","reviews":[]}]}"#)
    }
  }

  @Test func `Entities below entities are shared, whatever stands between`() async throws {
    let first = Self.answer(
      [
        "movie": [
          "id": "1", "info": ["studio": ["id": "s", "name": "Old"]], "actors": [["id": "a", "name": "X"], ["n": 1]],
        ]
      ],
      ["path": ["movie"], "entityId": "e1"], ["path": ["movie", "info", "studio"], "entityId": "es"],
      ["path": ["movie", "actors"], "entityIds": ["ea", ""]])
    let second = Self.answer(
      ["studio": ["id": "s", "name": "New"], "actor": ["id": "a", "name": "Y"]],
      ["path": ["studio"], "entityId": "es"],
      ["path": ["actor"], "entityId": "ea"])
    try await StubServer([first, second]).run { client, endpoint in
      _ = try await client.execute(get, at: endpoint, cache: use)
      _ = try await client.execute(list, at: endpoint, cache: use)
      let kept = try await client.execute(get, at: endpoint, cache: use)
      #expect(
        kept
          == DataResponse(
            data: [
              "movie": [
                "id": "1", "info": ["studio": ["id": "s", "name": "New"]],
                "actors": [["id": "a", "name": "Y"], ["n": 1]],
              ]
            ], source: .cache))
    }
  }

  @Test func `An entity inside of itself is one`() async throws {
    let data: JSONValue = ["user": ["id": "u", "name": "N", "friend": ["id": "u", "age": 3]]]
    let answer = Self.answer(
      data, ["path": ["user"], "entityId": "u"], ["path": ["user", "friend"], "entityId": "u"])
    try await StubServer([answer]).run { client, endpoint in
      _ = try await client.execute(get, at: endpoint, cache: use)
      try await #expect(client.execute(get, at: endpoint, cache: use) == DataResponse(data: data, source: .cache))
    }
  }

  @Test func `A result that a mutation touches is stale, and has what the mutation said`() async throws {
    let first = Self.answer(["movie": ["id": "1", "title": "A"]], ["path": ["movie"], "entityId": "e1"])
    let change = Self.answer(
      ["query": ["movie": ["title": "B"]], "movie_update": ["id": "1"]], ["path": ["movie_update"], "entityId": "e1"],
      ["path": ["query", "movie"], "entityId": "e1"])
    try await StubServer([first, change, first]).run { client, endpoint in
      _ = try await client.execute(get, at: endpoint, cache: use)
      _ = try await client.execute(DataOperation("change", kind: .mutation), at: endpoint, cache: use)
      let stale = try await client.execute(get, at: endpoint, policy: .cacheOnly, cache: use)
      #expect(stale.data == ["movie": ["id": "1", "title": "B"]])
      try await #expect(client.execute(get, at: endpoint, cache: use).source == .server)
      try await #expect(client.execute(get, at: endpoint, cache: use).source == .cache)
    }
  }

  @Test(
    arguments: [
      [["path": "movie", "entityId": "e"]], [["path": ["movie", -1], "entityId": "e"]], [3, .null, []],
      [["path": ["movie", 5, "x"], "entityIds": ["e"]]], [["path": [], "entityId": ""]],
      [["path": ["movie"], "entityIds": ["e", 3, "f"]]], [["path": ["movie", 1.5], "entityId": 3, "maxAge": "-1s"]],
      [["path": .array(Array(repeating: "a", count: 100_000)), "entityId": "e"]],
    ] as [[JSONValue]])
  func `Hints that fit nothing do no harm`(_ hints: [JSONValue]) async throws {
    let data: JSONValue = ["movie": [["id": "1", "tags": ["a"]], .null, 3]]
    let answer = ServerResponse.json(["data": data, "extensions": ["dataConnect": .array(hints)]])
    try await StubServer([answer]).run { client, endpoint in
      _ = try await client.execute(get, at: endpoint, cache: use)
      try await #expect(client.execute(get, at: endpoint, cache: use) == DataResponse(data: data, source: .cache))
    }
  }

  @Test func `Ten thousand rows are kept and found in little time`() async throws {
    let rows = (0..<10_000).map { row -> JSONValue in
      ["id": .string("id-\(row)"), "title": .string("Title \(row)"), "year": JSONValue(row), "tags": ["a", "b"]]
    }
    let answer = Self.answer(
      ["movies": .array(rows)],
      ["path": ["movies"], "entityIds": .array((0..<10_000).map { .string("0123456789abcdef0123456789-\($0)") })])
    try await StubServer([answer]).run { client, endpoint in
      let clock = ContinuousClock()
      let storing = try await clock.measure { _ = try await client.execute(list, at: endpoint, cache: use) }
      var kept: DataResponse?
      let finding = try await clock.measure { kept = try await client.execute(list, at: endpoint, cache: use) }
      #expect(kept == DataResponse(data: ["movies": .array(rows)], source: .cache))
      // A debug build on a busy machine: what is quadratic takes minutes.
      #expect(storing < .seconds(15) && finding < .seconds(10), "stored in \(storing), found in \(finding)")
    }
  }
}
