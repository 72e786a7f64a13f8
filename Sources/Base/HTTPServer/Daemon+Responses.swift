internal import CMicroHTTPD
internal import Synchronization

/// What libmicrohttpd is given, and what it says of it.
extension Daemon {
  static let full = {
    var response = ServerResponse(status: 503, text: "The server takes no more connections that last.\n")
    response.headers += [ServerField("Connection", "close"), ServerField("Retry-After", "5")]
    return response
  }()

  static let noSecureSocket = ServerResponse(status: 501, text: "This server has no WebSockets over TLS.\n")

  /// A lasting response takes its place, if there is one.
  func begin(_ response: any LastingResponse, on connection: OpaquePointer) -> Bool {
    if let socket = response as? UpgradeResponse {
      guard let loop = socketLoop() else { return false }
      socket.place(
        UpgradeResponse.Place(
          loop: loop, closeLimit: configuration.grace, isSecure: address.isSecure, table: lasting))
    }
    guard lasting.add(response) else { return false }
    if let stream = response as? StreamedResponse { unsafe stream.pipe.attach(connection) }
    let id = unsafe UInt64(cmhd_number(connection))
    connections.withLock { $0.lasting(id) }
    return true
  }

  /// The response as the library has it; `nil` without memory.
  static func made(of response: ServerResponse) -> OpaquePointer? {
    switch response.lasting?.response {
    case is UpgradeResponse: return unsafe cmhd_upgrade_response(upgraded, nil)
    case let stream as StreamedResponse: return unsafe made(of: stream)
    default: break
    }
    return unsafe response.body.withUnsafeBytes { bytes in
      guard let end = response.bytesBeforeEnd else { return unsafe cmhd_response(bytes.baseAddress, bytes.count) }
      return unsafe cmhd_broken_response(bytes.baseAddress, bytes.count, min(max(0, end), bytes.count))
    }
  }

  private static func made(of stream: StreamedResponse) -> OpaquePointer? {
    let context = unsafe Unmanaged.passRetained(stream)
    let made = unsafe cmhd_streamed_response(
      { context, _, buffer, most in
        guard let context = unsafe context else { return cmhd_end_with_error() }
        let stream = unsafe Unmanaged<StreamedResponse>.fromOpaque(context).takeUnretainedValue()
        return unsafe stream.pipe.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: most))
      }, context.toOpaque(),
      { context in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<StreamedResponse>.fromOpaque(context).takeRetainedValue().abandon()
      })
    if unsafe made == nil { unsafe context.takeRetainedValue().abandon() }
    return unsafe made
  }

  private static let upgraded: cmhd_upgraded = { _, _, request, early, earlyCount, descriptor, handle in
    guard let request = unsafe request, let handle = unsafe handle else { return }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: early, count: early == nil ? 0 : earlyCount))
    guard let response = exchange.lasting as? UpgradeResponse else { return unsafe cmhd_close_upgraded(handle) }
    unsafe response.begin(descriptor, handle, early: bytes)
  }

  static func headers(of connection: OpaquePointer) -> [ServerField] {
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
}
