internal import EventLoop
internal import Synchronization

/// Blocking work on threads of its own, a few at a time: the others wait for their turn.
final class RenderQueue: Sendable {
  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let most: Int
  private let state = Mutex(State())

  init(most: Int) { self.most = max(1, most) }

  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await begin()
    let value = await SystemThread.run(name: "content-picture", work)
    end()
    return value
  }

  private func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.running >= most else {
          state.running += 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Ends a rendition. The first waiting rendition takes its place.
  private func end() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.running -= 1
      return nil
    }
    next?.resume()
  }
}
