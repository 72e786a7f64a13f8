import ContentClient
import HTTPClient
import JSON
import TestSupport
import Testing

private let lasting: HTTPFields = [
  "Cache-Control": "max-age=10, stale-while-revalidate=100, stale-if-error=200", "ETag": "\"1\"",
]
private func item(_ name: String) -> FakeAEM.Answer { .json(#"{"data":{"name":"\#(name)"}}"#, lasting) }

@Suite(.timeLimit(.minutes(1)))
struct `Content that is shown and then replaced` {
  let directory: TemporaryDirectory
  var path: String { directory.file("content.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  @Test func `is the older answer at once, and then that of the server`() async throws {
    let server = FakeAEM(item("a"), item("b"))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 20)
    var updates = client.updates(query: adventures).makeAsyncIterator()
    let first = try await updates.next()
    #expect(first?.data["name"] == "a" && first?.source == .stale && first?.isRefreshDue == true)
    #expect(first?.staleReason == nil)
    // Nobody asked yet.
    #expect(server.requests.count == 1)
    let second = try await updates.next()
    #expect(second?.data["name"] == "b" && second?.source == .network && second?.isRefreshDue == false)
    // The server gets all of its time.
    #expect(server.requests.last?.timeout == .seconds(15))
    #expect(try await updates.next() == nil)
  }

  @Test func `is one answer when that is fresh, new, or beyond its time`() async throws {
    let server = FakeAEM(item("a"), item("b"), item("c"))
    let client = server.client(cache: path)
    for (seconds, name) in [(0, "a"), (5, "a"), (200, "b")] {
      server.advance(by: seconds)
      var names: [String?] = []
      for try await result in client.updates(query: adventures) { names.append(result.data["name"]?.stringValue) }
      #expect(names == [name])
    }
    var names: [String?] = []
    for try await result in client.updates(query: adventures, policy: .reload) {
      names.append(result.data["name"]?.stringValue)
    }
    #expect(names == ["c"])
    #expect(server.requests.last?.headers["If-None-Match"] == nil)
    #expect(server.requests.last?.headers["Cache-Control"] == "no-cache")
  }

  @Test func `stays with the reason while the server is down`() async throws {
    let server = FakeAEM(item("a"), .down(.timedOut), .status(404))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    server.advance(by: 20)
    var results: [ContentResult] = []
    for try await result in client.updates(query: adventures) { results.append(result) }
    #expect(results.map(\.source) == [.stale, .stale])
    #expect(results.map(\.staleReason) == [nil, "http://127.0.0.1:4503 did not answer in time."])
    #expect(results.map(\.isRefreshDue) == [true, false])
    // A failure that stays is one.
    var updates = client.updates(query: adventures).makeAsyncIterator()
    #expect(try await updates.next()?.data["name"] == "a")
    await #expect(throws: ContentError.self) { try await updates.next() }
    #expect(try await updates.next() == nil)
  }
}
