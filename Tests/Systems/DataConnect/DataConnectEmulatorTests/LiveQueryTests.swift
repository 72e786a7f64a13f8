import DataConnectCompiler
import EventLoop
import JSON
import Synchronization
import Testing

@testable import DataConnectEmulator

@Suite(.timeLimit(.minutes(1)))
struct `A query that is listened to` {
  private static func key(_ name: String) -> QueryKey {
    QueryKey(service: "s", connector: "c", operation: name, variables: [:], caller: nil)
  }

  private static let nothing = ExecutedOperation(results: [], failure: nil)

  @Test func `is executed again and again where it wants that, and tells only news`() async throws {
    let runs = Mutex(0)
    let counted = Signal()
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch([], [.every(milliseconds: 5)])
        runs.withLock { $0 += 1 }
        counted.send()
        return Self.nothing
      }
    ) { queries in
      let listener = LiveQueryListener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      while runs.withLock({ $0 }) < 5 {
        let count = counted.count
        if runs.withLock({ $0 }) < 5 { try await counted.wait(past: count) }
      }
      #expect(listener.frames == ["1 \"data\":{}"])
    }
  }

  @Test func `is executed once for all who listen, and each who joins gets the result`() async throws {
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch([], [])
        return Self.nothing
      }
    ) { queries in
      let listener = LiveQueryListener()
      for index in 0..<10 {
        _ = queries.join(Self.key("a"), .nobody, listener, request: "\(index)", etag: nil)
        try await listener.count(index + 1)
      }
      #expect(queries.count == 1)
    }
  }

  @Test func `ends for all when nobody may see it any more`() async throws {
    try await LiveQueries.running(
      2, { query, _ throws(RequestFailure) in throw RequestFailure(.permissionDenied, "No.") }
    ) { queries in
      let listener = LiveQueryListener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      try await listener.count(1)
      #expect(listener.ended.withLock { $0 } == ["1 PERMISSION_DENIED"])
      #expect(queries.count == 0)
    }
  }

  @Test func `misses no change that comes while it is executed`() async throws {
    let (begun, mayEnd) = (Signal(), Signal())
    let runs = Mutex(0)
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch(["row"], [])
        let number = runs.withLock {
          $0 += 1; return $0
        }
        begun.send()
        if number == 1 { try? await mayEnd.wait(past: 0) }
        return Self.nothing
      }
    ) { queries in
      let listener = LiveQueryListener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      try await begun.wait(past: 0)
      queries.written(["row"])
      mayEnd.send()
      try await begun.wait(past: 1)
      #expect(runs.withLock { $0 } == 2)
    }
  }

  @Test func `is refreshed by the mutation that it names, of its own connector and service`() async throws {
    try await LiveQueries.running(
      2,
      { _, watch throws(RequestFailure) in
        watch([], [.mutation(name: "M", condition: "c")])
        return Self.nothing
      }
    ) { queries in
      let listener = LiveQueryListener()
      for (service, connector) in [("s", "c"), ("s", "d"), ("t", "c")] {
        let key = QueryKey(service: service, connector: connector, operation: "a", variables: [:], caller: nil)
        _ = queries.join(key, .nobody, listener, request: "1", etag: nil)
      }
      try await listener.count(3)
      for (mutation, service, connector, found) in [
        ("M", "s", "c", ["s/c"]), ("M", "t", "c", ["t/c"]), ("M", "t", "d", []), ("N", "s", "c", []),
      ] {
        let asked = Mutex<[String]>([])
        queries.executed(mutation, of: service, connector) { query, _ in
          asked.withLock { $0.append("\(query.key.service)/\(query.key.connector)") }
          return false
        }
        #expect(asked.withLock { $0 } == found)
      }
    }
  }

  @Test func `is not executed by a timer that it wants no more`() async throws {
    let runs = Mutex<[String: Int]>([:])
    let counted = Signal()
    try await LiveQueries.running(
      2,
      { query, watch throws(RequestFailure) in
        let name = query.key.operation
        let number = runs.withLock { runs in
          runs[name, default: 0] += 1
          return runs[name] ?? 0
        }
        watch([], name == "a" && number >= 3 ? [] : [.every(milliseconds: 2)])
        counted.send()
        return Self.nothing
      }
    ) { queries in
      func until(_ name: String, _ wanted: Int) async throws {
        while true {
          let count = counted.count
          if runs.withLock({ $0[name] ?? 0 }) >= wanted { return }
          try await counted.wait(past: count)
        }
      }
      let listener = LiveQueryListener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      try await until("a", 3)
      // The other query is the clock.
      _ = queries.join(Self.key("b"), .nobody, listener, request: "2", etag: nil)
      try await until("b", 20)
      #expect(runs.withLock { $0["a"] ?? 0 } <= 4)
    }
  }
}
