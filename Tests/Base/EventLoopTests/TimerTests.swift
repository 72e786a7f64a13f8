import Synchronization
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1))) struct `The timers of a loop` {
  @Test func `come due in the order of their times, equal ones in the order they were set`() {
    var heap = TimerHeap()
    let fired = Log()
    for (time, name) in [(30, "c"), (10, "a"), (20, "b"), (10, "a2"), (5, "early")] as [(UInt64, String)] {
      _ = heap.add(at: time) { fired.add(name) }
    }
    #expect(heap.timeout(from: { 4 }) == 1)
    #expect(heap.popDue(at: 4) == nil)
    while let action = heap.popDue(at: 20) { action() }
    #expect(fired.entries == ["early", "a", "a2", "b"])
    #expect(heap.count == 1)
  }

  @Test func `do not fire when they were cancelled, and leave no litter`() {
    var heap = TimerHeap()
    var ids: [UInt64] = []
    for time in 0..<10_000 as Range<UInt64> { ids.append(heap.add(at: time) {}) }
    for id in ids.dropFirst() { heap.cancel(id) }
    #expect(heap.count == 1)
    #expect(heap.popDue(at: 0) != nil)
    #expect(heap.popDue(at: .max) == nil)
    #expect(heap.isEmpty)
    #expect(heap.timeout(from: { 0 }) == nil)
  }

  @Test func `are rounded up to a millisecond, so that the loop does not wake too early`() {
    var heap = TimerHeap()
    _ = heap.add(at: 1_000_001) {}
    #expect(heap.timeout(from: { 0 }) == 2)
    #expect(heap.timeout(from: { 1 }) == 1)
    #expect(heap.timeout(from: { 2_000_000 }) == 0)
  }

  @Test func `wake a sleeping loop`() {
    let loop = EventLoop()
    let slept = loop.run { () -> Duration in
      let clock = ContinuousClock()
      return await clock.measure { try? await loop.sleep(for: .milliseconds(20)) }
    }
    #expect(slept >= .milliseconds(20))
  }

  @Test func `end the sleep of a cancelled task at once`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let task = Task { try await loop.sleep(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `are gone with the sleep of a cancelled task`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    func count() async -> Int {
      await withCheckedContinuation { continuation in loop.execute { continuation.resume(returning: loop.timers.count) }
      }
    }
    let task = Task { try await loop.sleep(for: .seconds(3600)) }
    while await count() == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while await count() > 0 { await Task.yield() }
  }

  @Test func `cut an operation off at its deadline, and let a quick one through`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    try await #expect(withDeadline(.seconds(60), on: loop) { 5 } == 5)
    await #expect(throws: DeadlineExceeded(limit: .milliseconds(5))) {
      try await withDeadline(.milliseconds(5), on: loop) { try await loop.sleep(for: .seconds(3600)) }
    }
    await #expect(throws: Oops.self) { try await withDeadline(.seconds(60), on: loop) { throw Oops() } }
  }

  @Test(
    arguments: [(.zero, 0), (.seconds(-1), 0), (.nanoseconds(7), 7), (.seconds(2), 2_000_000_000)]
      as [(Duration, UInt64)])
  func `count nanoseconds`(duration: Duration, nanoseconds: UInt64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
  }

  @Test func `never overflow`() { #expect(Duration.seconds(Int64.max).wholeNanoseconds == UInt64(Int64.max)) }

  struct Oops: Error {}

  final class Log: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ name: String) { state.withLock { $0.append(name) } }
    var entries: [String] { state.withLock { $0 } }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The polling before a sleep` {
  @Test func `happens only after work came`() {
    var spin = AdaptiveSpin(limit: .microseconds(25))
    #expect(spin.beginWait() == false)
    spin.workCame()
    #expect(spin.beginWait() == true)
    spin.slept()
    #expect(spin.beginWait() == false)
  }

  @Test func `becomes rare when it is in vain, and frequent again when it pays`() {
    var spin = AdaptiveSpin(limit: .microseconds(25))
    var polls = 0
    for _ in 0..<5000 {
      spin.workCame()
      if spin.beginWait() {
        polls += 1
        spin.miss()
      }
    }
    #expect(polls < 20)
    for _ in 0..<20_000 {
      spin.workCame()
      if spin.beginWait() { spin.hit() }
    }
    spin.workCame()
    #expect(spin.beginWait() == true)
  }

  @Test func `is off when its limit is zero`() {
    var spin = AdaptiveSpin(limit: .zero)
    spin.workCame()
    #expect(spin.beginWait() == false)
  }
}
