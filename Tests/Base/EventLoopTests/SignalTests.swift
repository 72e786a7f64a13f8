import EventLoop
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A signal` {
  @Test func `lets everybody go who waits past what was sent, again and again`() async throws {
    let signal = Signal()
    #expect(signal.count == 0)
    for round in 0..<3 as Range<UInt64> {
      let through = Signal()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<5 {
          group.addTask {
            try await signal.wait(past: round)
            through.send()
          }
        }
        for _ in 0..<100 { await Task.yield() }
        #expect(through.count == 0)
        signal.send()
        try await group.waitForAll()
      }
      #expect(through.count == 5 && signal.count == round + 1)
      // What was sent already is not waited for.
      try await signal.wait(past: round)
    }
  }

  @Test func `lets a waiter go when its own task is cancelled, and no other`() async throws {
    let signal = Signal()
    let other = Task { try await signal.wait(past: 0) }
    for isEarly in [true, false] {
      let cancelled = Task {
        while isEarly, !Task.isCancelled { await Task.yield() }
        try await signal.wait(past: 0)
      }
      if !isEarly { for _ in 0..<50 { await Task.yield() } }
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
    signal.send()
    try await other.value
    // A cancelled task waits for nothing that was sent already either.
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await signal.wait(past: 0)
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `is quiet when nothing was sent for a pause, or after so many pauses`() async throws {
    let loop = EventLoop.onThread(name: "signal-test", spin: .zero)
    defer { loop.stop() }
    let signal = Signal()
    let start = ContinuousClock.now
    try await signal.settle(on: loop, pause: .seconds(3_600), atMost: 0)
    try await signal.settle(on: loop, pause: .milliseconds(20))
    #expect(ContinuousClock.now - start >= .milliseconds(20))
    let noise = Noise(signal)
    loop.execute { noise.go(on: loop) }
    try await signal.wait(past: 10)
    let noisy = ContinuousClock.now
    try await signal.settle(on: loop, pause: .milliseconds(5), atMost: 3)
    #expect(ContinuousClock.now - noisy >= .milliseconds(15))
    noise.isOver.store(true, ordering: .relaxed)
    try await signal.settle(on: loop, pause: .milliseconds(5), atMost: .max)
    let cancelled = Task { try await signal.settle(on: loop, pause: .seconds(3_600)) }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}

/// Sends every millisecond on the thread that ends the pauses: however late that thread is, it sends within each.
private final class Noise: Sendable {
  let isOver = Atomic(false)
  private let signal: Signal

  init(_ signal: Signal) { self.signal = signal }

  func go(on loop: EventLoop) {
    guard !isOver.load(ordering: .relaxed) else { return }
    signal.send()
    _ = loop.schedule(after: .milliseconds(1)) { self.go(on: loop) }
  }
}
