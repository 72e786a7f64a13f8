import EventLoop
import ExtensionProtocol
import JSON
import Synchronization

/// The soft deadline of one call: when it passes the log says so, once, and the call goes on.
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
  private let state = Mutex(State.idle)

  init(_ limit: Duration, of method: String, _ id: String, log: any LogSink, on loop: EventLoop) {
    self.limit = limit
    self.method = method
    self.id = id
    self.log = log
    self.loop = loop
  }

  /// Begins the time anew, unless it has passed or the call is over.
  func begin() { loop.isOnLoop ? arm() : loop.execute { [self] in arm() } }

  /// The call is over.
  func end() {
    let timer = state.withLock { state -> TimerToken? in
      defer { state = .over }
      if case .running(let timer) = state { return timer }
      return nil
    }
    guard let timer else { return }
    loop.isOnLoop ? loop.cancel(timer) : loop.execute { [loop] in loop.cancel(timer) }
  }

  /// On the loop.
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
