import ConfigurationFiles
import DataConnectClient
import HTTPClient
import HTTPServer
import JSON
import TestSupport
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `The client of extensions` {
  private static let operations = """
    mutation Add($title: String!) @auth(level: PUBLIC) { movie_insert(data: {title: $title}) }
    mutation Rename($id: UUID!, $title: String!) @auth(level: PUBLIC) { movie_update(id: $id, data: {title: $title}) }
    query Get($id: UUID!) @auth(level: PUBLIC) { movie(id: $id) { id title } }
    query Mine @auth(level: USER) { notes(where: {author: {eq_expr: "auth.uid"}}) { text } }
    mutation Tell($text: String!) @auth(level: USER) { note_insert(data: {text: $text}) }
    """

  private func run(
    _ body: (TestEmulator, DataConnectClient, DataConnectEndpoint) async throws -> Void
  ) async throws {
    try await TestEmulator.run(Self.operations) { emulator in
      let client = DataConnectClient(DataConnectClient.Configuration(http: .patient))
      let endpoint = DataConnectEndpoint(
        host: emulator.address.host, port: emulator.address.port, isSecure: false, project: "demo",
        location: "us-east4", service: "films", connector: "movies")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await client.run() }
        try await body(emulator, client, endpoint)
        await client.close()
        group.cancelAll()
      }
    }
  }

  @Test func `executes, is refused, and keeps what the server tells of rows`() async throws {
    try await run { _, client, endpoint in
      let nobody: TokenSource = { _ in nil }
      let ann: TokenSource = { _ in IDToken(text: Secret(TestEmulator.token("ann")), user: "ann") }
      let made = try await client.execute(
        DataOperation("Add", kind: .mutation, variables: ["title": "A"]), at: endpoint, user: nil, token: nobody)
      let id = try #require(made.data?["movie_insert"]?["id"])
      let get = DataOperation("Get", kind: .query, variables: ["id": id])
      let cache = CacheSettings(storage: .memory, maxAge: .seconds(60))
      let first = try await client.execute(get, at: endpoint, user: nil, cache: cache, token: nobody)
      #expect(first.source == .server && first.data?["movie"]?["title"] == "A")
      let second = try await client.execute(get, at: endpoint, user: nil, cache: cache, token: nobody)
      #expect(second.source == .cache && second.data?["movie"]?["title"] == "A")
      await #expect {
        try await client.execute(DataOperation("Mine", kind: .query), at: endpoint, user: nil, token: nobody)
      } throws: { ($0 as? DataConnectFailure)?.code == .unauthenticated }
      await #expect {
        try await client.execute(DataOperation("None", kind: .query), at: endpoint, user: nil, token: nobody)
      } throws: { ($0 as? DataConnectFailure)?.code == .notFound }
      let told = try await client.execute(
        DataOperation("Tell", kind: .mutation, variables: ["text": "t"]), at: endpoint, user: "ann", token: ann)
      #expect(told.errors.isEmpty)
      let mine = try await client.execute(DataOperation("Mine", kind: .query), at: endpoint, user: "ann", token: ann)
      #expect(mine.data == ["notes": [["text": "t"]]])
    }
  }

  @Test func `is told of what others write`() async throws {
    try await run { emulator, client, endpoint in
      let id = try #require(try await emulator.mutate("Add", ["title": "A"]).data()["movie_insert"]?["id"])
      let get = DataOperation("Get", kind: .query, variables: ["id": id])
      var answers = client.subscribe(get, at: endpoint, user: nil, token: { _ in nil }).makeAsyncIterator()
      #expect(try await answers.next()?.data?["movie"]?["title"] == "A")
      _ = try await emulator.mutate("Rename", ["id": id, "title": "B"]).data()
      #expect(try await answers.next()?.data?["movie"]?["title"] == "B")
      // Calls share the stream by now.
      let renamed = try await client.execute(
        DataOperation("Rename", kind: .mutation, variables: ["id": id, "title": "C"]), at: endpoint, user: nil,
        token: { _ in nil })
      #expect(renamed.errors.isEmpty)
      #expect(try await answers.next()?.data?["movie"]?["title"] == "C")
    }
  }

  @Test func `learns that it may not listen`() async throws {
    try await run { _, client, endpoint in
      var answers = client.subscribe(
        DataOperation("Mine", kind: .query), at: endpoint, user: nil, token: { _ in nil }
      ).makeAsyncIterator()
      await #expect { _ = try await answers.next() } throws: { ($0 as? DataConnectFailure)?.code == .unauthenticated }
    }
  }
}
