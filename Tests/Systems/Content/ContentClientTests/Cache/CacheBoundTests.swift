import HTTPClient
import JSON
import TestSupport
import Testing

@testable import ContentClient

@Suite(.timeLimit(.minutes(1)))
struct `What the content client keeps` {
  private func response(_ headers: HTTPFields, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: headers, body: [1], url: "http://fake")
  }

  @Test func `is renewed by what a confirmation says, and by nothing that it leaves out`() {
    let first = response(["Cache-Control": "max-age=10", "ETag": "\"a\"", "Age": "3"])
    var kept = CachedAnswer(first, now: 1_000)
    #expect(kept.entityTag == "\"a\"" && kept.control.maximumAge == 10 && kept.initialAge == 3)
    #expect(kept.freshness(now: 1_006) == .fresh && kept.freshness(now: 1_007) == .expired)
    kept.renew(by: response([:], status: 304), now: 2_000)
    #expect(kept.entityTag == "\"a\"" && kept.control.maximumAge == 10 && kept.initialAge == 0)
    #expect(kept.freshness(now: 2_009) == .fresh && kept.freshness(now: 2_010) == .expired)
    kept.renew(by: response(["Cache-Control": "max-age=5", "ETag": "\"b\"", "Age": "1"], status: 304), now: 3_000)
    #expect(kept.entityTag == "\"b\"" && kept.age(now: 3_002) == 3)
    #expect(kept.freshness(now: 3_003) == .fresh && kept.freshness(now: 3_004) == .expired)
    #expect(kept.body == [1])
  }

  @Test(
    arguments: [
      ("", nil), ("\"a\"", "\"a\""), ("W/\"a b\"", "W/\"a b\""), ("\"é\"", nil), ("\"a\u{7F}\"", nil),
      ("\"~\"", "\"~\""),
    ] as [(String, String?)])
  func `has a tag that can be sent back`(field: String, tag: String?) {
    #expect(response(["ETag": field]).entityTag == tag)
  }

  @Test(arguments: [
    ("0", 0), ("5", 5), ("-5", 0), ("x", 0), ("2147483648", 1 << 31), ("2147483649", 1 << 31), ("1.5", 0),
  ])
  func `has an age in whole seconds`(field: String, age: Int) {
    #expect(response(["Age": field]).ageSeconds == age)
    #expect(response([:]).ageSeconds == 0)
  }

  @Test func `may replace a failure as long as either of both times says`() {
    func kept(_ field: String) -> CachedAnswer {
      CachedAnswer(body: [], entityTag: nil, control: CacheControl(fields: [field]), storedAt: 0, initialAge: 0)
    }
    let revalidating = kept("max-age=10, stale-while-revalidate=20, stale-if-error=5")
    #expect(revalidating.mayReplaceFailure(now: 29) && !revalidating.mayReplaceFailure(now: 30))
    #expect(revalidating.freshness(now: 29) == .staleWhileRevalidate && revalidating.freshness(now: 30) == .expired)
    let neither = kept("max-age=10")
    #expect(neither.mayReplaceFailure(now: 9) && !neither.mayReplaceFailure(now: 10))
  }

  @Test func `is half of the space at most, and gives way to what was used later`() async throws {
    let directory = try TemporaryDirectory()
    func key(_ name: String) -> ResponseCache.Key { ResponseCache.Key(url: name, identity: "i") }
    func answer(_ bytes: Int) -> CachedAnswer {
      CachedAnswer(
        body: [UInt8](repeating: 1, count: bytes), entityTag: nil, control: CacheControl(fields: ["max-age=60"]),
        storedAt: 0, initialAge: 0)
    }
    let cache = ResponseCache(
      path: { directory.file("content.sqlite") }, maximumBytes: 300, report: { Issue.record("\($0)") })
    // A name of two bytes, and as many bytes as make half of the space.
    await cache.store(answer(148), for: key("é"), now: 0)
    #expect(await cache.answer(for: key("é"), now: 0)?.body.count == 148)
    #expect(await cache.answer(for: ResponseCache.Key(url: "é", identity: "j"), now: 0) == nil)
    await cache.store(answer(149), for: key("é"), now: 0)
    #expect(await cache.answer(for: key("é"), now: 0) == nil, "the older one is not given in its place")
    for (place, name) in ["a", "b", "c"].enumerated() { await cache.store(answer(99), for: key(name), now: place) }
    // A minute and a second later the first is used again, and the second gives way.
    #expect(await cache.answer(for: key("a"), now: 61) != nil)
    await cache.store(answer(99), for: key("d"), now: 62)
    #expect(await cache.answer(for: key("b"), now: 62) == nil)
    for name in ["a", "c", "d"] { #expect(await cache.answer(for: key(name), now: 62) != nil, "\(name)") }
    // What is stored again takes the place of itself alone.
    await cache.store(answer(99), for: key("d"), now: 63)
    for name in ["a", "c", "d"] { #expect(await cache.answer(for: key(name), now: 63) != nil, "\(name)") }
    await cache.remove(key("a"))
    #expect(await cache.answer(for: key("a"), now: 63) == nil)
    await cache.removeAll()
    #expect(await cache.answer(for: key("d"), now: 63) == nil)
  }

  @Test func `is a quarter of the memory at most, and four of them beside each other`() throws {
    let recent = RecentAnswers()
    let quarter = RecentAnswers.maximumBytes / 4
    func key(_ query: String) -> RecentAnswers.Key { RecentAnswers.Key(query: query, variables: [:]) }
    func keep(_ name: String, _ bytes: Int) throws {
      let text = #"{"data":{}}"#
      let body = Array((text + String(repeating: " ", count: bytes - text.utf8.count)).utf8)
      let kept = CachedAnswer(
        body: body, entityTag: nil, control: CacheControl(fields: ["max-age=60"]), storedAt: 0, initialAge: 0)
      recent.keep(
        try GraphQLAnswer(body: body, query: "q", server: "s", status: 200), of: kept, for: key(name), now: 0)
    }
    func found(_ names: [String]) -> [String] { names.filter { recent.result(for: key($0), now: 0) != nil } }
    let names = ["a", "b", "c", "d"]
    for name in names { try keep(name, quarter) }
    #expect(found(names) == names)
    // What is forgotten makes place.
    recent.forget(key("a"))
    recent.forget(key("a"))
    try keep("e", quarter)
    #expect(found(names + ["e"]) == ["b", "c", "d", "e"])
    try keep("f", 12)
    #expect(found(names + ["e", "f"]) == ["f"])
    try keep("f", quarter + 1)
    #expect(found(["f"]).isEmpty, "the older one is not given in its place")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `What the content client asks for` {
  @Test func `is a path of 1024 bytes and a URL of 8000 bytes at most`() throws {
    let longest = "é/" + String(repeating: "é", count: 510) + "a"
    #expect(longest.utf8.count == 1_024)
    #expect(try PersistedQuery(longest).path == longest && PersistedQuery("/" + longest).path == longest)
    #expect(throws: ContentError.self) { try PersistedQuery(longest + "a") }
    let room = PersistedQuery.maximumTargetBytes - (try PersistedQuery("a/b", variables: ["v": ""]).target.utf8.count)
    func query(_ count: Int) throws -> PersistedQuery {
      try PersistedQuery("a/b", variables: ["v": .string(String(repeating: "x", count: count))])
    }
    #expect(try query(room).fitsURL && query(room).target.utf8.count == 8_000)
    let longer = try query(room + 1)
    #expect(longer.obstacle(to: longer.target) == .length(bytes: 8_001))
    let nul = try PersistedQuery("a/b", variables: ["w": 1, "v": "\u{0}"])
    #expect(nul.obstacle(to: nul.target) == .nul(variable: "v"))
    let semicolon = try PersistedQuery("a/b", variables: ["w": 1, "v": ["x;"]])
    #expect(semicolon.obstacle(to: semicolon.target) == .semicolon(variable: "v"))
  }

  @Test func `is a picture of 16384 pixels and the quality 100 at most`() throws {
    func parameters(_ rendition: ImageRendition) -> [String]? {
      (try? rendition.parameters())?.map { "\($0.name)=\($0.value)" }
    }
    #expect(
      parameters(ImageRendition(width: 1, height: 16_384, quality: 1)) == ["width=1", "height=16384", "quality=1"])
    #expect(parameters(ImageRendition(width: 16_384, height: 1, quality: 100)) != nil)
    #expect(parameters(ImageRendition(width: 16_385)) == nil && parameters(ImageRendition(height: 0)) == nil)
    #expect(parameters(ImageRendition()) == [] && parameters(ImageRendition(format: "jpeg")) == ["format=JPG"])
    for format in ["gif", "PNG", "png8", "JPG", "pjpg", "bjpg", "webp", "webpll", "WebPLy"] {
      #expect(parameters(ImageRendition(format: format)) == ["format=\(format.uppercased())"])
    }
  }

  @Test func `is a page of a thousand at most, from zero on`() async throws {
    for paging in [ListPaging.cursor(size: 1_000), .offset(size: 1_000), .cursor(size: 1), .offset(size: 1, from: 0)] {
      let server = FakeAEM(.json(#"{"data":{"aList":{"items":[]}}}"#))
      var iterator = server.client().pages(query: "a/b", by: paging).makeAsyncIterator()
      _ = try? await iterator.next()
      #expect(server.requests.count == 1, "\(paging)")
    }
    let server = FakeAEM()
    var none = server.client().pages(query: "a/b", by: .cursor(size: 1), maximumPages: 0).makeAsyncIterator()
    #expect(try await none.next() == nil && server.requests.isEmpty)
    var beyond = server.client().pages(query: "a/b", by: .offset(size: 1_001)).makeAsyncIterator()
    await #expect(throws: ContentError.self) { try await beyond.next() }
    #expect(server.requests.isEmpty)
  }
}
