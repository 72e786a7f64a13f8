import HTTPServer
import JSON
import Testing

@testable import ContentServer

@Suite(.timeLimit(.minutes(1)))
struct `What the content server keeps` {
  @Test func `is no value of more than an eighth of all`() {
    var cache = BoundedCache<String, Int>(mostBytes: 80, most: 8)
    cache.keep(1, bytes: 10, for: "a")
    cache.keep(2, bytes: 11, for: "b")
    cache.keep(3, bytes: 0, for: "c")
    cache.keep(4, bytes: -1, for: "d")
    #expect(["a", "b", "c", "d"].map { cache.value($0) } == [1, nil, 3, nil])
    #expect(cache.bytes == 10 && cache.count == 2)
    // A value that is too large leaves the one of before.
    cache.keep(5, bytes: 11, for: "a")
    #expect(cache.value("a") == 1 && cache.bytes == 10)
  }

  @Test func `gives way by a quarter when there are too many bytes, what was used last remaining`() {
    var cache = BoundedCache<Int, Int>(mostBytes: 80, most: 100)
    for number in 0..<8 { cache.keep(number, bytes: 10, for: number) }
    #expect(cache.count == 8 && cache.bytes == 80)
    #expect(cache.value(0) == 0)
    cache.keep(8, bytes: 1, for: 8)
    // The first was used again: 1, 2 and 3 go until 60 bytes are left at most.
    #expect((0...8).filter { cache.value($0) != nil } == [0, 4, 5, 6, 7, 8])
    #expect(cache.bytes == 51 && cache.count == 6)
  }

  @Test func `gives way by a quarter when there are too many values`() {
    var cache = BoundedCache<Int, Int>(mostBytes: 8_000, most: 8)
    for number in 0..<8 { cache.keep(number, bytes: 1, for: number) }
    #expect(cache.count == 8)
    cache.keep(8, bytes: 1, for: 8)
    #expect((0...8).filter { cache.value($0) != nil } == [3, 4, 5, 6, 7, 8] && cache.bytes == 6)
  }

  @Test func `counts a value once, however often it is replaced, and nothing after all are gone`() {
    var cache = BoundedCache<Int, Int>(mostBytes: 80, most: 8)
    for number in 0..<20 { cache.keep(number, bytes: 10, for: 1) }
    #expect(cache.value(1) == 19 && cache.bytes == 10 && cache.count == 1)
    cache.removeAll()
    #expect(cache.value(1) == nil && cache.bytes == 0 && cache.count == 0)
    for number in 0..<8 { cache.keep(number, bytes: 10, for: number) }
    #expect(cache.count == 8)
  }

