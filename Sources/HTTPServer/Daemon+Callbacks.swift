internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// What libmicrohttpd calls, on its thread.
extension Daemon {
  static let targetRead: cmhd_target_logger = { _, target, connection in
    guard let target = unsafe target, let connection = unsafe connection else { return nil }
    let exchange = unsafe Exchange(target: String(cString: target), connection: connection)
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
    if exchange.wasHandled { daemon.open.subtract(1, ordering: .releasing) }
    if let connection = unsafe connection { unsafe daemon.waits(on: connection) }
  }

  static let requestRead: cmhd_handler = { context, connection, _, method, _, upload, uploadSize, request in
    guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
      let uploadSize = unsafe uploadSize, let pointer = unsafe request?.pointee
    else { return .NO }
    let daemon = unsafe Unmanaged<Daemon>.fromOpaque(context).takeUnretainedValue()
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    switch exchange.phase {
    case .begun:
      return unsafe daemon.begin(exchange, method: String(cString: method), on: connection)
    case .receiving:
      guard unsafe uploadSize.pointee > 0 else { return unsafe daemon.handOver(exchange, on: connection) }
      let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
      unsafe uploadSize.pointee = 0
      let limit = daemon.configuration.maximumBodyBytes
      // A little too much is read and refused with a response; a flood ends the connection.
      return exchange.append(bytes, limit: limit) <= 2 * limit + 65536 ? .YES : .NO
    case .handling:
      guard let response = exchange.takeResponse() else { return .YES }
      return unsafe daemon.queue(response, exchange, on: connection)
    case .answered:
      return .NO
    }
  }

  /// Checks the header, before the body is read.
  private func begin(_ exchange: Exchange, method: String, on connection: OpaquePointer) -> MHD_Result {
    let request = exchange.begin(method: method, headers: unsafe Self.headers(of: connection))
    if let refusal = refusal(of: request) { return unsafe queue(refusal, exchange, on: connection) }
    return .YES
  }

  private func refusal(of request: ServerRequest) -> ServerResponse? {
    if let why = MessageRules.fault(of: request.headers) { return Self.refused(400, why) }
    let hosts = request.headers.filter { $0.isNamed("Host") }
    if hosts.count > 1 { return Self.refused(400, "The request has two Host fields.") }
    if let host = hosts.first?.value, !hostNames.contains(Self.name(ofHost: host)) {
      return Self.refused(421, "This server does not answer for that host.")
    }
    guard request.path.hasPrefix("/") else {
      return Self.refused(400, "The request target does not begin with a slash.")
    }
    if let length = request.header("Content-Length").flatMap({ Int($0) }), length > configuration.maximumBodyBytes {
      return Self.tooLarge
    }
    return nil
  }

  /// What is refused ends its connection: what follows may be another request only for some readers.
  private static func refused(_ status: Int, _ why: String) -> ServerResponse {
    var response = ServerResponse(status: status, text: "\(why)\n")
    response.headers.append(ServerField("Connection", "close"))
    return response
  }

  private static let tooLarge = refused(413, "The body of the request is too large.")

  /// The request is whole: gives it to a handler.
  private func handOver(_ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    if exchange.bodyBytes > configuration.maximumBodyBytes {
      return unsafe queue(Self.tooLarge, exchange, on: connection)
    }
    open.add(1, ordering: .relaxed)
    let id = unsafe UInt64(cmhd_number(connection))
    connections.withLock { $0.handling(id) }
    exchange.suspend()
    if !exchanges.append(exchange) {
      exchange.answer(ServerResponse(status: 503, text: "The server is stopping.\n"))
    }
    return .YES
  }

  private func queue(_ response: ServerResponse, _ exchange: Exchange, on connection: OpaquePointer) -> MHD_Result {
    exchange.phase = .answered
    unsafe waits(on: connection)
    if response.isDropped { return .NO }
    let made = unsafe response.body.withUnsafeBytes { bytes in
      guard let end = response.bytesBeforeEnd else { return unsafe cmhd_response(bytes.baseAddress, bytes.count) }
      return unsafe cmhd_broken_response(bytes.baseAddress, bytes.count, min(max(0, end), bytes.count))
    }
    guard let made = unsafe made else { return .NO }
    defer { unsafe MHD_destroy_response(made) }
    for field in response.headers {
      // Refuses names and values that would break the header; the rest of the response still goes out.
      unsafe MHD_add_response_header(made, field.name, field.value)
    }
    let status = (200...999).contains(response.status) ? response.status : 500
    return unsafe MHD_queue_response(connection, UInt32(status), made)
  }

  private static func headers(of connection: OpaquePointer) -> [ServerField] {
    let fields = FieldList()
    let context = unsafe Unmanaged.passUnretained(fields).toOpaque()
    unsafe MHD_get_connection_values(
      connection, .HEADER_KIND,
      { context, _, name, value in
        guard let context = unsafe context, let name = unsafe name else { return .NO }
        let text = unsafe value.map { unsafe String(cString: $0) } ?? ""
        unsafe Unmanaged<FieldList>.fromOpaque(context).takeUnretainedValue()
          .all.append(ServerField(String(cString: name), text))
        return .YES
      }, context)
    return fields.all
  }

  private final class FieldList {
    var all: [ServerField] = []
  }

  /// The name in a `Host` field, without the port, in lower case; an address of version 6 keeps its brackets.
  private static func name(ofHost host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
    return String(host.prefix { $0 != ":" })
  }
}
