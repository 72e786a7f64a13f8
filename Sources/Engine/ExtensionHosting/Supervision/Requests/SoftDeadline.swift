import EventLoop
import ExtensionProtocol
import JSON
import Synchronization

/// The soft deadline of one call: when it passes, the log says so once, and the call continues.
final class SoftDeadline: Sendable {
  private enum State {
    case idle
    case running(TimerToken)
    case over
  }

  private let limit: Duration
  private let method: String
  private let id: String
  private let log: any LogSink
  private let loop: EventLoop
  /// Whether the user is asked now: what passes then is not the extension's time.
  private let isHeld: @Sendable () -> Bool
  private let state = Mutex(State.idle)

  init(
    _ limit: Duration, of method: String, _ id: String, log: any LogSink, on loop: EventLoop,
    isHeld: @escaping @Sendable () -> Bool
  ) {
    self.limit = limit
    self.method = method
    self.id = id
    self.log = log
    self.loop = loop
    self.isHeld = isHeld
  }

  /// Restarts the time, unless it has passed or the call has ended.
  func begin() { loop.isOnLoop ? arm() : loop.execute { [self] in arm() } }

  /// Ends the deadline with the call.
  func end() {
    let timer = state.withLock { state -> TimerToken? in
      defer { state = .over }
      if case .running(let timer) = state { return timer }
      return nil
    }
    guard let timer else { return }
    loop.isOnLoop ? loop.cancel(timer) : loop.execute { [loop] in loop.cancel(timer) }
  }

  /// Starts the timer. Called on the loop.
  private func arm() {
    state.withLock { state in
      switch state {
      case .over: return
      case .running(let timer): loop.cancel(timer)
      case .idle: break
      }
      state = .running(loop.schedule(after: limit) { [self] in passed() })
    }
  }

  private func passed() {
    if isHeld() { return arm() }
    let isRunning = state.withLock { state in
      if case .running = state {
        state = .over
        return true
      }
      return false
    }
    guard isRunning else { return }
    log.log(
      .warning, "slow to answer",
      metadata: ["extension.id": .string(id), "rpc.method": .string(method), "limit": .string("\(limit)")])
  }
}
