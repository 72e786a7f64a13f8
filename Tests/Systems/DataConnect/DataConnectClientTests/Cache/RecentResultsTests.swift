import ConfigurationFiles
import JSON
import Testing

@testable import DataConnectClient

@Suite
struct `The results that were used last` {
  let recent = RecentResults()
  let operation = DataOperation("q", kind: .query, variables: ["a": 1, "b": 2])
  let scope = CacheScope(CacheSettings(), .test(port: 1), user: "ann")
  let kept = KeptResult(data: ["n": 1], maximumAge: nil, storedAt: 0, isStale: false)

  @Test func `A result is given for some seconds, to its user alone`() {
    recent.put(kept, of: operation, in: scope, since: recent.changes, now: 1_000)
    let same = DataOperation("q", kind: .query, variables: ["b": 2, "a": 1])
    #expect(recent.result(of: same, in: scope, now: 5_999) == kept)
    #expect(recent.result(of: operation, in: scope, now: 6_000) == nil)
    #expect(recent.result(of: operation, in: scope, now: 999) == nil)
    let other = CacheScope(CacheSettings(), .test(port: 1), user: "bob")
    #expect(recent.result(of: operation, in: other, now: 1_000) == nil)
  }

  @Test func `Users are told apart by the bytes of their names`() async {
    let (one, other) = ("jos\u{E9}", "jose\u{301}")
    let endpoint = DataConnectEndpoint.test(port: 1)
    let settings = CacheSettings()
    recent.put(kept, of: operation, in: CacheScope(settings, endpoint, user: one), since: recent.changes, now: 1_000)
    let found = recent.result(of: operation, in: CacheScope(settings, endpoint, user: other), now: 1_000)
    #expect(found == nil)
    let places = Set([one, other].map { StreamHub.Key(endpoint: endpoint, user: $0) })
    #expect(places.count == 2)
    let failure = await #expect(throws: DataConnectFailure.self) {
      _ = try await OperationExchange.token(of: one, from: { _ in IDToken(text: Secret("t"), user: other) })
    }
    #expect(failure == .userChanged)
  }

  @Test func `What was read before something changed is not given`() {
    let changes = recent.changes
    recent.forget(scope)
    recent.put(kept, of: operation, in: scope, since: changes, now: 1_000)
    #expect(recent.result(of: operation, in: scope, now: 1_000) == nil)
    recent.put(kept, of: operation, in: scope, since: recent.changes, now: 1_000)
    recent.forget(scope)
    #expect(recent.result(of: operation, in: scope, now: 1_000) == nil)
  }

  @Test func `More than fits makes the others be forgotten`() {
    let text = JSONValue.string(String(repeating: "x", count: RecentResults.maximumBytes / 5))
    let large = KeptResult(data: text, maximumAge: nil, storedAt: 0, isStale: false)
    func query(_ number: Int) -> DataOperation { DataOperation("q\(number)", kind: .query) }
    for number in 0..<5 { recent.put(large, of: query(number), in: scope, since: recent.changes, now: 0) }
    #expect(recent.result(of: query(0), in: scope, now: 0) == nil)
    #expect(recent.result(of: query(4), in: scope, now: 0) == large)
    let tooLarge = KeptResult(data: [text, text], maximumAge: nil, storedAt: 0, isStale: false)
    recent.put(tooLarge, of: query(5), in: scope, since: recent.changes, now: 0)
    #expect(recent.result(of: query(5), in: scope, now: 0) == nil)
  }

  @Test func `What is forgotten leaves its space to others, each time`() {
    let text = JSONValue.string(String(repeating: "x", count: RecentResults.maximumBytes / 5))
    let large = KeptResult(data: text, maximumAge: nil, storedAt: 0, isStale: false)
    let queries = (0..<3).map { DataOperation("q\($0)", kind: .query) }
    for turn in 1...3 {
      for query in queries { recent.put(large, of: query, in: scope, since: recent.changes, now: 0) }
      for query in queries { #expect(recent.result(of: query, in: scope, now: 0) == large, "turn \(turn)") }
      recent.forget(scope)
    }
  }
}
