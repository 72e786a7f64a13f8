import EventLoop
import Synchronization

/// One timer for all calls: it is set to the earliest deadline. Most calls are answered before theirs is looked at.
extension Connection {
  nonisolated func scheduleCallTimer() { onLoop { $0.armCallTimer() } }

  private func armCallTimer() {
    let time = shared.withLock { $0.isOver ? .max : $0.armedFor }
    if let timer = timers.calls { loop.cancel(timer) }
    timers.calls = nil
    guard time < .max else { return }
    timers.calls = loop.schedule(at: time) { [self] in assumeIsolated { $0.callsAreDue() } }
  }

  private func callsAreDue() {
    timers.calls = nil
    let now = loop.now
    let (expired, step) = shared.withLock { shared in
      let expired = shared.calls.expire(at: now)
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
