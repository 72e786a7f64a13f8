import HTTPClient
import Testing

@testable import Transfers

@Suite(.timeLimit(.minutes(1)))
struct `An upload that a server may get twice` {
  let place: RunnerPlace

  init() throws { place = try RunnerPlace() }

  @Test(arguments: ["POST", "PATCH"]) func `is not repeated when it may have been done already`(
    method: String
  ) async throws {
    let server = try FaultyServer { _, _ in FaultyServer.Reply(length: 10, cut: 0) }
    defer { server.stop() }
    try await place.open()
    _ = try await place.journals.upload("an order", to: server.url) { draft in
      var draft = draft
      draft.request.method = method
      _ = try await place.journal.add(draft, to: place.key, epoch: 1)
    }
    try await place.runAll()
    #expect(server.requests.count == 1)
    let failure = try #require(try await place.failure())
    #expect(failure.code == -1005 && failure.recovery.contains("may have it"))
  }

  @Test func `has the same key with each attempt, and another for each task`() async throws {
    let server = try FaultyServer { _, index in FaultyServer.Reply(status: index % 2 == 0 ? 503 : 201) }
    defer { server.stop() }
    try await place.open()
    for _ in 0..<2 {
      _ = try await place.journals.upload("an order", to: server.url) { draft in
        var draft = draft
        draft.request.method = "POST"
        _ = try await place.journal.add(draft, to: place.key, epoch: 1)
      }
      try await place.runAll()
    }
    let keys = server.requests.map { $0.headers["idempotency-key"] ?? "" }
    #expect(keys.count == 4 && keys[0] == keys[1] && keys[2] == keys[3] && keys[0] != keys[2])
    #expect(keys[0].count == 34 && keys[0].hasPrefix("\""))
  }
}
