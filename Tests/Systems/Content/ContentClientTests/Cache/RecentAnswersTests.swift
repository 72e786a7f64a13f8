import HTTPClient
import JSON
import TestSupport
import Testing

@testable import ContentClient

private func item(_ name: String) -> String { #"{"data":{"name":"\#(name)"}}"# }

@Suite(.timeLimit(.minutes(1))) struct `The answers used last` {
  let directory: TemporaryDirectory
  var path: String { directory.file("content.sqlite") }

  init() throws { directory = try TemporaryDirectory() }

  private func key(_ query: String) -> RecentAnswers.Key { RecentAnswers.Key(query: query, variables: [:]) }

  private func answer(_ name: String, bytes: Int = 0) throws -> (GraphQLAnswer, CachedAnswer) {
    let body = Array((item(name) + String(repeating: " ", count: bytes)).utf8)
    let kept = CachedAnswer(
      body: body, entityTag: nil, control: CacheControl(fields: ["max-age=60"]), storedAt: 1000, initialAge: 57)
    return (try GraphQLAnswer(body: body, query: "q", server: "s", status: 200), kept)
  }

  @Test func `are given for seconds, and never longer than they are fresh`() throws {
    let recent = RecentAnswers()
    let (answer, kept) = try answer("a")
    recent.keep(answer, of: kept, for: key("u"), now: 1000)
    let found = try #require(recent.result(for: key("u"), now: 1002))
    #expect(found.data == answer.data && found.ageSeconds == 59)
    #expect(recent.result(for: key("other"), now: 1000) == nil)
    // Three seconds after its arrival it is a minute old.
    #expect(recent.result(for: key("u"), now: 1003) == nil)
    // The clock was set back.
    #expect(recent.result(for: key("u"), now: 999) == nil)
    recent.keep(answer, of: kept, for: key("u"), now: 1003)
    #expect(recent.result(for: key("u"), now: 1002) == nil)
    var younger = kept
    younger.initialAge = 0
    recent.keep(answer, of: younger, for: key("u"), now: 1000)
    #expect(recent.result(for: key("u"), now: 1004) != nil)
    #expect(recent.result(for: key("u"), now: 1005) == nil)
    recent.keep(answer, of: younger, for: key("u"), now: 1000)
    recent.forget(key("u"))
    #expect(recent.result(for: key("u"), now: 1000) == nil)
  }

  @Test func `are none that were kept later than now, and then the older one is none either`() throws {
    let recent = RecentAnswers()
    let (answer, kept) = try answer("a")
    // The clock was set back: nobody knows how old it is.
    recent.keep(answer, of: kept, for: key("u"), now: 999)
    #expect(recent.result(for: key("u"), now: 999) == nil)
    recent.keep(answer, of: kept, for: key("u"), now: 1000)
    #expect(recent.result(for: key("u"), now: 1000) != nil)
    recent.keep(answer, of: kept, for: key("u"), now: 999)
    #expect(recent.result(for: key("u"), now: 1000) == nil)
  }

  @Test func `are given for a query of the same bytes only`() throws {
    let recent = RecentAnswers()
    let (answer, kept) = try answer("a")
    recent.keep(answer, of: kept, for: key("caf\u{E9}"), now: 1000)
    #expect(recent.result(for: key("caf\u{E9}"), now: 1000) != nil)
    #expect(recent.result(for: key("cafe\u{301}"), now: 1000) == nil)
  }

  @Test func `are bounded in bytes`() throws {
    let recent = RecentAnswers()
    let (large, keptLarge) = try answer("l", bytes: RecentAnswers.maximumBytes / 4)
    recent.keep(large, of: keptLarge, for: key("large"), now: 1000)
    #expect(recent.result(for: key("large"), now: 1000) == nil)
    let (answer, kept) = try answer("a", bytes: RecentAnswers.maximumBytes / 4 - 100)
    for number in 0..<20 { recent.keep(answer, of: kept, for: key("same"), now: 1000 + number % 3) }
    #expect(recent.result(for: key("same"), now: 1001) != nil)
    for number in 0..<4 { recent.keep(answer, of: kept, for: key("\(number)"), now: 1000) }
    #expect((0..<4).count { recent.result(for: key("\($0)"), now: 1000) != nil } < 4)
    #expect(recent.result(for: key("3"), now: 1000) != nil)
  }

  @Test func `need no disk, until another process may have changed it`() async throws {
    let fresh = "max-age=600"
    let server = FakeAEM(.json(item("a"), ["Cache-Control": fresh]), .json(item("b"), ["Cache-Control": fresh]))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).source == .cache)
    // Another process asks the server, and keeps what it says.
    _ = try await server.client(cache: path).execute(query: adventures, policy: .revalidate)
    server.advance(by: RecentAnswers.lifetime - 1)
    #expect(try await client.execute(query: adventures).data["name"] == "a")
    server.advance(by: 1)
    let later = try await client.execute(query: adventures)
    #expect(later.data["name"] == "b" && later.source == .cache && later.ageSeconds == RecentAnswers.lifetime)
    #expect(server.requests.count == 2)
  }

  @Test func `give way to what the server says when it is asked`() async throws {
    let fresh = "max-age=600"
    let server = FakeAEM(.json(item("a"), ["Cache-Control": fresh]), .json(item("b"), ["Cache-Control": fresh]))
    let client = server.client(cache: path)
    _ = try await client.execute(query: adventures)
    #expect(try await client.execute(query: adventures).data["name"] == "a")
    #expect(try await client.execute(query: adventures, policy: .revalidate).data["name"] == "b")
    #expect(try await client.execute(query: adventures).data["name"] == "b")
  }
}
