internal import CNGHTTP2
internal import HTTP
internal import Synchronization

/// One HTTP/2 connection of a server without its socket and without a clock (RFC 9113): bytes go in, bytes and requests
/// come out. nghttp2 reads and writes the frames. Belongs to one thread.
@safe
final class HTTP2Session {
  struct Entry {
    let stream: HTTP2Stream
    /// Since when the client takes nothing of what waits for it; nil when nothing waits.
    var since: UInt64?
    var isAnswering = false
    /// When the answer was sent whole while the request had not ended.
    var answered: UInt64?
  }

  let limits: HTTP2Limits
  let mailbox: HTTP2Mailbox
  /// Monotonic nanoseconds, set before anything is called.
  var now: UInt64
  /// The streams that are open, by their numbers.
  var entries: [Int32: Entry] = [:]
  /// The header that is being read.
  var header: HTTP2Header?
  /// Whether the client's first SETTINGS have come.
  var hasSettings = false
  /// Whether a ping was answered since `ping`.
  var isPonged = false
  var idleFrames: Budget
  var resets: Budget
  /// Whether the client has used up an allowance, or the session is over for another reason.
  var isBroken = false
  var isStopping = false
  /// Not nil but while the initializer runs, or without memory.
  private(set) var handle: OpaquePointer?

  /// - Throws: `lost` without memory.
  init(limits: HTTP2Limits, mailbox: HTTP2Mailbox, at now: UInt64) throws(HTTP2Failure) {
    self.limits = limits
    self.mailbox = mailbox
    self.now = now
    idleFrames = Budget(limits.idleFrames, at: now)
    resets = Budget(limits.resets, at: now)
    var calls = unsafe cnghttp2_calls(
      begin_frame: Self.frameBegun, begin_headers: Self.headerBegun, header: Self.fieldRead, data: Self.dataRead,
      received: Self.frameRead, sent: Self.frameSent, closed: Self.streamClosed)
    var bounds = cnghttp2_limits(
      streams: UInt32(limits.streams), header_list: UInt32(limits.headerListBytes),
      resets: UInt64(limits.resets.burst), resets_per_second: UInt64(limits.resets.perSecond), settings: 16,
      continuations: limits.continuations, acknowledgements: limits.waitingFrames)
    // The session is deleted with this object, and so its context needs no retain.
    unsafe handle = cnghttp2_server(Unmanaged.passUnretained(self).toOpaque(), &calls, &bounds)
    guard unsafe handle != nil else { throw HTTP2Failure(.lost, "There is no memory for the connection.") }
  }

  deinit { unsafe nghttp2_session_del(handle) }

