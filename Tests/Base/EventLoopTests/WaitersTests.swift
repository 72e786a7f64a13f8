import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1))) struct `Tasks that wait for a condition` {
  /// Something that changes, and those who wait for it.
  actor Counter {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private let waiters: Waiters
    private var value = 0

    init(on loop: EventLoop) {
      self.loop = loop
      waiters = Waiters(on: loop)
    }

    func add() {
      value += 1
      waiters.wake()
    }

    func reaches(_ wanted: Int, within limit: Duration = .seconds(50)) async -> Bool {
      await waiters.wait(atMost: limit) { value >= wanted }
    }
  }

  private func withCounter(_ body: (Counter) async throws -> Void) async rethrows {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    try await body(Counter(on: loop))
  }

  @Test func `lets each go when its own condition holds`() async {
    await withCounter { counter in
      await withTaskGroup(of: Bool.self) { group in
        for wanted in 0...20 { group.addTask { await counter.reaches(wanted) } }
        for _ in 0..<20 { await counter.add() }
        for await reached in group { #expect(reached) }
      }
    }
  }

  @Test func `ends a wait whose time is over, and no other`() async {
    await withCounter { counter in
      async let long = counter.reaches(1)
      #expect(await counter.reaches(1, within: .milliseconds(5)) == false)
      #expect(await counter.reaches(0, within: .zero))
      await counter.add()
      #expect(await long)
      // No timer is left, whoever was first.
      #expect(await counter.loop.timerCount() == 0)
    }
  }

  @Test func `have their own time each, and what holds at its end holds`() async {
    await withCounter { counter in
      for wanted in 1...3 {
        #expect(await counter.reaches(wanted, within: .milliseconds(2)) == false)
        #expect(await counter.reaches(wanted, within: .zero) == false)
        async let reached = counter.reaches(wanted)
        await counter.add()
        #expect(await reached)
        #expect(await counter.reaches(wanted, within: .zero))
      }
      #expect(await counter.loop.timerCount() == 0)
    }
  }
}
