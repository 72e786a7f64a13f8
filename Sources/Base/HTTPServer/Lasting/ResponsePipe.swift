internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The body of a streamed response between the task that writes it and the thread of the server.
///
/// The connection is a handle of libmicrohttpd, used by the thread of the server, and by others only while it is
/// suspended, when the library keeps it alive and lets any thread resume it.
final class ResponsePipe: Sendable {
  /// How the writer ended the body.
  enum End { case whole, broken }

  private struct Writer {
    let id: UInt64
    let bytes: [UInt8]
    let continuation: CheckedContinuation<ServerStreamError?, Never>
  }

  /// `@unchecked Sendable`, because: see above.
  @safe private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private struct State {
    var pieces: [[UInt8]] = []
    /// Bytes of the first piece that are sent.
    var done = 0
    var count = 0
    var writers: [Writer] = []
    var lastID: UInt64 = 0
    var end: End?
    /// Why nothing more is taken.
    var closed: ServerStreamError?
    var closers: [CheckedContinuation<Void, Never>] = []
    var connection: Handle?
    var isSuspended = false
  }

  private let budget: Int
  private let state = Mutex(State())

  init(budget: Int) { self.budget = budget }

  // MARK: The writer

  func write(_ bytes: [UInt8]) async throws(ServerStreamError) {
    if bytes.isEmpty { return }
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, isAnswered) = state.withLock { state -> (ServerStreamError?, Bool) in
          if let closed = state.closed { return (closed, true) }
          if Task.isCancelled { return (.cancelled, true) }
          guard state.writers.isEmpty, hasRoom(for: bytes, in: state) else {
            state.writers.append(Writer(id: id, bytes: bytes, continuation: continuation))
            return (nil, false)
          }
          add(bytes, to: &state)
          goOn(&state)
          return (nil, true)
        }
        if isAnswered { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let writer = state.withLock { state -> Writer? in
        guard let place = state.writers.firstIndex(where: { $0.id == id }) else { return nil }
        return state.writers.remove(at: place)
      }
      writer?.continuation.resume(returning: .cancelled)
    }
    if let failure { throw failure }
  }

  private func hasRoom(for bytes: [UInt8], in state: State) -> Bool {
    state.count == 0 || bytes.count <= budget - state.count
  }

  private func add(_ bytes: [UInt8], to state: inout State) {
    state.pieces.append(bytes)
    state.count += bytes.count
  }

  /// Lets the thread of the server ask again.
  private func goOn(_ state: inout State) {
    guard state.isSuspended, let connection = state.connection else { return }
    state.isSuspended = false
    unsafe MHD_resume_connection(connection.pointer)
  }

  /// Nothing more is written.
  func finish(_ end: End) {
    state.withLock { state in
      if state.end == nil { state.end = end }
      goOn(&state)
    }
  }

  // MARK: The server

  /// Before the response is handed to the library.
  func attach(_ connection: OpaquePointer) {
    let handle = unsafe Handle(pointer: connection)
    state.withLock { $0.connection = handle }
  }

  /// Writers get the reason from now on.
  func close(_ reason: ServerStreamError) {
    let (writers, closers) = state.withLock { state in
      if state.closed == nil { state.closed = reason }
      // After that the connection may be gone.
      if reason == .clientGone {
        state.connection = nil
        state.pieces = []
      }
      defer { (state.writers, state.closers) = ([], []) }
      return (state.writers, state.closers)
    }
    for writer in writers { writer.continuation.resume(returning: reason) }
    for closer in closers { closer.resume() }
  }

  func waitUntilClosed() async {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if state.closed != nil { return true }
        state.closers.append(continuation)
        return false
      }
      if isClosed { continuation.resume() }
    }
  }

  /// Fills the buffer, on the thread of the server.
  ///
  /// - Returns: how many bytes; 0 after suspending the connection, as there are none now; negative at the end.
  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, ready) = state.withLock { state -> (Int, [Writer]) in
      guard let first = state.pieces.first else {
        switch state.end {
        case .whole: return (cmhd_end_of_stream(), [])
        case .broken: return (cmhd_end_with_error(), [])
        case nil:
          guard let connection = state.connection else { return (cmhd_end_with_error(), []) }
          state.isSuspended = true
          unsafe MHD_suspend_connection(connection.pointer)
          return (0, [])
        }
      }
      let count = min(buffer.count, first.count - state.done)
      unsafe buffer.copyBytes(from: first[state.done..<state.done + count])
      state.done += count
      state.count -= count
      if state.done == first.count {
        state.pieces.removeFirst()
        state.done = 0
      }
      var ready: [Writer] = []
      while let next = state.writers.first, hasRoom(for: next.bytes, in: state) {
        state.writers.removeFirst()
        add(next.bytes, to: &state)
        ready.append(next)
      }
      return (count, ready)
    }
    for writer in ready { writer.continuation.resume(returning: nil) }
    return count
  }
}