  /// Reads what the client has sent. A fault of the client ends the session, which then has a GOAWAY to send.
  @unsafe func receive(_ bytes: UnsafeRawBufferPointer) {
    if isBroken { return }
    let read = unsafe nghttp2_session_mem_recv(
      handle, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
    if read < 0 { isBroken = true }
    // What a client makes the library answer, and does not read.
    if unsafe nghttp2_session_get_outbound_queue_size(handle) > limits.waitingFrames + limits.streams {
      terminate(.enhanceYourCalm)
    }
  }

  /// Appends frames that are to be sent, until there are none or so many bytes.
  func write(into bytes: inout [UInt8], atMost limit: Int) {
    while bytes.count < limit {
      var piece: UnsafePointer<UInt8>?
      let count = unsafe nghttp2_session_mem_send(handle, &piece)
      if count < 0 { isBroken = true }
      guard count > 0, let piece = unsafe piece else { return }
      unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: piece, count: count))
    }
  }

  /// Whether there is nothing more to read or write.
  var isOver: Bool {
    unsafe isBroken || nghttp2_session_want_read(handle) == 0 && nghttp2_session_want_write(handle) == 0
  }

  /// Does what the handler of a stream wants.
  func attend(_ stream: HTTP2Stream) {
    guard let entry = entries[stream.number], entry.stream === stream else { return }
    let (header, taken, hasBytes, isFinished, reset) = stream.state.withLock { state in
      defer { (state.header, state.taken) = (nil, 0) }
      return (state.header, state.taken, !state.pieces.isEmpty, state.isFinished, state.resetCode)
    }
    if taken > 0 { unsafe nghttp2_session_consume(handle, stream.number, taken) }
    if let reset { return self.reset(stream.number, reset) }
    if let header {
      entries[stream.number]?.isAnswering = true
      submit(header, of: stream, isWhole: isFinished && !hasBytes)
    } else if entry.isAnswering, hasBytes || isFinished {
      unsafe nghttp2_session_resume_data(handle, stream.number)
    }
    if hasBytes, entries[stream.number]?.since == nil { entries[stream.number]?.since = now }
  }

  private func submit(_ header: [HTTPField], of stream: HTTP2Stream, isWhole: Bool) {
    // An answer without a body ends with its header: of its trailers it makes fields.
    let trailers = isWhole ? stream.state.withLock { $0.trailers.take() } ?? [] : []
    let result = unsafe HTTP2FieldList(header + trailers).withFields { fields, count in
      unsafe cnghttp2_respond(handle, stream.number, fields, count, isWhole ? nil : Self.bodyWanted)
    }
    if result != 0 { reset(stream.number, .internalError) }
  }

  /// Resets a stream.
  func reset(_ number: Int32, _ code: HTTP2Code) {
    unsafe nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), number, code.rawValue)
  }

  /// Ends the connection with a GOAWAY; what is open is not answered.
  func terminate(_ code: HTTP2Code) {
    unsafe nghttp2_session_terminate_session(handle, code.rawValue)
  }

  /// Takes no more requests. Those that are open are answered.
  func shutDown() {
    if isStopping { return }
    isStopping = true
    let last = unsafe nghttp2_session_get_last_proc_stream_id(handle)
    unsafe nghttp2_submit_goaway(
      handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, HTTP2Code.none.rawValue, nil, 0)
    for entry in entries.values { entry.stream.stop() }
    resetAnswered(since: now)
  }

  /// Asks whether the client is there.
  func ping() {
    isPonged = false
    unsafe nghttp2_submit_ping(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Ends all streams: the connection is gone.
  func endAll(_ failure: HTTP2Failure) {
    for entry in entries.values { entry.stream.end(failure) }
    entries = [:]
  }

  /// The time since when the client has taken nothing of a stream, for the one that waits longest.
  var oldestWait: UInt64? { entries.values.compactMap(\.since).min() }

  /// Resets the streams whose client has taken nothing since a time.
  func resetStalled(since time: UInt64) {
    for (number, entry) in entries where (entry.since ?? .max) <= time {
      // It waits no more, though the client may not have taken the reset either.
      entries[number]?.since = nil
      giveBack(entry.stream.end(HTTP2Failure(.tooSlow, "The client takes nothing of the answer.")).unread)
      reset(number, .cancelled)
    }
  }

  /// The time since when a client has an answer without having ended its request, for the one that takes longest.
  var oldestAnswer: UInt64? { entries.values.compactMap(\.answered).min() }

  /// Resets the streams whose answer was sent whole up to a time: the rest of their requests is not wanted (RFC 9113, 8.1).
  func resetAnswered(since time: UInt64) {
    for (number, entry) in entries where (entry.answered ?? .max) <= time {
      entries[number]?.answered = nil
      reset(number, .none)
    }
  }

  /// Opens the window of the connection for as many bytes as a stream has left unread; its own window ends with it.
  func giveBack(_ count: Int) {
    if count > 0 { unsafe nghttp2_session_consume_connection(handle, count) }
  }

  /// Counts a frame that brings nothing.
  func countIdleFrame() {
    if !idleFrames.take(at: now) { terminate(.enhanceYourCalm) }
  }

  /// Counts a stream that ends before its answer.
  func countReset() {
    if !resets.take(at: now) { terminate(.enhanceYourCalm) }
  }
}
