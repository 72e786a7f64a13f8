internal import CCurl
internal import EventLoop

/// All that one exchange needs, as plain values.
struct TransferOrder: Sendable {
  let request: HTTPRequest
  let origin: HTTPOrigin
  let configuration: HTTPClient.Configuration
  let timeout: Duration?
  let maximumBodyBytes: Int
  /// Takes the header and the body as they come, in place of the response.
  var pipe: BodyPipe?
  /// Takes the header and the body, and gives the request's body, in place of request and response.
  var files: FileExchange?
}

/// One exchange while curl has it. Lives on the thread of its engine only.
@safe
final class Transfer {
  let handle: UnsafeMutableRawPointer
  private let order: TransferOrder
  private let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var lines: UnsafeMutablePointer<curl_slist>?
  private var status = 0
  private var headers = HTTPFields()
  private var headerBytes = 0
  private var body: [UInt8] = []
  private var bodyBytes = 0
  let files: FileTraffic?
  /// The address that was not connected to, in words.
  private var forbidden: String?
  private static let maximumHeaderBytes = 256 << 10

  init?(_ order: TransferOrder, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void) {
    guard let handle = unsafe curl_easy_init() else { return nil }
    unsafe self.handle = handle
    self.order = order
    self.completion = completion
    files = order.files.map(FileTraffic.init)
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setOptions()
    setRequest()
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(lines)
    unsafe errorText.deallocate()
  }

  /// Hands the result over; called once.
  func finish(_ code: CURLcode) {
    if code == CURLE_OK, (100...999).contains(status) {
      completion(.success(HTTPResponse(status: status, headers: headers, body: body, url: order.request.url)))
      return
    }
    var systemError = 0
    unsafe ccurl_get_long(handle, CURLINFO_OS_ERRNO, &systemError)
    let detail = unsafe String(cString: errorText)
    let code = code == CURLE_OK ? CURLE_WEIRD_SERVER_REPLY : code
    if code == CURLE_COULDNT_CONNECT, let forbidden {
      let message = "\(order.origin.description) has an address that the request may not be sent to (\(forbidden))."
      return completion(.failure(HTTPError(.forbiddenAddress, message, url: order.request.url)))
    }
    completion(.failure(HTTPError(code: code, detail: detail, systemError: systemError, url: order.request.url)))
  }

  func cancel() {
    finish(CURLE_ABORTED_BY_CALLBACK)
  }

