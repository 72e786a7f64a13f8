import Synchronization
import TestSupport
import Testing

@testable import ContentClient
@testable import HTTPClient

/// What the server confirms and nobody can read: another version of this package may have kept it.
@Suite(.timeLimit(.minutes(1)))
struct `An answer that was kept and cannot be read` {
  @Test(arguments: [true, false]) func `is asked for whole, and kept no longer`(comes: Bool) async throws {
    let directory = try TemporaryDirectory()
    let client = FakeAEM().client()
    let cache = ResponseCache(
      path: { directory.file("content.sqlite") }, maximumBytes: 1 << 20, report: { Issue.record("\($0)") })
    let key = ResponseCache.Key(url: "u", identity: "i")
    let old = CachedAnswer(
      body: Array("old".utf8), entityTag: "\"1\"", control: CacheControl(fields: []), storedAt: 0, initialAge: 0)
    await cache.store(old, for: key, now: 0)
    let asked = Mutex<[String?]>([])
    let fetch = CachedFetch<String>(
      exchange: ServerExchange("GET", "http://fake/u", of: client, headers: [:], maximumBodyBytes: 100), cache: cache,
      key: key, clock: client.clock, flights: SingleFlight(),
      send: { exchange, tag, _, _ throws(ContentError) in
        asked.withLock { $0.append(tag) }
        if tag != nil { return HTTPResponse(status: 304, headers: [:], body: [], url: exchange.url) }
        guard comes else { throw ContentError(.timedOut, "It took too long.", recovery: "Wait.") }
        return HTTPResponse(status: 200, headers: ["ETag": "\"2\""], body: Array("new".utf8), url: exchange.url)
      },
      read: { response throws(ContentError) in
        guard response.body != old.body else { throw ContentError(.invalidAnswer, "It is old.", recovery: "Wait.") }
        return String(decoding: response.body, as: UTF8.self)
      }, mayKeep: { _ in true })
    let found = try? await fetch.run(.revalidate)
    #expect(found?.answer == (comes ? "new" : nil))
    #expect(asked.withLock { $0 } == ["\"1\"", nil])
    #expect(await cache.answer(for: key, now: 0)?.body == (comes ? Array("new".utf8) : nil))
  }
}
