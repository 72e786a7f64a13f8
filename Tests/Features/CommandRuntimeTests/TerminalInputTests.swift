import Glibc
import Synchronization
import Testing

@testable import CommandRuntime
@testable import EventLoop

/// Conversations with the user at one terminal.
@Suite(.timeLimit(.minutes(1)))
struct `The attention of a user` {
  private struct Failed: Error {}

  /// Who is in a conversation now, the most at once, and how many are through.
  private final class Counts: Sendable {
    private let state = Mutex((inside: 0, most: 0, done: 0))
    var mostAndDone: (Int, Int) { state.withLock { ($0.most, $0.done) } }

    func enter() {
      state.withLock { state in
        state.inside += 1
        state.most = max(state.most, state.inside)
      }
    }

    func leave() {
      state.withLock { state in
        state.inside -= 1
        state.done += 1
      }
    }
  }

  @Test func `goes to one conversation at a time, however the others end`() async throws {
    let loop = EventLoop.onThread(name: "input")
    let input = TerminalInput(on: loop)
    let counts = Counts()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          try? await input.turn {
            counts.enter()
            for _ in 0..<8 { await Task.yield() }
            counts.leave()
            if number.isMultiple(of: 3) { throw Failed() }
          }
        }
      }
    }
    let (most, done) = counts.mostAndDone
    #expect(most == 1 && done == 24)
    #expect(try await input.turn { 5 } == 5)
    await #expect(throws: Failed.self) { try await input.turn { throw Failed() } }
  }

  @Test func `is waited for no longer by who was cancelled`() async throws {
    let loop = EventLoop.onThread(name: "input")
    let input = TerminalInput(on: loop)
    let (held, hold) = AsyncStream.makeStream(of: Void.self)
    let (end, over) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await input.turn {
          hold.yield()
          for await _ in end { break }
        }
        return false
      }
      for await _ in held { break }
      let isCancelled = await withTaskGroup(of: Bool.self) { inner in
        inner.addTask {
          do { return try await input.turn { false } } catch { return error is CancellationError }
        }
        inner.cancelAll()
        return await inner.next() ?? false
      }
      #expect(isCancelled)
      over.yield()
      for try await _ in group {}
    }
    #expect(try await input.turn { 5 } == 5)
  }

  /// Who had a turn.
  private final class Order: Sendable {
    private let state = Mutex<[Int]>([])
    var numbers: [Int] { state.withLock { $0 } }

    func add(_ number: Int) { state.withLock { $0.append(number) } }
  }

  @Test func `comes to those who wait in their order, without who gave up`() async throws {
    let loop = EventLoop.onThread(name: "input")
    defer { loop.stop() }
    let input = TerminalInput(on: loop)
    let order = Order()
    try await withTaskExecutorPreference(loop) {
      let tasks = try await input.turn {
        var tasks: [Task<Void, Never>] = []
        for number in 1...4 {
          let task = Task(executorPreference: loop) { _ = try? await input.turn { order.add(number) } }
          tasks.append(task)
          // Until it waits: the loop has one thread.
          for _ in 0..<50 { await Task.yield() }
        }
        tasks[1].cancel()
        for _ in 0..<50 { await Task.yield() }
        return tasks
      }
      for task in tasks { await task.value }
    }
    #expect(order.numbers == [1, 3, 4])
  }

  /// Holds a loop's thread until it is let go.
  private final class Hold: Sendable {
    let hasBegun = Atomic<Bool>(false)
    let isOver = Atomic<Bool>(false)

    func run() {
      hasBegun.store(true, ordering: .sequentiallyConsistent)
      while !isOver.load(ordering: .sequentiallyConsistent) { sched_yield() }
    }
  }

  @Test func `comes to who asked just before it was given back`() async throws {
    let loop = EventLoop.onThread(name: "input")
    let input = TerminalInput(on: loop)
    let (held, begun) = AsyncStream.makeStream(of: Void.self)
    let (end, over) = AsyncStream.makeStream(of: Void.self)
    let hold = Hold()
    let count = { loop.inbox.withLock { $0.jobs.count } }
    let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask {
        try await input.turn {
          begun.yield()
          for await _ in end { break }
          return 1
        }
      }
      for await _ in held { break }
      loop.execute { hold.run() }
      while !hold.hasBegun.load(ordering: .sequentiallyConsistent) { await Task.yield() }
      // The loop finds both at once, in this order.
      group.addTask { try await input.turn { 2 } }
      while count() < 1 { await Task.yield() }
      over.yield()
      while count() < 2 { await Task.yield() }
      hold.isOver.store(true, ordering: .sequentiallyConsistent)
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == [1, 2])
  }
}
