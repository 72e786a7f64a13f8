import CLinux
import EventLoop
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An event loop` {
  @Test func `runs an operation on the calling thread and gives its value`() {
    let loop = EventLoop()
    let thread = clinux_thread_current()
    let value = loop.run { () -> Bool in
      await Task.yield()
      return clinux_thread_current() == thread && loop.isOnLoop
    }
    #expect(value)
    #expect(!loop.isOnLoop)
  }

  @Test func `can be run again after it was stopped`() {
    let loop = EventLoop()
    #expect(loop.run { 1 } == 1)
    #expect(loop.run { 2 } == 2)
  }

  @Test func `runs what other threads give it`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let isOnLoop = await withCheckedContinuation { continuation in
      loop.execute { continuation.resume(returning: loop.isOnLoop) }
    }
    #expect(isOnLoop)
  }

  @Test func `is the executor of an actor that lives on it`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    #expect(await Resident(loop).isOnLoop())
    await Task.yield()
    #expect(!loop.isOnLoop)
  }

  @Test func `lets tasks that prefer it run on its thread`() async {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let places = await withTaskExecutorPreference(loop) { () async -> [Bool] in
      var places = [loop.isOnLoop]
      await Task.yield()
      places.append(loop.isOnLoop)
      return places
    }
    #expect(places == [true, true])
  }

  @Test func `wakes from its sleep for every one of many threads`() async {
    let loop = EventLoop.onThread(name: "test", spin: .zero)
    defer { loop.stop() }
    let total = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          for _ in 0..<500 {
            await withCheckedContinuation { continuation in loop.execute { continuation.resume() } }
            count += 1
          }
          return count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(total == 4000)
  }

  @Test func `calls an observer once at the end of a turn`() {
    let loop = EventLoop()
    let count = loop.run { () -> Int in
      let observer = Counter()
      loop.atEndOfTurn(observer)
      #expect(observer.count == 0)
      try? await loop.sleep(for: .milliseconds(2))
      return observer.count
    }
    #expect(count == 1)
  }

  @Test func `calls an observer again that asks for it while it is called, without other work`() {
    let loop = EventLoop(spin: .zero)
    let count = loop.run { () -> Int in
      let observer = Returning(loop)
      await withCheckedContinuation { continuation in
        observer.last = continuation
        loop.atEndOfTurn(observer)
        // Twice in one turn.
        loop.atEndOfTurn(observer)
      }
      return observer.count
    }
    #expect(count == 6)
  }

  /// Asks to be called again, four times.
  private final class Returning: TurnObserver {
    let loop: EventLoop
    var count = 0
    var last: CheckedContinuation<Void, Never>?

    init(_ loop: EventLoop) { self.loop = loop }

    func turnEnded() {
      count += 1
      if (2...5).contains(count) { loop.atEndOfTurn(self) }
      if count == 6 { last?.resume() }
    }
  }

  @Test func `fires what came due while its jobs ran before its turn ends`() {
    let loop = EventLoop(spin: .zero)
    let heard = loop.run { () -> [String] in
      let log = Log()
      let due = loop.now + 1_000_000
      _ = loop.schedule(at: due) { log.entries.append("timer") }
      loop.atEndOfTurn(log)
      while clinux_monotonic_nanoseconds() <= due {}
      #expect(loop.now < due, "the time stands still in a job")
      while log.entries.count < 2 { await Task.yield() }
      return log.entries
    }
    #expect(heard == ["timer", "end"])
  }

  private final class Log: TurnObserver {
    var entries: [String] = []
    func turnEnded() { entries.append("end") }
  }

  @Test func `knows after a wait how late it is`() throws {
    let loop = EventLoop(spin: .zero)
    let written = Written()
    var (reading, writing): (Int32, Int32) = (-1, -1)
    try #require(clinux_stream_pipe(&reading, &writing) == 0)
    let (input, output) = (reading, writing)
    let now = loop.run { () -> UInt64 in
      // Asked for the time before it waits.
      let timer = loop.schedule(after: .seconds(3_600)) {}
      defer { loop.cancel(timer) }
      return await withCheckedContinuation { continuation in
        let held = Held()
        held.watch = try? loop.watch(input, for: .reading) { _ in
          if let watch = held.watch { loop.unwatch(watch) }
          continuation.resume(returning: loop.now)
        }
        let failure = SystemThread.start(name: "writer") {
          written.time.store(clinux_monotonic_nanoseconds(), ordering: .releasing)
          _ = clinux_write(output, "x", 1)
        }
        #expect(failure == 0)
      }
    }
    #expect(now >= written.time.load(ordering: .acquiring))
    clinux_close(input)
    clinux_close(output)
  }

  private final class Written: Sendable {
    let time = Atomic<UInt64>(0)
  }

  private final class Held {
    var watch: Watch?
  }

  private actor Resident {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    init(_ loop: EventLoop) { self.loop = loop }
    func isOnLoop() -> Bool {
      assertIsolated()
      return loop.isOnLoop
    }
  }

  private final class Counter: TurnObserver {
    var count = 0
    func turnEnded() { count += 1 }
  }
}