  @Test func `is 16 MiB of stored queries, of which one that is replaced counts once`() throws {
    let queries = PersistedQueries()
    func query(_ name: String, _ bytes: Int) -> StoredQuery {
      StoredQuery(configuration: "c", name: name, text: String(repeating: "é", count: bytes / 2))
    }
    for number in 0..<127 { #expect(try queries.store(query("q\(number)", 128 << 10), replacing: false)) }
    for _ in 0..<3 { #expect(try queries.store(query("q0", 128 << 10), replacing: true)) }
    #expect(throws: PersistFault.self) { try queries.store(query("last", (128 << 10) + 2), replacing: false) }
    #expect(queries["c", "last"] == nil)
    #expect(try queries.store(query("last", 128 << 10), replacing: false))
    #expect(throws: PersistFault.self) { try queries.store(query("q1", (128 << 10) + 2), replacing: true) }
    #expect(queries["c", "q1"]?.text.utf8.count == 128 << 10)
    #expect(try queries.store(query("q1", 2), replacing: true))
    #expect(try queries.store(query("more", 2), replacing: false))
  }

  @Test func `is a query under its name, in the order in which names came`() throws {
    let queries = PersistedQueries()
    func query(_ name: String, _ text: String, of configuration: String = "c") -> StoredQuery {
      StoredQuery(configuration: configuration, name: name, text: text)
    }
    #expect(try queries.store(query("b", "1"), replacing: true))
    #expect(try queries.store(query("a", "2"), replacing: false))
    #expect(try queries.store(query("x", "3", of: "d"), replacing: false))
    #expect(try !queries.store(query("b", "4"), replacing: false))
    #expect(queries["c", "b"]?.text == "1")
    #expect(try queries.store(query("b", "5"), replacing: true))
    #expect(queries.all(of: "c").map(\.text) == ["5", "2"] && queries.all(of: "e").isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A rule of the content server` {
  private func request(_ asked: String?, method: String = "GET") -> ServerRequest {
    ServerRequest(method: method, path: "/", headers: asked.map { [ServerField("If-None-Match", $0)] } ?? [])
  }

  @Test(arguments: [
    ("\"a\"", true), ("\"b\", \"a\"", true), (" \t\"a\"\t ", true), ("W/\"a\"", true), ("*", true), ("\"b\"", false),
    ("a", false), ("\"a", false), ("", false), ("w/\"a\"", false), (",,\"a\"", true),
  ])
  func `is that a client has what it has the tag of`(asked: String, isThere: Bool) {
    #expect(EntityTag.matches("\"a\"", request(asked)) == isThere)
    #expect(!EntityTag.matches("\"a\"", request(nil)))
  }

  @Test func `is that only an answer of content is confirmed, and that to a question`() {
    let answer = ServerResponse(body: [1, 2])
    let tag = EntityTag.of([1, 2])
    #expect(tag.utf8.count == 34 && tag != EntityTag.of([1, 3]))
    for method in ["GET", "HEAD"] {
      let first = EntityTag.validated(answer, for: request(nil, method: method))
      #expect(first.status == 200 && first.header("ETag") == tag && first.body == [1, 2])
      let again = EntityTag.validated(answer, for: request(tag, method: method))
      #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag)
      #expect(EntityTag.validated(answer, for: request(EntityTag.of([]), method: method)).status == 200)
    }
    #expect(EntityTag.validated(answer, for: request(tag, method: "POST")).status == 200)
    #expect(EntityTag.validated(answer, for: request(tag, method: "POST")).header("ETag") == nil)
    #expect(EntityTag.validated(ServerResponse(status: 404, body: [1, 2]), for: request("*")).status == 404)
    var own = answer
    own.headers.append(ServerField("ETag", "\"own\""))
    #expect(EntityTag.validated(own, for: request("\"own\"")).status == 304)
    #expect(EntityTag.validated(own, for: request(tag)).status == 200)
  }

  @Test func `is how long answers keep: a year at most, the nearer setting first`() throws {
    let standard = CachePolicy.standard(isAuthor: false)
    #expect(standard == CachePolicy(maximumAge: 60, sharedAge: 7_200))
    #expect(CachePolicy.standard(isAuthor: true) == CachePolicy(maximumAge: 60, sharedAge: 60))
    func applied(_ body: JSONObject) throws -> CachePolicy { try CacheOverride(body).applied(to: standard) }
    #expect(try applied([:]) == standard)
    for (given, taken) in [(0, 0), (31_536_000, 31_536_000), ("7", 7)] as [(JSONValue, Int)] {
      #expect(try applied(["cache-control": ["max-age": given]]).maximumAge == taken)
    }
    for given in [-1, 31_536_001, "x", 1.5, true] as [JSONValue] {
      for name in ["cache-control", "surrogate-control"] {
        #expect(throws: PersistFault.self, "\(given)") { try CacheOverride([name: ["max-age": given]]) }
      }
    }
    #expect(try applied(["cache-control": ["max-age": .null, "other": -1]]) == standard)
    #expect(try applied(["cache-control": ["s-maxage": 5]]).sharedAge == 5)
    #expect(try applied(["cache-control": ["s-maxage": 5], "surrogate-control": ["max-age": 6]]).sharedAge == 6)
    let both = try applied([
      "cache-control": ["stale-while-revalidate": 1, "stale-if-error": 2],
      "surrogate-control": ["stale-if-error": 3],
    ])
    #expect(both == CachePolicy(maximumAge: 60, sharedAge: 7_200, staleWhileRevalidate: 1, staleIfError: 3))
    #expect(both.field == "max-age=60, s-maxage=7200, stale-while-revalidate=1, stale-if-error=3")
  }

  @Test(arguments: [
    ("a", true), ("aZ09-._", true), ("", false), (".", false), ("..", false), ("...", true), ("a/b", false),
    ("a:", false), ("a@", false), ("a[", false), ("a`", false), ("a{", false), ("é", false), ("a b", false),
    (String(repeating: "a", count: 100), true), (String(repeating: "a", count: 101), false),
  ])
  func `is what a query may be called`(name: String, isOne: Bool) {
    #expect(PersistedQueries.isName(name) == isOne)
  }

  @Test func `is what the status says of a query, for who asks`() {
    func outcome(_ json: JSONObject, wantsStatus: Bool = true) -> ServerResponse {
      QueryOutcome(json: json).response(wantsStatus: wantsStatus, caching: .standard(isAuthor: true))
    }
    func error(_ kind: String?) -> JSONValue {
      [kind.map { ["extensions": ["classification": .string($0)]] } ?? [:]]
    }
    #expect(outcome(["data": [:]]).status == 200)
    #expect(outcome(["data": [:], "errors": error("ValidationError")]).status == 200)
    #expect(outcome(["data": .null, "errors": error("ValidationError")]).status == 400)
    #expect(outcome(["errors": error("DataFetchingException")]).status == 500)
    #expect(outcome(["errors": error(nil)]).status == 500)
    #expect(outcome(["errors": error("ValidationError")], wantsStatus: false).status == 200)
    #expect(outcome(["data": [:], "errors": []]).header("Cache-Control")?.hasPrefix("max-age=60") == true)
    #expect(outcome(["data": [:], "errors": error(nil)]).header("Cache-Control") == "no-store")
    #expect(outcome(["data": [:]]).header("Vary") == "Accept")
    #expect(outcome(["data": [:]], wantsStatus: false).header("Vary") == nil)
    #expect(QueryOutcome(json: [:]).response(wantsStatus: true, caching: nil).header("Cache-Control") == nil)
  }
}
