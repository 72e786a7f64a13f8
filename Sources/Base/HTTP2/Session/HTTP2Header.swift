import HTTP

/// The header of a message while it is read, which keeps to the limits.
struct HTTP2Header {
  let number: Int32
  /// Otherwise these are trailers, which nobody reads.
  let isRequest: Bool
  /// When its first frame came.
  let since: UInt64
  private(set) var request = HTTP2Request()
  private var bytes = 0
  private var count = 0

  init(_ number: Int32, isRequest: Bool, since: UInt64) {
    self.number = number
    self.isRequest = isRequest
    self.since = since
  }

  /// Takes a field, whose name and value the library has checked.
  ///
  /// - Returns: false when it is too much, or no text.
  @unsafe mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ limits: HTTP2Limits
  ) -> Bool {
    count += 1
    bytes += name.count + value.count + 32
    guard count <= limits.fields, bytes <= limits.headerListBytes else { return false }
    if !isRequest { return true }
    guard let name = unsafe String(validating: name, as: UTF8.self),
      let value = unsafe String(validating: value, as: UTF8.self)
    else { return false }
    switch name {
    case ":method": request.method = value
    case ":path": request.path = value
    case ":authority": request.authority = value
    case _ where name.hasPrefix(":"): break
    default: request.fields.append(HTTPField(name, value))
    }
    return true
  }
}
