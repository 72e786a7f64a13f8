internal import CNGHTTP2
internal import HTTP
internal import Synchronization

/// What nghttp2 calls, while it reads and writes.
extension HTTP2Session {
  private static func session(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<HTTP2Session>.fromOpaque(context).takeUnretainedValue()
  }

  private static let failed = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue
  private static let streamFailed = NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue

  static let frameBegun: nghttp2_on_begin_frame_callback = { _, head, context in
    guard let session = unsafe session(context), let head = unsafe head else { return failed }
    if unsafe cnghttp2_is_idle_frame(head) != 0 { session.countIdleFrame() }
    return 0
  }

  static let headerBegun: nghttp2_on_begin_headers_callback = { _, frame, context in
    guard let session = unsafe session(context), let frame = unsafe frame else { return failed }
    let isRequest = unsafe cnghttp2_is_request(frame) != 0
    session.header = unsafe HTTP2Header(frame.pointee.hd.stream_id, isRequest: isRequest, since: session.now)
    return 0
  }

  static let fieldRead: nghttp2_on_header_callback = {
    _, frame, name, nameCount, value, valueCount, _, context in
    guard let session = unsafe session(context), let name = unsafe name, let value = unsafe value else { return failed }
    let isTaken =
      unsafe session.header?.add(
        UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount),
        session.limits) ?? false
    return isTaken ? 0 : streamFailed
  }

  static let frameRead: nghttp2_on_frame_recv_callback = { _, frame, context in
    guard let session = unsafe session(context), let frame = unsafe frame else { return failed }
    let head = unsafe frame.pointee.hd
    switch UInt32(head.type) {
    case NGHTTP2_SETTINGS.rawValue: session.hasSettings = true
    case NGHTTP2_HEADERS.rawValue: session.headerRead(head.stream_id)
    case NGHTTP2_PING.rawValue where unsafe cnghttp2_is_pong(frame) != 0: session.isPonged = true
    default: break
    }
    if unsafe cnghttp2_ends_stream(frame) != 0 { session.entries[head.stream_id]?.stream.complete() }
    return 0
  }

  /// A header is whole.
  private func headerRead(_ number: Int32) {
    guard let header = header.take(), header.number == number, header.isRequest else { return }
    guard !isStopping, mailbox.running < limits.streams, mailbox.queued <= limits.queuedBytesInAll else {
      return reset(number, .refused)
    }
    let stream = HTTP2Stream(number, header.request, mailbox, limit: limits.queuedBytes)
    entries[number] = Entry(stream: stream)
    mailbox.open(stream)
  }

  static let dataRead: nghttp2_on_data_chunk_recv_callback = { _, _, number, bytes, count, context in
    guard let session = unsafe session(context), let bytes = unsafe bytes else { return failed }
    guard let stream = session.entries[number]?.stream, stream.failure == nil else {
      unsafe nghttp2_session_consume(session.handle, number, count)
      return 0
    }
    if session.entries[number]?.answered != nil {
      session.giveBack(count)
      return 0
    }
    stream.deliver(unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }

  /// Fills a DATA frame.
  static let bodyWanted: nghttp2_data_source_read_callback = { _, number, buffer, most, flags, _, context in
    guard let session = unsafe session(context), let buffer = unsafe buffer, let flags = unsafe flags,
      let stream = session.entries[number]?.stream
    else { return ssize_t(failed) }
    var isEnded = false
    var trailers: [HTTPField]?
    let count = stream.state.withLock { state -> Int in
      var count = 0
      while count < most, let piece = state.pieces.first {
        let part = min(piece.count - state.done, most - count)
        unsafe piece.withUnsafeBytes { bytes in
          guard part > 0, let start = bytes.baseAddress else { return }
          unsafe UnsafeMutableRawPointer(buffer + count).copyMemory(from: start + state.done, byteCount: part)
        }
        count += part
        state.done += part
        if state.done == piece.count {
          state.pieces.removeFirst()
          state.done = 0
        }
      }
      state.queuedBytes -= count
      isEnded = state.pieces.isEmpty && state.isFinished
      if isEnded { trailers = state.trailers.take() }
      return count
    }
    if count > 0 { stream.sent(count) }
    session.entries[number]?.since = stream.state.withLock { $0.pieces.isEmpty } ? nil : session.now
    if isEnded {
      unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
      if let trailers, !trailers.isEmpty {
        unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
        let result = unsafe HTTP2FieldList(trailers).withFields { fields, count in
          unsafe nghttp2_submit_trailer(session.handle, number, fields, count)
        }
        if result != 0 { return ssize_t(failed) }
      }
      return count
    }
    return count == 0 ? ssize_t(NGHTTP2_ERR_DEFERRED.rawValue) : count
  }

  static let frameSent: nghttp2_on_frame_send_callback = { _, frame, context in
    guard let session = unsafe session(context), let frame = unsafe frame else { return failed }
    guard unsafe cnghttp2_ends_stream(frame) != 0 else { return 0 }
    let number = unsafe frame.pointee.hd.stream_id
    session.idleFrames.give(session.limits.idleFramesOfRequest)
    // The rest of the request is not wanted. It is given a while to come, and no more than a window: a client that is
    // reset while it sends may throw the answer away, as curl does.
    if unsafe nghttp2_session_get_stream_remote_close(session.handle, number) == 0 {
      session.entries[number]?.answered = session.now
      if session.isStopping { session.resetAnswered(since: session.now) }
    }
    return 0
  }

  static let streamClosed: nghttp2_on_stream_close_callback = { _, number, code, context in
    guard let session = unsafe session(context) else { return failed }
    if session.header?.number == number { session.header = nil }
    guard let entry = session.entries.removeValue(forKey: number) else {
      // It was refused before a handler had it.
      session.countReset()
      return 0
    }
    let (isAnswered, unread) = entry.stream.end(HTTP2Failure(.reset, "The client has reset the request."))
    session.giveBack(unread)
    if !isAnswered { session.countReset() }
    return 0
  }
}
