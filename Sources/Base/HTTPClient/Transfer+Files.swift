internal import CCurl
internal import Glibc

/// The bodies of one exchange while they go from a file and into a file. Lives on the thread of its engine only.
final class FileTraffic {
  let exchange: FileExchange
  private var target = HTTPFileRequest.Target.refused
  private var received: Int64 = 0
  private var sent: Int64 = 0
  /// Whether the limit is used up, and curl waits for what this exchange may move.
  var isHeldBack = false
  var limit: HTTPRateLimit? { exchange.request.limit }

  init(_ exchange: FileExchange) { self.exchange = exchange }

  /// - Returns: whether the exchange goes on.
  func begin(_ head: HTTPResponse) -> Bool {
    target = exchange.begin(head)
    return target != .refused
  }

  /// Stores the bytes, all of them or none.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Transfer.Receipt {
    if let limit, !limit.take(bytes.count) {
      isHeldBack = true
      return .full
    }
    switch target {
    case .refused: return .refused
    case .nowhere(let limit):
      guard bytes.count <= limit - received else { return .refused }
      received += Int64(bytes.count)
      return .taken
    case .file(let descriptor, let offset):
      let room = exchange.request.room ?? .max
      guard offset + received <= room, bytes.count <= room - offset - received else {
        exchange.fail(writing: EDQUOT)
        return .refused
      }
      var rest = unsafe bytes
      while unsafe !rest.isEmpty {
        let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + received))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          exchange.fail(writing: count < 0 ? errno : EIO)
          return .refused
        }
        received += Int64(count)
        exchange.request.progress.receive(count)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return .taken
    }
  }

  /// Fills a buffer with what is sent next.
  ///
  /// - Returns: how many bytes; `CURL_READFUNC_ABORT` when the file cannot be read, `CURL_READFUNC_PAUSE` when the limit
  ///   is used up.
  func send(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let source = exchange.request.source else { return 0 }
    let wanted = min(buffer.count, limit?.pieceBytes ?? .max, Int(clamping: source.count - sent))
    if wanted > 0, let limit, !limit.take(wanted) {
      isHeldBack = true
      return Int(CURL_READFUNC_PAUSE)
    }
    while true {
      let count = unsafe pread(source.descriptor, buffer.baseAddress, wanted, off_t(source.offset + sent))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return Int(CURL_READFUNC_ABORT) }
      sent += Int64(count)
      exchange.request.progress.send(count)
      return count
    }
  }

  /// The body is sent once more, from a place in it: the connection turned out to be dead.
  func rewind(to offset: Int64) {
    sent = offset
    exchange.request.progress.sendAgain()
    exchange.request.progress.send(Int(clamping: offset))
  }
}

extension Transfer {
  /// The size of curl's buffers, where whole files go through them.
  private static let bufferBytes = 512 << 10

  func setFiles(_ files: FileTraffic) {
    let request = files.exchange.request
    let buffer = request.limit?.pieceBytes ?? Self.bufferBytes
    set(CURLOPT_BUFFERSIZE, buffer)
    // A stream of HTTP/2 goes on into memory while it is paused.
    if request.limit != nil { set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
    if let stall = request.stall {
      set(CURLOPT_LOW_SPEED_LIMIT, 1)
      set(CURLOPT_LOW_SPEED_TIME, max(1, Int(clamping: stall.components.seconds)))
    }
    guard let source = request.source else { return }
    set(CURLOPT_UPLOAD, 1)
    set(CURLOPT_UPLOAD_BUFFERSIZE, buffer)
    unsafe ccurl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(source.count))
    let context = unsafe Unmanaged.passUnretained(files).toOpaque()
    unsafe ccurl_set_pointer(handle, CURLOPT_READDATA, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_SEEKDATA, context)
    unsafe ccurl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return Int(CURL_READFUNC_ABORT) }
      let files = unsafe Unmanaged<FileTraffic>.fromOpaque(context).takeUnretainedValue()
      return unsafe files.send(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe ccurl_set_seek(handle) { context, offset, origin in
      guard let context = unsafe context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
      unsafe Unmanaged<FileTraffic>.fromOpaque(context).takeUnretainedValue().rewind(to: Int64(offset))
      return CURL_SEEKFUNC_OK
    }
  }
}
