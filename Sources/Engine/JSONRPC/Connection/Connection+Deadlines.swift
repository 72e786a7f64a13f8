import EventLoop
import Synchronization

/// One timer for all calls: it is set to the earliest deadline. Most calls are answered before theirs is looked at.
extension Connection {
  nonisolated func scheduleCallTimer() { onLoop { $0.armCallTimer() } }

  /// Has the deadlines of all calls stand still until ``releaseDeadlines()``: what is waited for is not the peer's to give.
  package nonisolated func holdDeadlines() {
    let now = loop.time
    shared.withLock { $0.clock.hold(at: now) }
    scheduleCallTimer()
  }

  /// Lets the deadlines go on with what was left of them.
  package nonisolated func releaseDeadlines() {
    let now = loop.time
    shared.withLock { $0.clock.release(at: now) }
    scheduleCallTimer()
  }

  private func armCallTimer() {
    // While the clock stands still nothing comes due.
    let time = shared.withLock { shared -> UInt64 in
      guard !shared.isOver, !shared.clock.isHeld, shared.armedFor < .max else { return .max }
      return shared.clock.due(shared.armedFor)
    }
    if let timer = timers.calls { loop.cancel(timer) }
    timers.calls = nil
    guard time < .max else { return }
    timers.calls = loop.schedule(at: time) { [self] in assumeIsolated { $0.callsAreDue() } }
  }

  private func callsAreDue() {
    timers.calls = nil
    let now = loop.now
    let (expired, step) = shared.withLock { shared in
      let expired = shared.calls.expire(at: shared.clock.time(at: now))
      var step = WriteStep.nothing
      for call in expired where !call.isCancelled {
        step = max(step, shared.append(.cancel(call.id, configuration.framing), true))
      }
      shared.armedFor = shared.calls.nextDue ?? .max
      return (expired, step)
    }
    for call in expired {
      let error: ErrorObject =
        call.isCancelled ? .cancelled() : .deadlineExceeded("The peer did not answer within the deadline.")
      call.waiter.resume(.failure(.found(error)))
    }
    follow(step)
    armCallTimer()
  }
}
