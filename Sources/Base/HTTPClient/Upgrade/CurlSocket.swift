internal import CCurl
internal import EventLoop
internal import Glibc

/// A connection that curl makes, TLS and proxies included, and then only carries bytes for (`CURLOPT_CONNECT_ONLY`).
///
/// `@unchecked Sendable`, because: the thread that opens it has it alone, and hands it over to the loop, whose thread has
/// it alone from then on; or closes it itself.
@safe
final class CurlSocket: ByteTransport, @unchecked Sendable {
  private(set) var descriptor: Int32 = -1
  private let order: UpgradeOrder
  private var handle: UnsafeMutableRawPointer?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// The address that was not connected to, in words.
  private var forbidden: String?
  private var isAbandoned: () -> Bool = { false }

  private init(_ order: UpgradeOrder) {
    self.order = order
    unsafe handle = curl_easy_init()
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    close()
    unsafe errorText.deallocate()
  }

  func close() {
    if let handle = unsafe handle { unsafe curl_easy_cleanup(handle) }
    unsafe handle = nil
  }

  // MARK: Opening

  /// Connects and shakes hands. Blocks.
  ///
  /// - Parameters:
  ///   - loop: the loop that the connection is for.
  ///   - isAbandoned: asked again and again; whether nobody waits any more.
  static func open(
    _ order: UpgradeOrder, on loop: LoopThread, isAbandoned: () -> Bool
  ) -> Result<UpgradedConnection, HTTPUpgradeError> {
    withoutActuallyEscaping(isAbandoned) { isAbandoned in
      let socket = CurlSocket(order)
      socket.isAbandoned = isAbandoned
      defer { socket.isAbandoned = { false } }
      return Result { () throws(HTTPUpgradeError) in
        try socket.connect()
        return try socket.shakeHands(on: loop)
      }
    }
  }

  private func connect() throws(HTTPUpgradeError) {
    guard TransferEngine.isReady, let handle = unsafe handle else {
      throw order.failure(.unreachable, "libcurl cannot be started.")
    }
    unsafe order.configuration.setConnection(of: handle, to: order.origin)
    unsafe ccurl_set_string(handle, CURLOPT_URL, order.url)
    unsafe ccurl_set_long(handle, CURLOPT_CONNECT_ONLY, 1)
    // A proxy has to pass on what it does not understand; TLS must not agree on HTTP/2.
    unsafe ccurl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
    unsafe ccurl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    unsafe ccurl_set_long(handle, CURLOPT_NOPROGRESS, 0)
    unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    // The callbacks run inside of curl_easy_perform, while this object is held: no retain is needed.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    unsafe ccurl_set_progress(handle) { context, _, _, _, _ in
      guard let context = unsafe context else { return 1 }
      return unsafe Unmanaged<CurlSocket>.fromOpaque(context).takeUnretainedValue().isAbandoned() ? 1 : 0
    }
    unsafe ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    unsafe ccurl_set_open_socket(handle) { context, _, address in
      guard let address = unsafe address, let context = unsafe context else { return -1 }
      let socket = unsafe Unmanaged<CurlSocket>.fromOpaque(context).takeUnretainedValue()
      return unsafe socket.mayConnect(to: address) ? ccurl_open_socket(address) : -1
    }
    let code = unsafe curl_easy_perform(handle)
    guard code == CURLE_OK else { throw unsafe failure(code, of: handle) }
    descriptor = unsafe ccurl_active_socket(handle)
    if descriptor < 0 { throw order.failure(.connectionLost, "\(order.origin) ended the connection.") }
  }

  private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    guard let allowed = order.allowedReaches else { return true }
    let reach = unsafe AddressReach(address)
    if allowed.contains(reach) { return true }
    forbidden = reach.description
    return false
  }

  private func failure(_ code: CURLcode, of handle: UnsafeMutableRawPointer) -> HTTPUpgradeError {
    if code == CURLE_COULDNT_CONNECT, let forbidden {
      let message = "\(order.origin) has an address that the request may not be sent to (\(forbidden))."
      return order.failure(.forbiddenAddress, message)
    }
    var systemError = 0
    unsafe ccurl_get_long(handle, CURLINFO_OS_ERRNO, &systemError)
    let detail = unsafe String(cString: errorText)
    return HTTPUpgradeError(HTTPError(code: code, detail: detail, systemError: systemError, url: order.url))
  }

  private func shakeHands(on loop: LoopThread) throws(HTTPUpgradeError) -> UpgradedConnection {
    let head = order.request.head
    var sent = 0
    while sent < head.count {
      switch unsafe head.withUnsafeBytes({ unsafe write(UnsafeRawBufferPointer(rebasing: $0[sent...])) }) {
      case .bytes(let count): sent += count
      case .wait: try wait(for: POLLOUT)
      case .over: throw order.failure(.connectionLost, "\(order.origin) ended the connection.")
      }
    }
    var bytes: [UInt8] = []
    while true {
      do throws(UpgradeRequest.Refusal) {
        if let answer = try order.request.answer(in: bytes) {
          let early = Array(bytes.dropFirst(answer.byteCount))
          return UpgradedConnection(transport: self, loop: loop, fields: answer.fields, early: early)
        }
      } catch {
        throw order.failure(.invalidResponse, "\(order.origin) \(error.message).", status: error.status)
      }
      let result = unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
        let result = unsafe read(into: buffer)
        if case .bytes(let count) = result { unsafe bytes.append(contentsOf: buffer[..<count]) }
        return result
      }
      switch result {
      case .bytes: break
      case .wait: try wait(for: POLLIN)
      case .over: throw order.failure(.connectionLost, "\(order.origin) ended the connection during the handshake.")
      }
    }
  }

  private func wait(for events: Int32) throws(HTTPUpgradeError) {
    var watch = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = unsafe poll(&watch, 1, 100)
    if isAbandoned() { throw order.failure(.cancelled, "Nobody waits for the \(order.name).") }
  }

  // MARK: Open

  @unsafe func read(into buffer: UnsafeMutableRawBufferPointer) -> ByteTransfer {
    guard let handle = unsafe handle else { return .over }
    var count = 0
    let code = unsafe curl_easy_recv(handle, buffer.baseAddress, buffer.count, &count)
    return Self.transfer(code, count)
  }

  @unsafe func write(_ bytes: UnsafeRawBufferPointer) -> ByteTransfer {
    guard let handle = unsafe handle else { return .over }
    var count = 0
    let code = unsafe curl_easy_send(handle, bytes.baseAddress, bytes.count, &count)
    return Self.transfer(code, count)
  }

  private static func transfer(_ code: CURLcode, _ count: Int) -> ByteTransfer {
    switch code {
    case CURLE_OK: count > 0 ? .bytes(count) : .over
    case CURLE_AGAIN: .wait
    default: .over
    }
  }
}
