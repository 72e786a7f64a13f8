internal import EventLoop
package import HTTP
internal import Synchronization

/// A request and its answer: the handler's end. Its bytes come and go while the connection's loop moves them.
///
/// May be used by many tasks at once, `read` by one at a time.
package final class HTTP2Stream: Sendable {
  struct State {
    var received: [[UInt8]] = []
    /// The bytes that were taken, and whose place in the window the client has not got back.
    var taken = 0
    var isWhole = false
    /// The header of the answer, until it is with the session.
    var header: [HTTPField]?
    var hasHeader = false
    var pieces: [[UInt8]] = []
    /// Bytes of the first piece that are sent.
    var done = 0
    var queuedBytes = 0
    var trailers: [HTTPField]?
    var isFinished = false
    var resetCode: HTTP2Code?
    var end: HTTP2Failure?
    var isStopping = false
  }

  /// The number of the stream in its connection.
  package let number: Int32
  /// The header of the request.
  package let request: HTTP2Request
  let state = Mutex(State())
  private let limit: Int
  private let changed = Signal()
  private let canceller = TaskCanceller()
  private let announce: @Sendable (HTTP2Stream) -> Void
  private let queued: HTTP2Mailbox

  init(_ number: Int32, _ request: HTTP2Request, _ mailbox: HTTP2Mailbox, limit: Int) {
    self.number = number
    self.request = request
    self.limit = limit
    queued = mailbox
    announce = { mailbox.announce($0) }
  }

  // MARK: The handler

  /// Waits for bytes of the request's body, and opens the window for as many more.
  ///
  /// - Returns: at least one byte; nil once the body is whole.
  /// - Throws: why no more comes.
  package func read() async throws(HTTP2Failure) -> [UInt8]? {
    while true {
      let count = changed.count
      let (result, hasTaken) = state.withLock { state -> (Result<[UInt8]?, HTTP2Failure>?, Bool) in
        if !state.received.isEmpty {
          let bytes = state.received.count == 1 ? state.received[0] : Array(state.received.joined())
          state.received = []
          state.taken += bytes.count
          // Of a body that is whole nothing more comes: only the connection's window is short of these bytes.
          return (.success(bytes), true)
        }
        if state.isWhole { return (.success(nil), false) }
        if let end = state.end { return (.failure(end), false) }
        if state.isStopping { return (.failure(.stopping), false) }
        return (nil, false)
      }
      if hasTaken { announce(self) }
      if let result { return try result.get() }
      try await wait(past: count)
    }
  }

  private func wait(past count: UInt64) async throws(HTTP2Failure) {
    do { try await changed.wait(past: count) } catch { throw .cancelled }
  }

  /// Sends the header of the answer. Called once, before anything of the body.
  ///
  /// - Parameter status: 200 to 599.
  package func respond(_ status: Int = 200, _ fields: [HTTPField] = []) {
    change { state in
      if state.hasHeader { return }
      state.hasHeader = true
      state.header = [HTTPField(":status", "\(status)")] + fields
    }
  }

  /// Sends bytes of the answer's body. Waits as long as too much waits to be sent (`HTTP2Limits.queuedBytes`).
  ///
  /// - Throws: why nothing more can be sent.
  package func write(_ bytes: [UInt8]) async throws(HTTP2Failure) {
    while true {
      let count = changed.count
      if try add(bytes, mayThrow: true) { return }
      try await wait(past: count)
    }
  }

  /// Sends bytes if there is room for them at once: for many receivers, none of which may hold up the others.
  ///
  /// - Returns: false when nothing was sent, because the client is behind or the answer is over.
  package func offer(_ bytes: [UInt8]) -> Bool {
    (try? add(bytes, mayThrow: false)) ?? false
  }

  private func add(_ bytes: [UInt8], mayThrow: Bool) throws(HTTP2Failure) -> Bool {
    let result = state.withLock { state -> Result<Bool, HTTP2Failure> in
      if let end = state.end { return .failure(end) }
      if state.isFinished { return .success(false) }
      guard state.queuedBytes == 0 || bytes.count <= limit - state.queuedBytes else { return .success(false) }
      state.pieces.append(bytes)
      state.queuedBytes += bytes.count
      return .success(true)
    }
    let isTaken = try result.get()
    if isTaken {
      queued.queue(bytes.count)
      announce(self)
    }
    return isTaken
  }

  /// Ends the answer, behind what waits to be sent. More of the request is not wanted.
  package func finish(trailers: [HTTPField] = []) {
    change { state in
      if state.isFinished { return }
      state.isFinished = true
      state.trailers = trailers
    }
  }

  /// Sends the whole of an answer.
  package func answer(_ fields: [HTTPField], _ bytes: [UInt8], trailers: [HTTPField]) {
    queued.queue(bytes.count)
    change { state in
      if state.isFinished || state.hasHeader || state.end != nil { return queued.queue(-bytes.count) }
      (state.hasHeader, state.isFinished, state.trailers) = (true, true, trailers)
      state.header = [HTTPField(":status", "200")] + fields
      state.pieces.append(bytes)
      state.queuedBytes += bytes.count
    }
  }

  /// Breaks the answer off, unless it was finished.
  package func reset(_ code: HTTP2Code) {
    let isNew = state.withLock { state in
      if state.isFinished || state.resetCode != nil { return false }
      state.resetCode = code
      return true
    }
    if isNew { announce(self) }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    announce(self)
  }

  /// Why the answer cannot be sent any more; nil as long as it can.
  package var failure: HTTP2Failure? { state.withLock { $0.end } }

  /// Runs a handler, which is cancelled when the client resets the stream or is gone.
  package func during(_ body: () async -> Void) async { await canceller.during(body) }

  // MARK: The loop

  /// Bytes of the body have come.
  func deliver(_ bytes: [UInt8]) {
    state.withLock { $0.received.append(bytes) }
    changed.send()
  }

  /// The body is whole.
  func complete() {
    state.withLock { $0.isWhole = true }
    changed.send()
  }

  /// The server stops: nothing more is read.
  func stop() {
    state.withLock { $0.isStopping = true }
    changed.send()
  }

  /// The stream is over. Does nothing the second time.
  ///
  /// - Returns: whether the answer was sent whole, and how many bytes of the body were not read.
  @discardableResult
  func end(_ failure: HTTP2Failure?) -> (isAnswered: Bool, unread: Int) {
    let (isAnswered, unread, dropped, isNew) = state.withLock { state -> (Bool, Int, Int, Bool) in
      let isNew = state.end == nil
      let isAnswered = state.isFinished && state.pieces.isEmpty
      let unread = state.received.reduce(state.taken) { $0 + $1.count }
      if isNew { state.end = failure ?? HTTP2Failure(.reset, "The request is over.") }
      defer { (state.pieces, state.received, state.queuedBytes, state.taken) = ([], [], 0, 0) }
      return (isAnswered, unread, state.queuedBytes, isNew)
    }
    queued.queue(-dropped)
    changed.send()
    if isNew, !isAnswered { canceller.cancel() }
    return (isAnswered, unread)
  }

  /// Bytes of a body are with the session.
  func sent(_ count: Int) {
    queued.queue(-count)
    changed.send()
  }
}
