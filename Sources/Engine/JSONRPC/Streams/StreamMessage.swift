import JSON

/// The notifications of a stream.
///
/// `open`, `data` and `end` go from the sender to the receiver, `ack` and `drop` back. Each side numbers the streams
/// that it sends; the two numberings have nothing to do with each other.
package struct StreamMessage {
  enum Kind: String {
    case open, data, ack, end, drop

    /// The kind that a method names.
    init?(method: String) {
      guard method.hasPrefix(StreamMessage.prefix) else { return nil }
      self.init(rawValue: String(method.dropFirst(StreamMessage.prefix.count)))
    }

    var method: String { StreamMessage.prefix + rawValue }
  }

  static let prefix = "$/stream/"
  /// The most bytes of a stream's id.
  package static let maximumIDBytes = 64

  var streamID = ""
  /// Of `data`: 1, 2, 3, …
  var sequence: Int64 = 0
  /// Of `data`; exactly one of the two is there.
  var chunk: StreamChunk?
  /// The credit that the chunk costs.
  var cost = 0
  /// The bytes that an `ack` grants.
  var credit = 0
  /// Of `end` and `drop`: `nil` when all is well.
  var error: ErrorObject?

  /// - Throws: `JSONError` when the params are no JSON or of another shape.
  @unsafe init(_ params: UnsafeRawBufferPointer, maximumDepth: Int) throws(JSONError) {
    var reader = unsafe JSONReader(params, maximumDepth: maximumDepth)
    var members = try reader.beginObject()
    while let name = try reader.nextName(&members) {
      if reader.matches(name, "streamID") {
        streamID = try reader.string()
      } else if reader.matches(name, "seq") {
        sequence = try reader.integer(Int64.self)
      } else if reader.matches(name, "credit") {
        credit = try reader.integer()
      } else if reader.matches(name, "data") {
        guard let bytes = try reader.base64() else { throw JSONError(.mismatch(expected: "base64"), at: reader.at) }
        chunk = .bytes(bytes)
        cost = bytes.count
      } else if reader.matches(name, "value") {
        let range = try reader.skipUnchecked()
        let text = unsafe UnsafeRawBufferPointer(rebasing: params[range])
        chunk = .value(try unsafe JSONCoding.parse(text, maximumDepth: maximumDepth))
        cost = range.count
      } else if reader.matches(name, "error") {
        if try reader.takeNull() { continue }
        error = unsafe Self.error(params, try reader.skipUnchecked(), maximumDepth)
      } else {
        try reader.skip()
      }
    }
    try reader.finish()
    guard !streamID.isEmpty, streamID.utf8.count <= Self.maximumIDBytes else {
      throw JSONError(.mismatch(expected: "a streamID of 1 to \(Self.maximumIDBytes) bytes"), at: 0)
    }
  }

  @unsafe private static func error(
    _ params: UnsafeRawBufferPointer, _ range: Range<Int>, _ depth: Int
  ) -> ErrorObject {
    let text = unsafe UnsafeRawBufferPointer(rebasing: params[range])
    return (try? unsafe JSONCoding.decode(ErrorObject.self, from: text, maximumDepth: depth))
      ?? .handlerFailed("The stream ended with an error that cannot be read.")
  }
}

extension OutgoingFrame {
  static func stream(
    _ kind: StreamMessage.Kind, _ id: String, _ framing: Framing, capacity: Int = 256,
    _ members: (inout JSONWriter) -> Void = { _ in }
  ) -> OutgoingFrame {
    var writer = JSONWriter(capacity: capacity, headroom: headroom)
    writer.raw("{\"streamID\":")
    writer.string(id)
    members(&writer)
    writer.byte(0x7D)
    return request(nil, kind.method, writer, framing)
  }

  /// Writes an `end` or a `drop`.
  static func streamEnd(
    _ kind: StreamMessage.Kind, _ id: String, _ error: ErrorObject?, _ framing: Framing
  ) -> OutgoingFrame {
    stream(kind, id, framing) { writer in
      guard let error else { return }
      writer.raw(",\"error\":")
      writer.error(error)
    }
  }
}
