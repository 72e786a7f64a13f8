internal import Synchronization

/// What waits between the tasks that use a connection and the loop that drives it.
final class HTTP2Mailbox: Sendable {
  private struct State {
    /// Requests that no handler has yet.
    var opened: [HTTP2Stream] = []
    var receiver: CheckedContinuation<HTTP2Stream?, Never>?
    /// Streams that want something of the loop.
    var changed: [HTTP2Stream] = []
    var running = 0
    var isStopping = false
    var isOver = false
    var isAnnounced = false
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let queuedBytes = Atomic<Int>(0)

  /// - Parameter wake: lets the loop look at what is new here.
  func attach(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  // MARK: The tasks

  /// The next request; nil once the connection is over. For one receiver.
  func next() async -> HTTP2Stream? {
    await withCheckedContinuation { continuation in
      let (stream, isReady) = state.withLock { state -> (HTTP2Stream?, Bool) in
        if !state.opened.isEmpty { return (state.opened.removeFirst(), true) }
        if state.isOver { return (nil, true) }
        state.receiver = continuation
        return (nil, false)
      }
      if isReady { continuation.resume(returning: stream) }
    }
  }

  /// A handler has returned.
  func returned() {
    let wake = state.withLock { state in
      state.running -= 1
      // A connection that ends waits for its last handler.
      return state.running == 0 && state.isStopping ? announcement(&state) : nil
    }
    wake?()
  }

  func announce(_ stream: HTTP2Stream) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      if state.isOver { return nil }
      if state.changed.last !== stream { state.changed.append(stream) }
      return announcement(&state)
    }
    wake?()
  }

  func stop() {
    let wake = state.withLock { state in
      state.isStopping = true
      return announcement(&state)
    }
    wake?()
  }

  private func announcement(_ state: inout State) -> (@Sendable () -> Void)? {
    if state.isAnnounced { return nil }
    state.isAnnounced = true
    return state.wake
  }

  /// So many bytes more wait to be sent.
  func queue(_ count: Int) { queuedBytes.add(count, ordering: .relaxed) }

  // MARK: The loop

  var queued: Int { queuedBytes.load(ordering: .relaxed) }
  var running: Int { state.withLock { $0.running } }

  /// A request has come, and waits for its handler.
  func open(_ stream: HTTP2Stream) {
    let receiver = state.withLock { state in
      state.running += 1
      if state.receiver == nil { state.opened.append(stream) }
      return state.receiver.take()
    }
    receiver?.resume(returning: stream)
  }

  /// The requests that no handler has yet; nobody else asks for them.
  func takeOpened() -> [HTTP2Stream] {
    state.withLock { state in
      defer { state.opened = [] }
      return state.opened
    }
  }

  /// What is new since the last time.
  func takeNews() -> (changed: [HTTP2Stream], isStopping: Bool) {
    state.withLock { state in
      state.isAnnounced = false
      defer { state.changed = [] }
      return (state.changed, state.isStopping)
    }
  }

  /// Nothing more comes or goes.
  func finish() {
    let receiver = state.withLock { state in
      state.isOver = true
      state.wake = nil
      state.changed = []
      return state.receiver.take()
    }
    receiver?.resume(returning: nil)
  }
}
