import Glibc
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1))) struct `Work on a thread of its own` {
  private struct Failed: Error, Equatable {}

  /// Lets a thread wait for the test, as it would for a disk.
  private final class Gate: Sendable {
    private let ends: [Int32]

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      self.ends = ends
    }

    deinit { for end in ends { close(end) } }

    func open() { #expect(write(ends[1], "x", 1) == 1) }
    func wait() {
      var byte: UInt8 = 0
      #expect(read(ends[0], &byte, 1) == 1)
    }
  }

  private func withLoop<Value>(_ body: (EventLoop) async throws -> Value) async throws -> Value {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    return try await body(loop)
  }

  @Test func `gives its value, or its error`() async throws {
    try await withLoop { loop in
      let value = try await SystemThread.run(name: "t", within: .seconds(20), on: loop) { _ in 42 }
      #expect(value == 42)
      await #expect(throws: Failed.self) {
        try await SystemThread.run(name: "t", within: .seconds(20), on: loop) { _ in throw Failed() }
      }
    }
  }

  @Test func `leaves no timer behind, and was not abandoned when it ends in time`() async throws {
    try await withLoop { loop in
      for _ in 0..<2 {
        let isAbandoned = try await SystemThread.run(name: "t", within: .seconds(3_600), on: loop) { $0() }
        #expect(!isAbandoned)
        let onLoop = try await withTaskExecutorPreference(loop) {
          try await SystemThread.run(name: "t", within: .seconds(3_600), on: loop) { _ in 5 }
        }
        #expect(onLoop == 5)
      }
      // The loop hears of it a little later.
      while await loop.timerCount() > 0 { await Task.yield() }
    }
  }

  @Test func `does not begin for a task that is cancelled already`() async throws {
    try await withLoop { loop in
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await SystemThread.run(name: "t", within: .seconds(50), on: loop) { _ in _ = begin.yield() }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      begin.finish()
      #expect(await begun.first { _ in true } == nil)
      #expect(await loop.timerCount() == 0)
    }
  }

  @Test func `is abandoned when the limit has passed, and what it makes is discarded`() async throws {
    try await withLoop { loop in
      let gate = try Gate()
      let (discarded, discard) = AsyncStream.makeStream(of: Bool.self)
      await #expect(throws: DeadlineExceeded.self) {
        _ = try await SystemThread.run(name: "t", within: .milliseconds(20), on: loop) { isAbandoned in
          gate.wait()
          return isAbandoned()
        } discard: {
          discard.yield($0)
        }
      }
      gate.open()
      for await knew in discarded {
        #expect(knew)
        break
      }
    }
  }

  @Test func `is abandoned when the task is cancelled`() async throws {
    try await withLoop { loop in
      let gate = try Gate()
      defer { gate.open() }
      let task = Task {
        try await SystemThread.run(name: "t", within: .seconds(50), on: loop) { _ in gate.wait() }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }
}
