import JSON

/// One message on its way out, in one buffer: the params or the result first, then what follows them, and at last,
/// backwards, what precedes them, so that the length is known when it is written and nothing is copied.
///
/// `@unchecked Sendable`, because: one task fills it and gives it away; from then on it is reached only under the lock
/// of the connection's outgoing queue.
final class OutgoingFrame: @unchecked Sendable {
  /// Space for the longest header and the members in front of params; more is made when a method's name is long.
  static let headroom = 128

  private var writer: JSONWriter
  /// Gathers small messages, and takes more.
  let isGathering: Bool
  private var isResult = false

  init(_ writer: consuming JSONWriter, isGathering: Bool = false) {
    self.writer = writer
    self.isGathering = isGathering
  }

  var length: Int { writer.length }

  @unsafe func append(_ other: OutgoingFrame) {
    unsafe other.writer.withBytes { unsafe writer.bytes($0) }
  }

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try unsafe writer.withBytes(body)
  }

  func removeAll() { writer.clear() }

  /// A writer for params or a result.
  static func writer() -> JSONWriter { JSONWriter(capacity: 384, headroom: headroom) }

  /// `{"jsonrpc":"2.0","id":…,"method":"…","params":` … `}`, framed.
  static func request(
    _ id: Int64?, _ method: String, _ params: consuming JSONWriter, _ framing: Framing, meta: MessageMeta? = nil
  ) -> OutgoingFrame {
    if let meta { params.insert(meta) }
    params.byte(0x7D)
    params.prepend(",\"params\":")
    params.prependString(method)
    if let id {
      params.prepend(",\"method\":")
      params.prepend(id)
      params.prepend("{\"jsonrpc\":\"2.0\",\"id\":")
    } else {
      params.prepend("{\"jsonrpc\":\"2.0\",\"method\":")
    }
    params.frame(framing)
    return OutgoingFrame(params)
  }

  /// `{"jsonrpc":"2.0","id":…,"result":` … `}`, framed.
  static func result(_ id: RequestID?, _ result: consuming JSONWriter, _ framing: Framing) -> OutgoingFrame {
    let frame = OutgoingFrame(result)
    _ = frame.becomeResult(id, framing)
    return frame
  }

  /// Writes what belongs around a result; once only, and false afterwards.
  func becomeResult(_ id: RequestID?, _ framing: Framing) -> Bool {
    if isResult { return false }
    isResult = true
    writer.byte(0x7D)
    writer.prepend(",\"result\":")
    writer.prepend(id)
    writer.prepend("{\"jsonrpc\":\"2.0\",\"id\":")
    writer.frame(framing)
    return true
  }

  static func failure(_ id: RequestID?, _ error: ErrorObject, _ framing: Framing) -> OutgoingFrame {
    var writer = writer()
    writer.error(error)
    writer.byte(0x7D)
    writer.prepend(",\"error\":")
    writer.prepend(id)
    writer.prepend("{\"jsonrpc\":\"2.0\",\"id\":")
    writer.frame(framing)
    return OutgoingFrame(writer)
  }

  /// `$/cancelRequest` of the Language Server Protocol.
  static func cancel(_ id: Int64, _ framing: Framing) -> OutgoingFrame {
    var writer = writer()
    writer.raw("{\"id\":")
    writer.integer(id)
    writer.byte(0x7D)
    return request(nil, "$/cancelRequest", writer, framing)
  }
}

extension JSONWriter {
  /// Writes an error object.
  mutating func error(_ error: ErrorObject) {
    raw("{\"code\":")
    integer(error.code)
    raw(",\"message\":")
    string(error.message)
    if let data = error.data {
      raw(",\"data\":")
      value(data)
    }
    byte(0x7D)
  }

  /// Makes the text a frame: a line, or a block with its header.
  fileprivate mutating func frame(_ framing: Framing) {
    switch framing {
    case .lines: byte(0x0A)
    case .contentLength:
      let length = length
      prepend("\r\n\r\n")
      prepend(Int64(length))
      prepend("Content-Length: ")
    }
  }

  /// A string with its quotes, in front.
  fileprivate mutating func prependString(_ text: String) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      guard unsafe firstToEscape(bytes, from: 0) == bytes.count else { return false }
      prepend(byte: 0x22)
      unsafe prepend(bytes: bytes)
      prepend(byte: 0x22)
      return true
    }
    if isPlain { return }
    var quoted = JSONWriter(capacity: 128)
    quoted.string(text)
    unsafe quoted.withBytes { unsafe prepend(bytes: $0) }
  }

  /// Writes an id in front of the text, or null for none.
  mutating func prepend(_ id: RequestID?) {
    switch id {
    case .number(let number): prepend(number)
    case .string(let string):
      var text = JSONWriter(capacity: 80)
      text.string(string)
      unsafe text.withBytes { unsafe prepend(bytes: $0) }
    case nil: prepend("null")
    }
  }
}
