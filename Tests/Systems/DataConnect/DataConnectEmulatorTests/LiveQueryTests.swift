import DataConnectCompiler
import EventLoop
import JSON
import Synchronization
import Testing

@testable import DataConnectEmulator

/// Somebody who keeps what arrives.
private final class Listener: SubscriberSink {
  let frames = Mutex<[String]>([])
  let ended = Mutex<[String]>([])
  let arrived = Signal()

  func deliver(_ members: String, to request: String) {
    frames.withLock { $0.append("\(request) \(members.prefix { $0 != "," })") }
    arrived.send()
  }

  func end(_ failure: RequestFailure, of request: String) {
    ended.withLock { $0.append("\(request) \(failure.code.rawValue)") }
    arrived.send()
  }

  func count(_ wanted: Int) async throws {
    while true {
      let count = arrived.count
      if frames.withLock({ $0.count }) + ended.withLock({ $0.count }) >= wanted { return }
      try await arrived.wait(past: count)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A query that is listened to` {
  private static func key(_ name: String) -> QueryKey {
    QueryKey(service: "s", connector: "c", operation: name, variables: [:], caller: nil)
  }

  /// Runs the queries with what stands for a database.
  private func run(
    _ execute: @escaping LiveQueries.Execution, _ body: (LiveQueries) async throws -> Void
  ) async throws {
    let queries = LiveQueries(mostRunning: 2)
    let loop = EventLoop.onThread(name: "test-live", spin: .zero)
    defer { loop.stop() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await queries.run(on: loop, execute) }
      try await body(queries)
      group.cancelAll()
    }
  }

  private static let nothing = ExecutedOperation(results: [], failure: nil)

  @Test func `is executed again and again where it wants that, and tells only news`() async throws {
    let runs = Mutex(0)
    let counted = Signal()
    try await run({ _, watch throws(RequestFailure) in
      watch([], [.every(milliseconds: 5)])
      runs.withLock { $0 += 1 }
      counted.send()
      return Self.nothing
    }) { queries in
      let listener = Listener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      while runs.withLock({ $0 }) < 5 {
        let count = counted.count
        if runs.withLock({ $0 }) < 5 { try await counted.wait(past: count) }
      }
      #expect(listener.frames.withLock { $0 } == ["1 \"data\":{}"])
    }
  }

  @Test func `is executed once for all who listen, and each who joins gets the result`() async throws {
    try await run({ _, watch throws(RequestFailure) in
      watch([], [])
      return Self.nothing
    }) { queries in
      let listener = Listener()
      for index in 0..<10 {
        _ = queries.join(Self.key("a"), .nobody, listener, request: "\(index)", etag: nil)
        try await listener.count(index + 1)
      }
      #expect(queries.count == 1)
    }
  }

  @Test func `ends for all when nobody may see it any more`() async throws {
    try await run({ query, _ throws(RequestFailure) in throw RequestFailure(.permissionDenied, "No.") }) { queries in
      let listener = Listener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      try await listener.count(1)
      #expect(listener.ended.withLock { $0 } == ["1 PERMISSION_DENIED"])
      #expect(queries.count == 0)
    }
  }

  @Test func `misses no change that comes while it is executed`() async throws {
    let (begun, mayEnd) = (Signal(), Signal())
    let runs = Mutex(0)
    try await run({ _, watch throws(RequestFailure) in
      watch(["row"], [])
      let number = runs.withLock {
        $0 += 1; return $0
      }
      begun.send()
      if number == 1 { try? await mayEnd.wait(past: 0) }
      return Self.nothing
    }) { queries in
      let listener = Listener()
      _ = queries.join(Self.key("a"), .nobody, listener, request: "1", etag: nil)
      try await begun.wait(past: 0)
      queries.written(["row"])
      mayEnd.send()
      try await begun.wait(past: 1)
      #expect(runs.withLock { $0 } == 2)
    }
  }
}
