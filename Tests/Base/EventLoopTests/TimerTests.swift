import Synchronization
import TestSupport
import Testing

@testable import EventLoop

extension TimerHeap {
  /// What is to be done by a time.
  fileprivate mutating func popDue(at now: UInt64) -> [() -> Void] { takeDue(at: now).compactMap { fire($0) } }
}

@Suite(.timeLimit(.minutes(1))) struct `The timers of a loop` {
  @Test func `do not fire when another one that fires before them cancels them`() {
    var heap = TimerHeap()
    let (first, second) = (heap.add(at: 1) {}, heap.add(at: 2) {})
    #expect(heap.takeDue(at: 2) == [first, second])
    heap.cancel(second)
    #expect(heap.fire(first) != nil && heap.fire(first) == nil && heap.fire(second) == nil && heap.isEmpty)
  }

  @Test func `come due in the order of their times, equal ones in the order they were set`() {
    var heap = TimerHeap()
    let fired = Log()
    for (time, name) in [(30, "c"), (10, "a"), (20, "b"), (10, "a2"), (5, "early")] as [(UInt64, String)] {
      _ = heap.add(at: time) { fired.add(name) }
    }
    #expect(heap.timeout(from: { 4 }) == 1)
    #expect(heap.popDue(at: 4).isEmpty)
    for action in heap.popDue(at: 20) { action() }
    #expect(fired.entries == ["early", "a", "a2", "b"])
    #expect(heap.count == 1)
  }

  @Test func `do not fire when they were cancelled, and leave no litter`() {
    var heap = TimerHeap()
    var ids: [UInt64] = []
    for time in 0..<10_000 as Range<UInt64> { ids.append(heap.add(at: time) {}) }
    for id in ids.dropFirst() { heap.cancel(id) }
    #expect(heap.count == 1)
    #expect(heap.popDue(at: 0).count == 1)
    #expect(heap.popDue(at: .max).isEmpty)
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

  @Test func `are waited for up to an hour, and not at all at their time`() {
    var heap = TimerHeap()
    let late = heap.add(at: 7_200_000_000_000) {}
    #expect(heap.timeout(from: { 0 }) == 3_600_000)
    #expect(heap.timeout(from: { 3_600_000_000_001 }) == 3_600_000)
    #expect(heap.timeout(from: { 7_199_999_999_999 }) == 1 && heap.timeout(from: { 7_200_000_000_000 }) == 0)
    let early = heap.add(at: 5) {}
    #expect(heap.timeout(from: { 4 }) == 1)
    heap.cancel(early)
    heap.cancel(early)
    #expect(heap.count == 1 && heap.timeout(from: { 7_199_999_999_999 }) == 1)
    heap.cancel(late)
    #expect(heap.isEmpty && heap.timeout(from: { 0 }) == nil)
  }

  @Test func `are those of a plain list, whatever is set and cancelled`() async {
    let failure = await RandomSteps.failure(seeds: 1...200, steps: 200) { steps in
      var heap = TimerHeap()
      var model: [(time: UInt64, id: UInt64)] = []
      let fired = Log()
      for step in steps {
        var chance = RandomSteps.Chance(step)
        let time = UInt64(chance.number(0...40))
        switch chance.number(0...5) {
        case 0...2:
          let name = "\(model.count)-\(time)"
          let id = heap.add(at: time) { fired.add(name) }
          model.append((time, id))
        case 3:
          guard !model.isEmpty else { continue }
          heap.cancel(model.remove(at: chance.number(0...(model.count - 1))).id)
        default:
          let due = model.filter { $0.time <= time }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
          let count = fired.entries.count
          for action in heap.popDue(at: time) { action() }
          let names = fired.entries[count...]
          if names.count != due.count || zip(names, due).contains(where: { !$0.hasSuffix("-\($1.time)") }) {
            return "at \(time) \(Array(names)) fire in place of \(due)"
          }
          model.removeAll { $0.time <= time }
        }
        let next = model.map(\.time).min().map { $0 > time ? Int32(1) : 0 }
        if heap.timeout(from: { time }) != next || heap.count != model.count || heap.isEmpty != model.isEmpty {
          return "after \(time) there are \(heap.count), not \(model.count)"
        }
      }
      return nil
    }
    #expect(failure == nil)
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

  /// Sets itself anew for a time that is past.
  private final class Eager: Sendable {
    private let loop: EventLoop
    private let isOver = Atomic<Bool>(false)

    init(on loop: EventLoop) { self.loop = loop }

    func fire() { if !isOver.load(ordering: .relaxed) { _ = loop.schedule(at: 0) { self.fire() } } }
    func end() { isOver.store(true, ordering: .relaxed) }
  }

  @Test(arguments: [false, true]) func `that set themselves anew keep nobody waiting`(byTimer: Bool) async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    await withCheckedContinuation { continuation in
      loop.execute {
        let eager = Eager(on: loop)
        eager.fire()
        let end: @Sendable () -> Void = {
          eager.end()
          continuation.resume()
        }
        if byTimer { _ = loop.schedule(at: 1, end) } else { loop.execute(end) }
      }
    }
  }

  @Test func `are gone with the sleep of a cancelled task`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let task = Task { try await loop.sleep(for: .seconds(3600)) }
    while await loop.timerCount() == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    while await loop.timerCount() > 0 { await Task.yield() }
  }

  @Test func `of an operation are gone with it, also when they were put off`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let asked = Atomic(0)
    let task = Task(executorPreference: loop) {
      let value = try await withTimeLimit(
        .milliseconds(1), on: loop,
        held: {
          asked.add(1, ordering: .relaxed)
          return 3_600_000_000_000
        }, { try await self.isAsked(asked, loop) })
      // The second time none is put off.
      return try await withTimeLimit(.seconds(3_600), on: loop) { value }
    }
    #expect(try await task.value == 1)
    #expect(await loop.timerCount() == 0)
  }

  /// Waits until a limit was asked whether it is held.
  private func isAsked(_ count: borrowing Atomic<Int>, _ loop: EventLoop) async throws -> Int {
    while count.load(ordering: .relaxed) == 0 { try await loop.sleep(for: .milliseconds(1)) }
    return count.load(ordering: .relaxed)
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

  @Test func `end an operation as part of its own task, and never one that is done`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let done = Task(executorPreference: loop) {
      let value = try await withTimeLimit(.milliseconds(20), on: loop) { 5 }
      try await loop.sleep(for: .milliseconds(60))
      return value
    }
    #expect(try await done.value == 5)
    let late = Task(executorPreference: loop) {
      try await withTimeLimit(.milliseconds(5), on: loop) { try await loop.sleep(for: .seconds(3600)) }
    }
    await #expect(throws: DeadlineExceeded(limit: .milliseconds(5))) { try await late.value }
    let failed = Task(executorPreference: loop) {
      try await withTimeLimit(.seconds(60), on: loop) { () async throws -> Int in throw Oops() }
    }
    await #expect(throws: Oops.self) { try await failed.value }
  }

  @Test func `stand still as long as an operation is held`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let held = Atomic<UInt64>(50_000_000)
    let start = ContinuousClock.now
    let task = Task(executorPreference: loop) {
      try await withTimeLimit(.milliseconds(5), on: loop, held: { held.load(ordering: .relaxed) }) {
        try await loop.sleep(for: .seconds(3600))
      }
    }
    await #expect(throws: DeadlineExceeded(limit: .milliseconds(5))) { try await task.value }
    #expect(ContinuousClock.now - start >= .milliseconds(55))
  }

  @Test(
    arguments: [
      (.zero, 0), (.seconds(-1), 0), (.nanoseconds(7), 7), (.seconds(2), 2_000_000_000), (.nanoseconds(-1), 0),
      (.seconds(19) + .nanoseconds(7), 19_000_000_007),
      (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
      (Duration(secondsComponent: 20, attosecondsComponent: 1_999_999_999), 20_000_000_001),
      (.seconds(8_999_999_999), 8_999_999_999_000_000_000), (.seconds(9_000_000_000), UInt64(Int64.max)),
    ] as [(Duration, UInt64)])
  func `count nanoseconds`(duration: Duration, nanoseconds: UInt64) {
    #expect(duration.wholeNanoseconds == nanoseconds && duration.wholeMilliseconds == Int64(nanoseconds / 1_000_000))
  }

  @Test func `never overflow`() { #expect(Duration.seconds(Int64.max).wholeNanoseconds == UInt64(Int64.max)) }

  struct Oops: Error {}

  final class Log: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ name: String) { state.withLock { $0.append(name) } }
    var entries: [String] { state.withLock { $0 } }
  }
}