  private func setOptions() {
    let configuration = order.configuration
    unsafe configuration.setConnection(of: handle, to: order.origin)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_PATH_AS_IS, 1)
    if let timeout = order.timeout { set(CURLOPT_TIMEOUT_MS, max(1, Int(timeout.wholeMilliseconds))) }
    if order.request.isSentOnce { set(CURLOPT_FRESH_CONNECT, 1) }
    if let files { setFiles(files) } else { set(CURLOPT_ACCEPT_ENCODING, "") }
    unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    // The callbacks run inside curl_multi_perform, while the engine holds this object: no retain is needed.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    unsafe ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    unsafe ccurl_set_open_socket(handle) { context, _, address in
      guard let address = unsafe address, let context = unsafe context else { return -1 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe transfer.mayConnect(to: address) ? ccurl_open_socket(address) : -1
    }
    unsafe ccurl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return switch unsafe transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
      case .taken: size * count
      case .refused: 0
      case .full: Int(CURL_WRITEFUNC_PAUSE)
      }
    }
    unsafe ccurl_set_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe transfer.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }
  }

  private func setRequest() {
    let request = order.request
    set(CURLOPT_URL, request.url)
    switch request.method {
    case "GET": set(CURLOPT_HTTPGET, 1)
    case "HEAD": set(CURLOPT_NOBODY, 1)
    default: break
    }
    let isBodyFile = order.files?.request.source != nil
    if !isBodyFile, let body = request.body ?? (request.method == "POST" ? [] : nil) {
      unsafe ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      unsafe body.withUnsafeBytes { bytes in
        // Without bytes the pointer may be nil, which would make curl ask a callback for them.
        if unsafe bytes.isEmpty { return set(CURLOPT_COPYPOSTFIELDS, "") }
        unsafe ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
      }
    }
    if request.method != "HEAD" || request.body != nil { set(CURLOPT_CUSTOMREQUEST, request.method) }
    var fields = request.headers.all.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // An empty line removes what curl would add by itself.
    if request.headers["Content-Type"] == nil { fields.append("Content-Type:") }
    if request.headers["Expect"] == nil { fields.append("Expect:") }
    for field in fields { unsafe lines = curl_slist_append(lines, field) }
    unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
  }

  /// Asked for each address before a socket is made for it.
  private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
    guard let allowed = order.request.allowedReaches else { return true }
    let reach = unsafe AddressReach(address)
    if allowed.contains(reach) { return true }
    forbidden = reach.description
    return false
  }

  /// What became of a piece of a body; one that is too much now comes again after ``resume()``.
  enum Receipt { case taken, refused, full }

  private func receive(_ bytes: UnsafeRawBufferPointer) -> Receipt {
    if let files { return unsafe files.receive(bytes) }
    guard bytes.count <= order.maximumBodyBytes - bodyBytes else { return .refused }
    if let pipe = order.pipe, unsafe !pipe.append(bytes) { return .full }
    bodyBytes += bytes.count
    if order.pipe != nil { return .taken }
    if let take = order.request.takeBody { return take(unsafe Array(bytes)) ? .taken : .refused }
    unsafe body.append(contentsOf: bytes)
    return .taken
  }

  /// Keeps curl from both directions, so that neither counts as a silence.
  func pause() { unsafe curl_easy_pause(handle, CURLPAUSE_ALL) }

  /// The reader takes more. What curl holds is taken now, and what goes wrong with it is said here only: to curl the
  /// transfer would end well.
  func resume() -> CURLcode {
    unsafe curl_easy_pause(handle, CURLPAUSE_CONT)
  }

  /// One line of a header, with its end. A status line begins a new header: there may be several (100, 103).
  private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= Self.maximumHeaderBytes else { return false }
    // By bytes: to look for characters in a text is slow.
    let line = unsafe [UInt8](bytes)
    if line.starts(with: "HTTP/".utf8) {
      headers.removeAll()
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      let digits = parts.count > 1 ? parts[1].prefix { (0x30...0x39).contains($0) } : []
      status = Int(String(decoding: digits, as: UTF8.self)) ?? 0
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(Self.text(line[..<colon]), Self.text(line[(colon + 1)...]))
    } else if Self.text(line[...]).isEmpty, (200...999).contains(status) {
      if let pipe = order.pipe { pipe.begin(HTTPResponse(status: status, headers: headers, url: order.request.url)) }
      if let files { return files.begin(HTTPResponse(status: status, headers: headers, url: order.request.url)) }
    }
    return true
  }

  /// A part of a header without the white space around it.
  private static func text(_ part: ArraySlice<UInt8>) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    var part = part.drop(while: isSpace)
    while let last = part.last, isSpace(last) { part.removeLast() }
    return String(decoding: part, as: UTF8.self)
  }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe ccurl_set_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe ccurl_set_string(handle, option, value)
  }
}

extension HTTPClient.Configuration {
  /// Tells curl what holds for each connection of the client, whatever goes over it.
  @unsafe func setConnection(of handle: UnsafeMutableRawPointer, to origin: HTTPOrigin) {
    unsafe ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
    unsafe ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    unsafe ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(connectTimeout.wholeMilliseconds))
    unsafe ccurl_set_string(handle, CURLOPT_USERAGENT, userAgent)
    if let certificateFile { unsafe ccurl_set_string(handle, CURLOPT_CAINFO, certificateFile) }
    if origin.isLoopback || !usesProxyOfEnvironment { unsafe ccurl_set_string(handle, CURLOPT_PROXY, "") }
  }
}

extension AddressReach {
  /// The reach of an address that curl is about to connect to.
  @unsafe init(_ address: UnsafeMutablePointer<curl_sockaddr>) {
    let count = unsafe Int(address.pointee.addrlen)
    self.init(
      socketAddress: unsafe Array(UnsafeRawBufferPointer(start: ccurl_address_bytes(address), count: count)))
  }
}
