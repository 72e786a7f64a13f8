internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// What libmicrohttpd calls, on its thread.
extension Daemon {
  static let targetRead: cmhd_target_logger = { _, target, connection in
    guard let target = unsafe target, let connection = unsafe connection else { return nil }
    let exchange = unsafe Exchange(target: target, connection: connection)
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
  }

  static let connectionChanged: cmhd_changed = { context, connection, number, code in
    guard let context = unsafe context, let connection = unsafe connection, let number = unsafe number else { return }
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    guard cmhd_is_opened(code) != 0 else {
      let id = unsafe UInt64(UInt(bitPattern: number.pointee))
      daemon.connections.withLock { $0.closed(id) }
      return
    }
    let descriptor = unsafe cmhd_descriptor(connection)
    let (id, leaving) = daemon.connections.withLock { $0.opened(descriptor) }
    unsafe number.pointee = UnsafeMutableRawPointer(bitPattern: UInt(id))
    // The library sees its end as the client's, and closes it. This thread is the one that does, so the number is of this
    // connection still.
    if let leaving { shutdown(leaving, Int32(SHUT_RDWR)) }
  }

  /// The client is waited for again.
  private func waits(on connection: OpaquePointer) {
    let id = unsafe UInt64(cmhd_number(connection))
    connections.withLock { $0.waiting(id) }
  }

  static let requestCompleted: cmhd_completed = { context, connection, request, _ in
    guard let context = unsafe context, let request = unsafe request, let pointer = unsafe request.pointee else {
      return
    }
    unsafe request.pointee = nil
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    // A connection that is taken over goes on, and no other may take its place before the library has let it go.
    let isTaken = exchange.lasting?.hasConnection == true
    if let lasting = exchange.lasting, !isTaken { daemon.lasting.remove(lasting) }
    exchange.complete(budget: daemon.bodies)
    if exchange.wasHandled { daemon.open.subtract(1, ordering: .releasing) }
    if !isTaken, let connection = unsafe connection { unsafe daemon.waits(on: connection) }
  }

  static let requestRead: cmhd_handler = { context, connection, _, method, version, upload, uploadSize, request in
    guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
      let uploadSize = unsafe uploadSize, let pointer = unsafe request?.pointee
    else { return .NO }
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    switch exchange.phase {
    case .begun:
      return unsafe daemon.begin(exchange, method: method, version: version, on: connection)
    case .receiving:
      guard unsafe uploadSize.pointee > 0 else { return unsafe daemon.handOver(exchange, on: connection) }
      let bytes = unsafe UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee)
      unsafe uploadSize.pointee = 0
      return unsafe exchange.append(bytes, budget: daemon.bodies) ? .YES : .NO
    case .handling:
      guard let response = exchange.takeResponse() else { return .YES }
      return unsafe daemon.queue(response, exchange, on: connection)
    case .answered:
      return .NO
    }
  }

  /// Checks the header, before the body is read.
  private func begin(
    _ exchange: Exchange, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>?, on connection: OpaquePointer
  ) -> MHD_Result {
    let request = exchange.begin(
      method: unsafe String(cString: method), headers: unsafe Self.headers(of: connection))
    exchange.limit = max(0, configuration.maximumBodyBytesOfPath?(request.path) ?? configuration.maximumBodyBytes)
    guard unsafe cmhd_has_plain_lines(connection, exchange.target, exchange.targetCount, method, version) != 0 else {
      return unsafe queue(
        Self.refused(400, "The header has a NUL, or a line without its end."), exchange, on: connection)
    }
    switch configuration.door.verdict(of: request, names: hostNames, isSecure: address.isSecure) {
    case .refused(let status, let why): return unsafe queue(Self.refused(status, why), exchange, on: connection)
    case .answered(let response): return unsafe queue(response, exchange, on: connection)
    case .admitted(let fields): exchange.addedFields = fields
    }
    if let length = request.header("Content-Length").flatMap({ Int($0) }), length > exchange.limit {
      return unsafe queue(Self.tooLarge, exchange, on: connection)
    }
    return .YES
  }

  /// What is refused ends its connection: what follows may be another request only for some readers.
  private static func refused(_ status: Int, _ why: String) -> ServerResponse {
    var response = ServerResponse(status: status, text: "\(why)\n")
    response.headers.append(ServerField("Connection", "close"))
    return response
  }

  private static let tooLarge = refused(413, "The body of the request is too large.")

  private static let crowded = {
    var response = refused(503, "The server has no room for the body of the request now.")
    response.headers.append(ServerField("Retry-After", "1"))
    return response
  }()

  /// The request is whole: gives it to a handler.
  private func handOver(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    if exchange.bodyBytes > exchange.limit { return unsafe queue(Self.tooLarge, exchange, on: connection) }
    if exchange.isCrowdedOut { return unsafe queue(Self.crowded, exchange, on: connection) }
    open.add(1, ordering: .relaxed)
    let id = unsafe UInt64(cmhd_number(connection))
    connections.withLock { $0.handling(id) }
    exchange.suspend()
    if !exchanges.append(.exchange(exchange)) {
      exchange.answer(ServerResponse(status: 503, text: "The server is stopping.\n"))
    }
    return .YES
  }

  private func queue(_ response: ServerResponse, _ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    exchange.phase = .answered
    unsafe waits(on: connection)
    if response.isDropped { return .NO }
    if let lasting = response.lasting?.response {
      if lasting is UpgradeResponse, address.isSecure, !configuration.carriesSecureSockets {
        lasting.abandon()
        return unsafe queue(Self.noSecureSocket, exchange, on: connection)
      }
      guard unsafe begin(lasting, on: connection) else {
        lasting.abandon()
        return unsafe queue(Self.full, exchange, on: connection)
      }
    }
    guard let made = unsafe Self.made(of: response) else { return .NO }
    defer { unsafe MHD_destroy_response(made) }
    for field in response.headers + exchange.addedFields {
      // Refuses names and values that would break the header; the rest of the response still goes out.
      unsafe MHD_add_response_header(made, field.name, field.value)
    }
    let isSocket = response.lasting?.response is UpgradeResponse
    let status = isSocket ? 101 : (200...999).contains(response.status) ? response.status : 500
    return unsafe MHD_queue_response(connection, UInt32(status), made)
  }
}
