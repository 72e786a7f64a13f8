import EventLoop
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The timers of a process` {
  /// Not running: only its tokens are wanted.
  private let loop = EventLoop(spin: .zero)

  private func armed(_ timer: LifecycleStateMachine.Timer, at time: UInt64) -> LifecycleTimers {
    var timers = LifecycleTimers()
    _ = timers.start(timer, until: time)
    _ = timers.arm(timer, loop.schedule(at: .max) {}, at: time)
    return timers
  }

  @Test func `ask the loop for the first start, and for an earlier end`() {
    var timers = LifecycleTimers()
    #expect(timers.start(.idle, until: 20) == true)
    timers = armed(.idle, at: 20)
    #expect(timers.start(.idle, until: 30) == false)
    #expect(timers.start(.ping, until: 30) == true)
    #expect(timers.start(.idle, until: 10) == true)
  }

  @Test func `are over once`() {
    var timers = armed(.idle, at: 20)
    #expect(timers.fired(.idle, at: 20) == 20)
    #expect(timers.fired(.idle, at: 21) == nil)
  }

  @Test func `are over at their last time when they were started anew`() {
    var timers = armed(.idle, at: 20)
    _ = timers.start(.idle, until: 50)
    #expect(timers.fired(.idle, at: 20) == 50)
    #expect(timers.arm(.idle, loop.schedule(at: .max) {}, at: 50) == nil)
    #expect(timers.fired(.idle, at: 50) == 50)
  }

  @Test func `say nothing when they were stopped`() {
    var timers = armed(.ping, at: 20)
    timers.stop(.ping)
    #expect(timers.fired(.ping, at: 20) == nil)
  }

  @Test func `give back what the loop has of them`() {
    var timers = LifecycleTimers()
    let tokens = [5, 6].map { time in loop.schedule(at: time) {} }
    _ = timers.start(.completion, until: 6)
    #expect(timers.arm(.completion, tokens[1], at: 6) == nil)
    #expect(timers.arm(.completion, tokens[0], at: 5) == tokens[1])
    timers.stop(.completion)
    #expect(timers.stopAll() == [tokens[0]])
    #expect(timers.stopAll().isEmpty)
  }
}
