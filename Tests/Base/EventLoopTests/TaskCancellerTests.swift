import EventLoop
import Testing

/// What cancels a task on a loop from beside it.
@Suite(.timeLimit(.minutes(1)))
struct `A canceller` {
  private final class Kept: Sendable {
    let canceller = TaskCanceller()
    let made = Signal()
  }

  @Test func `ends the work of its task, and does nothing after it`() async throws {
    let loop = EventLoop.onThread(name: "canceller", spin: .zero)
    defer { loop.stop() }
    let kept = Kept()
    let wasCancelled = await withTaskGroup(of: Bool.self) { group in
      group.addTask(executorPreference: loop) {
        await kept.canceller.during {
          kept.made.send()
          await untilCancelled()
          return Task.isCancelled
        }
      }
      group.addTask(executorPreference: loop) {
        try? await kept.made.wait(past: 0)
        kept.canceller.cancel()
        return true
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(wasCancelled)
    await withTaskExecutorPreference(loop) {
      kept.canceller.cancel()
      #expect(!Task.isCancelled)
    }
  }
}

/// The same, whatever comes first.
@Suite(.timeLimit(.minutes(1)))
struct `A canceller that is early or late` {
  @Test func `ends what begins after it, each time`() async {
    let canceller = TaskCanceller()
    canceller.cancel()
    for _ in 0..<2 {
      #expect(await Task { await canceller.during { Task.isCancelled } }.value)
    }
  }

  @Test func `leaves alone what has left it, and ends what comes again`() async {
    let canceller = TaskCanceller()
    let first = Task {
      let wasCancelled = await canceller.during { Task.isCancelled }
      canceller.cancel()
      return wasCancelled || Task.isCancelled
    }
    #expect(await first.value == false)
    #expect(await Task { await canceller.during { Task.isCancelled } }.value)
  }
}

/// A thread with a loop that several share.
@Suite(.timeLimit(.minutes(1)))
struct `A thread of a loop` {
  @Test func `does what it was asked before, and ends with whoever holds it last`() async throws {
    let done = Signal()
    do {
      let thread = try LoopThread(name: "loop-thread", spin: .zero)
      for _ in 0..<100 { thread.loop.execute { done.send() } }
    }
    while done.count < 100 { try await done.wait(past: done.count) }
    #expect(done.count == 100)
  }

  @Test func `is gone, and its loop with it, when nobody holds it any more`() async throws {
    weak var loop: EventLoop?
    do {
      let thread = try LoopThread(name: "loop-thread", spin: .zero)
      loop = thread.loop
      #expect(loop != nil)
    }
    while loop != nil { await Task.yield() }
  }
}
