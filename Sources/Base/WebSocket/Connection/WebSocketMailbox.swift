internal import Cryptography
internal import Synchronization

/// What waits between the tasks that use a connection and the loop that drives it.
final class WebSocketMailbox: Sendable {
  private struct Sender {
    let id: UInt64
    let frame: [UInt8]
    let continuation: CheckedContinuation<WebSocketError?, Never>
  }

  private struct State {
    var received: [WebSocketMessage] = []
    var receivedBytes = 0
    var receiver: CheckedContinuation<Void, Never>?
    var frames: [[UInt8]] = []
    var queuedBytes = 0
    var senders: [Sender] = []
    var closeWish: (code: UInt16, reason: String)?
    var end: WebSocketError?
    var enders: [CheckedContinuation<Void, Never>] = []
    /// Whether the loop stopped reading until messages are taken.
    var isReadingPaused = false
    var isAnnounced = false
    var announce: (@Sendable () -> Void)?
    var lastID: UInt64 = 0
  }

  private let role: WebSocketRole
  private let limits: WebSocketLimits
  private let state = Mutex(State())

  init(role: WebSocketRole, limits: WebSocketLimits) {
    self.role = role
    self.limits = limits
  }

  /// - Parameter announce: lets the loop look at what is new here.
  func attach(_ announce: @escaping @Sendable () -> Void) { state.withLock { $0.announce = announce } }

  static func frame(_ message: WebSocketMessage, as role: WebSocketRole) -> [UInt8] {
    WebSocketWriter.frame(message, mask: role == .client ? SecureRandom.bytes(4) : nil)
  }

  private func announcement(_ state: inout State) -> (@Sendable () -> Void)? {
    if state.isAnnounced { return nil }
    state.isAnnounced = true
    return state.announce
  }

  // MARK: The tasks

  var end: WebSocketError? { state.withLock { $0.end } }
  var queuedBytes: Int { state.withLock { $0.queuedBytes } }

  func receive() async throws(WebSocketError) -> WebSocketMessage? {
    while true {
      let (found, announce) = state.withLock { state in take(&state) }
      announce?()
      if let found { return try found.get() }
      if Task.isCancelled { throw WebSocketError(.cancelled, "Waiting for a message was cancelled.") }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isNews = state.withLock { state in
            // A cancellation that came before finds no receiver to wake.
            if !state.received.isEmpty || state.end != nil || Task.isCancelled { return true }
            precondition(state.receiver == nil, "two tasks receive from one WebSocket")
            state.receiver = continuation
            return false
          }
          if isNews { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.receiver.take() }?.resume()
      }
    }
  }

  private func take(
    _ state: inout State
  ) -> (Result<WebSocketMessage?, WebSocketError>?, announce: (@Sendable () -> Void)?) {
    guard let first = state.received.first else {
      guard let end = state.end else { return (nil, nil) }
      return (end.kind == .closed ? .success(nil) : .failure(end), nil)
    }
    state.received.removeFirst()
    state.receivedBytes -= first.byteCount
    return (.success(first), state.isReadingPaused && !isFull(state) ? announcement(&state) : nil)
  }

  func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    let frame = Self.frame(message, as: role)
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, announce) = state.withLock { state -> (WebSocketError??, (@Sendable () -> Void)?) in
          if let refusal = refusal(state) { return (.some(refusal), nil) }
          if Task.isCancelled { return (.some(Self.cancelled), nil) }
          guard state.senders.isEmpty, hasRoom(for: frame, in: state) else {
            state.senders.append(Sender(id: id, frame: frame, continuation: continuation))
            return (nil, nil)
          }
          add(frame, to: &state)
          return (.some(nil), announcement(&state))
        }
        announce?()
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sender = state.withLock { state -> Sender? in
        guard let place = state.senders.firstIndex(where: { $0.id == id }) else { return nil }
        return state.senders.remove(at: place)
      }
      sender?.continuation.resume(returning: Self.cancelled)
    }
    if let failure { throw failure }
  }

  func offer(_ message: WebSocketMessage) -> Bool {
    let frame = Self.frame(message, as: role)
    let (isTaken, announce) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard refusal(state) == nil, state.senders.isEmpty, hasRoom(for: frame, in: state) else { return (false, nil) }
      add(frame, to: &state)
      return (true, announcement(&state))
    }
    announce?()
    return isTaken
  }

  private static let cancelled = WebSocketError(.cancelled, "Sending was cancelled.")

  private func refusal(_ state: State) -> WebSocketError? {
    if let end = state.end { return end }
    return state.closeWish.map { WebSocketError(.closed, code: $0.code, "The WebSocket is being closed.") }
  }

  private func hasRoom(for frame: [UInt8], in state: State) -> Bool {
    state.queuedBytes == 0 || frame.count <= limits.queuedBytes - state.queuedBytes
  }

  private func add(_ frame: [UInt8], to state: inout State) {
    state.frames.append(frame)
    state.queuedBytes += frame.count
  }

  func close(code: UInt16, reason: String) {
    let (senders, announce) = state.withLock { state -> ([Sender], (@Sendable () -> Void)?) in
      guard state.closeWish == nil, state.end == nil else { return ([], nil) }
      state.closeWish = (WebSocketCode.isSendable(code) ? code : WebSocketCode.normal, reason)
      let senders = state.senders
      state.senders = []
      return (senders, announcement(&state))
    }
    let error = WebSocketError(.closed, code: code, "The WebSocket is being closed.")
    for sender in senders { sender.continuation.resume(returning: error) }
    announce?()
  }

  func waitUntilOver() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.end != nil { return true }
        state.enders.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  // MARK: The loop

  /// What is new since the last time: frames to send, and whether to close behind them.
  func takeNews() -> (frames: [[UInt8]], closeWish: (code: UInt16, reason: String)?) {
    state.withLock { state in
      state.isAnnounced = false
      defer { state.frames = [] }
      return (state.frames, state.closeWish)
    }
  }

  /// Whether messages wait for their receiver that are enough; the loop reads on when it is told.
  func pausesReading() -> Bool {
    state.withLock { state in
      state.isReadingPaused = isFull(state)
      return state.isReadingPaused
    }
  }

  private func isFull(_ state: State) -> Bool {
    // Empty messages cost something, too.
    state.receivedBytes + 64 * state.received.count >= limits.receivedBytes
  }

  func deliver(_ message: WebSocketMessage) {
    let receiver = state.withLock { state in
      state.received.append(message)
      state.receivedBytes += message.byteCount
      return state.receiver.take()
    }
    receiver?.resume()
  }

  /// So many bytes of frames are with the kernel: those who wait may send.
  ///
  /// - Returns: whether there is more to send now.
  func sent(_ count: Int) -> Bool {
    let ready = state.withLock { state in
      state.queuedBytes -= count
      var ready: [Sender] = []
      while let next = state.senders.first, hasRoom(for: next.frame, in: state) {
        state.senders.removeFirst()
        add(next.frame, to: &state)
        ready.append(next)
      }
      return ready
    }
    for sender in ready { sender.continuation.resume(returning: nil) }
    return !ready.isEmpty
  }

  /// Nothing more is sent or received.
  func finish(_ end: WebSocketError) {
    let (waiting, senders) = state.withLock { state in
      state.end = end
      state.announce = nil
      state.frames = []
      state.queuedBytes = 0
      defer {
        state.senders = []
        state.enders = []
      }
      return ([state.receiver.take()].compactMap { $0 } + state.enders, state.senders)
    }
    for sender in senders { sender.continuation.resume(returning: end) }
    for continuation in waiting { continuation.resume() }
  }
}