extension EventLoop {
  /// How many timers are set.
  func timerCount() async -> Int {
    await withCheckedContinuation { continuation in execute { continuation.resume(returning: self.timers.count) } }
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

  /// The number of waits that pass until the next poll.
  private func waits(_ spin: inout AdaptiveSpin) -> Int {
    for count in 0..<5_000 {
      spin.workCame()
      if spin.beginWait() { return count }
    }
    return .max
  }

  @Test func `pauses for twice as long with each miss, up to 1,023 waits, and for half with a hit`() {
    var spin = AdaptiveSpin(limit: .microseconds(25))
    for misses in 0..<13 {
      #expect(waits(&spin) == (misses == 0 ? 0 : (1 << min(misses, 10)) - 1), "\(misses) misses")
      spin.miss()
    }
    #expect(waits(&spin) == 1_023)
    for _ in 0..<8 { spin.hit() }
    #expect(waits(&spin) == 0)
    spin.miss()
    #expect(waits(&spin) == 7)
    for _ in 0..<20 { spin.hit() }
    spin.miss()
    #expect(waits(&spin) == 1, "no more is owed than was lost")
  }

  @Test func `is off when its limit is zero, or below`() {
    for (limit, nanoseconds) in [(Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1)] as [(Duration, UInt64)] {
      var spin = AdaptiveSpin(limit: limit)
      spin.workCame()
      #expect(spin.limit == nanoseconds && spin.beginWait() == (nanoseconds > 0))
    }
  }
}
