import JSON
import Synchronization
import Testing

@testable import ContentClient
@testable import HTTPClient

/// A server that answers when the test lets it.
private final class Gate: Sendable {
  private struct State {
    var waiting: [CheckedContinuation<Void, Never>] = []
    var count = 0
    var isOpen = false
    var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  var count: Int { state.withLock { $0.count } }

  func pass() async {
    await withCheckedContinuation { continuation in
      let (heard, isOpen) = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        state.count += 1
        let count = state.count
        let heard = state.arrivals.filter { $0.count <= count }
        state.arrivals.removeAll { $0.count <= count }
        return (heard, state.isOpen)
      }
      if isOpen { continuation.resume() }
      for arrival in heard { arrival.1.resume() }
    }
  }

  /// Waits until so many have come in all.
  func arrived(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.count >= count { return true }
        state.arrivals.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets all pass, from now on.
  func open() {
    let waiting = state.withLock { state in
      let waiting = state.waiting
      state.waiting = []
      state.isOpen = true
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func client() -> ContentClient {
    let transport: ContentTransport = { request throws(HTTPError) in
      await self.pass()
      if Task.isCancelled { throw HTTPError(.cancelled, "Cancelled.", url: request.url) }
      return HTTPResponse(status: 200, body: Array(#"{"data":{}}"#.utf8), url: request.url)
    }
    return ContentClient(configuration: ContentConfiguration(), transport: transport)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Equal requests at one time` {
  @Test func `are one, and others are not`() async throws {
    let gate = Gate()
    let client = gate.client()
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { _ = try await client.execute(query: "a/b", variables: ["x": 1]) } }
      group.addTask { _ = try await client.execute(query: "a/b", variables: ["x": 2]) }
      group.addTask { _ = try await client.execute(query: "a/b", variables: ["x": 1], policy: .reload) }
      await gate.arrived(3)
      for _ in 0..<1_000 { await Task.yield() }
      #expect(gate.count == 3)
      gate.open()
      try await group.waitForAll()
    }
  }

  @Test func `go on when the one that asked is cancelled`() async throws {
    let gate = Gate()
    let flights = SingleFlight<String, Int>()
    let (signals, signal) = AsyncStream<Void>.makeStream()
    let leader: @Sendable () async throws -> Int = {
      try await withThrowingTaskGroup(of: Int.self) { inner in
        inner.addTask {
          try await flights.run("k") { () throws(ContentError) in
            await gate.pass()
            if Task.isCancelled { throw .cancelled }
            return 1
          }
        }
        for await _ in signals { break }
        inner.cancelAll()
        gate.open()
        return try await inner.next() ?? 0
      }
    }
    await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask { try await leader() }
      await gate.arrived(1)
      group.addTask { try await flights.run("k") { () throws(ContentError) in 2 } }
      for _ in 0..<100 { await Task.yield() }
      signal.finish()
      var results: [Int] = []
      while let result = await group.nextResult() {
        if case .success(let number) = result { results.append(number) }
      }
      #expect(results == [2])
    }
  }

  @Test func `fail together, but for one that is cancelled itself`() async throws {
    let gate = Gate()
    let flights = SingleFlight<String, Int>()
    let failure = ContentError(.serverError, "It failed.", recovery: "Wait.")
    await withTaskGroup(of: ContentError.Kind?.self) { group in
      group.addTask {
        do throws(ContentError) {
          _ = try await flights.run("k") { () throws(ContentError) in
            await gate.pass()
            throw failure
          }
          return nil
        } catch { return error.kind }
      }
      await gate.arrived(1)
      group.addTask {
        withUnsafeCurrentTask { $0?.cancel() }
        do throws(ContentError) {
          return try await flights.run("k") { () throws(ContentError) in 1 } == 1 ? nil : nil
        } catch { return error.kind }
      }
      #expect(await group.next() == .cancelled)
      gate.open()
      #expect(await group.next() == .serverError)
    }
  }
}
