import ConfigurationFiles
import ContentClient
import Foundation
import HTTPClient
import JSON
import SQLite
import TestSupport
import Testing

private func item(_ name: String) -> String { #"{"data":{"name":"\#(name)"}}"# }

@Suite(.timeLimit(.minutes(1)))
struct `A content cache` {
  let directory: TemporaryDirectory
  var path: String { directory.file("content.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func `answers while its answer is fresh, also for the next client`() async throws {
    let server = FakeAEM(.json(item("a"), ["Cache-Control": "max-age=60", "Age": "5"]), .json(item("b")))
    _ = try await server.client(cache: path).execute(query: adventures)
    server.advance(by: 54)
    let kept = try await server.client(cache: path).execute(query: adventures)
    #expect(kept == ContentResult(data: ["name": "a"], httpStatus: 200, source: .cache, ageSeconds: 59))
    server.advance(by: 1)
    #expect(try await server.client(cache: path).execute(query: adventures).data["name"] == "b")
    #expect(server.requests.count == 2)
  }

  @Test func `has an answer for each URL and each who asks`() async throws {
    let fresh: HTTPFields = ["Cache-Control": "max-age=60"]
    let server = FakeAEM(
      .json(item("1"), fresh), .json(item("2"), fresh), .json(item("3"), fresh), .json(item("4"), fresh),
      .json(item("5"), fresh))
    let people: [ContentConfiguration.Authentication] = [
      .none, .basic(user: "a", password: Secret("p")), .basic(user: "b", password: Secret("p")),
      .token(Secret("s3cr3t")),
    ]
    for round in 0..<2 {
      for (index, person) in people.enumerated() {
        let client = server.client(
          try ContentConfiguration(scheme: "", host: "", authentication: person), cache: path)
        let result = try await client.execute(query: adventures)
        #expect(result.data["name"]?.stringValue == "\(index + 1)")
        #expect(result.source == (round == 0 ? .network : .cache))
      }
    }
    #expect(try await server.client(cache: path).execute(query: adventures, variables: ["x": 1]).data["name"] == "5")
    #expect(FileManager.default.fileExists(atPath: path))
    for suffix in ["", "-wal"] {
      // The log goes when the last connection closes.
      guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path + suffix)) else { continue }
      #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil)
    }
  }

  @Test func `asks whether its answer holds, and renews it`() async throws {
    let server = FakeAEM(
      .json(item("a"), ["Cache-Control": "max-age=60", "ETag": "\"v1\""]), .status(304, "", ["ETag": "\"v2\""]),
      .json(item("b"), ["ETag": "\"v3\""]), .status(304))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 100)
    let renewed = try await client.execute(query: adventures)
    #expect(renewed == ContentResult(data: ["name": "a"], httpStatus: 200, source: .revalidated, ageSeconds: 0))
    server.advance(by: 30)
    #expect(try await client.execute(query: adventures).source == .cache)
    server.advance(by: 100)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(try await client.execute(query: adventures).source == .revalidated)
    #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\"", "\"v2\"", "\"v3\""])
  }

  @Test func `asks at once when it is told to`() async throws {
    let control: HTTPFields = ["Cache-Control": "max-age=60, stale-if-error=600", "ETag": "\"v1\""]
    let server = FakeAEM(.json(item("a"), control), .status(304), .json(item("b"), control), .down(.timedOut))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures, policy: .revalidate).source == .revalidated)
    #expect(try await client.execute(query: adventures, policy: .revalidate).data["name"] == "b")
    #expect(try await client.execute(query: adventures).source == .cache)
    let error = await #expect(throws: ContentError.self) {
      try await client.execute(query: adventures, policy: .revalidate)
    }
    #expect(error?.kind == .timedOut)
    #expect(server.requests.map { $0.headers["Cache-Control"] } == [nil, "no-cache", "no-cache", "no-cache"])
  }

  @Test(arguments: [FakeAEM.Answer.down(.refused), .down(.timedOut), .status(500)])
  func `stands in for a failure as long as the server allowed`(failure: FakeAEM.Answer) async throws {
    let server = FakeAEM(.json(item("a"), ["Cache-Control": "max-age=60, stale-if-error=100"]))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 159)
    server.answer(failure, failure, failure)
    var stale = try await client.execute(query: adventures)
    // The reader is told why.
    let reason = stale.staleReason.take()
    #expect(
      reason?.hasPrefix("http://127.0.0.1:4503") == true || reason == "No server answers at http://127.0.0.1:4503.")
    #expect(stale == ContentResult(data: ["name": "a"], httpStatus: 200, source: .stale, ageSeconds: 159))
    server.advance(by: 1)
    await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
  }

  @Test(arguments: [FakeAEM.Answer.status(401), .status(403), .status(404), .down(.tls), .json("<html>")])
  func `does not hide a failure that stays`(failure: FakeAEM.Answer) async throws {
    let server = FakeAEM(.json(item("a"), ["Cache-Control": "stale-if-error=100"]), failure)
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
  }

  @Test func `gives the server one second while it may be stale`() async throws {
    let control: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=100"]
    let server = FakeAEM(.json(item("a"), control), .down(.timedOut), .status(503), .json(item("b"), control))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 70)
    #expect(try await client.execute(query: adventures).source == .stale)
    #expect(try await client.execute(query: adventures).source == .stale)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(server.requests.map(\.timeout) == [.seconds(15), .seconds(1), .seconds(1), .seconds(1)])
    #expect(server.slept.isEmpty)
  }

  @Test(arguments: ["no-store", "no-store, max-age=60", "", "no-cache"])
  func `keeps nothing that it must not keep or cannot use`(control: String) async throws {
    let server = FakeAEM(
      .json(item("a"), ["Cache-Control": "max-age=1"]), .json(item("b"), ["Cache-Control": control]), .status(404))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 2)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    await #expect(throws: ContentError.self) { try await client.execute(query: adventures) }
    #expect(try rows() == 0)
  }

  @Test func `forgets what a confirmation forbids to keep`() async throws {
    let server = FakeAEM(
      .json(item("a"), ["Cache-Control": "max-age=1", "ETag": "\"v1\""]),
      .status(304, "", ["Cache-Control": "no-store"]), .json(item("b")))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 2)
    let confirmed = try await client.execute(query: adventures)
    #expect(confirmed.data["name"] == "a" && confirmed.source == .revalidated)
    #expect(try rows() == 0)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
    #expect(server.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\"", nil])
  }

  @Test(arguments: [(500, true), (503, true), (499, false), (400, false), (200, false)])
  func `stands in for errors of GraphQL only where the server failed`(status: Int, isReplaced: Bool) async throws {
    let server = FakeAEM(.json(item("a"), ["Cache-Control": "stale-if-error=100"]))
    for _ in 0..<3 {
      server.answer(.status(status, #"{"errors":[{"message":"no"}]}"#, ["Content-Type": "application/json"]))
    }
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    let found = try? await client.execute(query: adventures)
    #expect((found != nil) == isReplaced && (found?.source == .stale) == isReplaced)
    #expect(found?.staleReason == (isReplaced ? "AEM could not run \"\(adventures)\": no" : nil))
  }

  @Test func `keeps no partial answer`() async throws {
    let server = FakeAEM(
      .json(#"{"data":{"a":1},"errors":[{"message":"half"}]}"#, ["Cache-Control": "max-age=60"]), .json(item("b")))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).data["name"] == "b")
  }

  @Test func `sends back no tag that would become another field`() async throws {
    let server = FakeAEM(
      .json(item("a"), ["Cache-Control": "max-age=1", "ETag": "\"a\u{1}\""]), .json(item("b")))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 5)
    _ = try await client.execute(query: adventures)
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
  }

  /// What the file holds when nobody writes to it.
  private func rows() throws -> Int64 {
    let database = try Database(
      path: path, options: DatabaseOptions(applicationID: 0x414E_4343, isReadOnly: true),
      migrations: Migrations(["", ""]))
    guard case .integer(let count) = try database.scalar("SELECT count(*) FROM response") else { return -1 }
    return count
  }
}
