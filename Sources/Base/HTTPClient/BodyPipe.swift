internal import Synchronization

/// The body of one response between the thread of its transfer and its reader. A full one makes the transfer pause.
final class BodyPipe: Sendable {
  /// What the reader gets.
  enum Next: Sendable {
    /// - Parameter hasPaused: whether the transfer is paused and may go on now.
    case piece([UInt8], hasPaused: Bool)
    case over(HTTPError?)
    case wait
  }

  private struct State {
    var head: HTTPResponse?
    var pieces: [[UInt8]] = []
    var count = 0
    var isPaused = false
    var end: Result<Void, HTTPError>?
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// Bytes that wait for the reader before the transfer pauses; curl hands over 16 KiB at a time.
  static let capacity = 128 << 10

  private let state = Mutex(State())

  // MARK: The thread of the transfer

  /// The header is whole.
  func begin(_ head: HTTPResponse) {
    change { state in if state.head == nil { state.head = head } }
  }

  /// - Returns: false when the pipe is full; the same bytes come again then.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    change { state in
      guard state.count < Self.capacity else {
        state.isPaused = true
        return false
      }
      unsafe state.pieces.append(Array(bytes))
      state.count += bytes.count
      return true
    }
  }

  /// The transfer is over; what was not read yet still is.
  func finish(_ result: Result<HTTPResponse, HTTPError>) {
    change { state in
      switch result {
      case .success(let head):
        if state.head == nil { state.head = head }
        state.end = .success(())
      case .failure(let error): state.end = .failure(error)
      }
    }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let (value, waiter) = state.withLock { state in
      let value = body(&state)
      return (value, state.waiter.take())
    }
    waiter?.resume()
    return value
  }

  // MARK: The reader

  /// The header, or why there is none; `nil` as long as neither is known.
  var head: Result<HTTPResponse, HTTPError>? {
    state.withLock { state in
      if let head = state.head { return .success(head) }
      if case .failure(let error) = state.end { return .failure(error) }
      return nil
    }
  }

  func next() -> Next {
    state.withLock { state in
      guard !state.pieces.isEmpty else {
        switch state.end {
        case .success: return .over(nil)
        case .failure(let error): return .over(error)
        case nil: return .wait
        }
      }
      let piece = state.pieces.removeFirst()
      state.count -= piece.count
      let hasPaused = state.isPaused
      state.isPaused = false
      return .piece(piece, hasPaused: hasPaused)
    }
  }

  /// Waits for the header or, when that is there, for a piece. For one reader; a cancellation of its task has to end
  /// the transfer, which is news too.
  func wait(forPiece: Bool, onCancel cancel: @Sendable () -> Void) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isNews = state.withLock { state in
          guard state.end == nil, forPiece ? state.pieces.isEmpty : state.head == nil else { return true }
          state.waiter = continuation
          return false
        }
        if isNews { continuation.resume() }
      }
    } onCancel: {
      cancel()
    }
  }
}
