import JSON

extension Envelope {
  /// Reads a message that is written as this project writes it: `{"jsonrpc":"2.0","id":1,"method":"a/b","params":{}}`
  /// or `{"jsonrpc":"2.0","id":1,"result":{}}`, without white space around the outer members.
  ///
  /// - Returns: `nil` for every other message, valid or not: `parse` says what that one is.
  static func canonical(_ bytes: UnsafeRawBufferPointer, maximumDepth: Int) -> Envelope? {
    var reader = unsafe JSONReader(bytes, maximumDepth: maximumDepth)
    guard reader.takeText("{\"jsonrpc\":\"2.0\",") else { return nil }
    // The reader is inside of the outer object.
    reader.depth = 1
    var id: Int64?
    if reader.takeText("\"id\":") {
      id = reader.takePlainNumber()
      guard id != nil, reader.takeText(",") else { return nil }
    }
    if let id, reader.takeText("\"result\":") {
      return lastMember(&reader).map { .result(.number(id), $0) }
    }
    guard reader.takeText("\"method\":\""), let name = reader.takePlainText(), reader.takeText(",\"params\":"),
      let next = try? reader.peek(), next == 0x7B || next == 0x5B, let params = lastMember(&reader)
    else { return nil }
    let method = reader.text(of: name)
    return id.map { .request(.number($0), method: method, params: params) }
      ?? .notification(method: method, params: params)
  }

  /// Returns the range of the last value, after which the message ends.
  private static func lastMember(_ reader: inout JSONReader) -> Range<Int>? {
    guard reader.depth < reader.maximumDepth, let value = try? reader.skipUnchecked(), reader.at == reader.end &- 1,
      reader.byte(reader.at) == 0x7D
    else { return nil }
    return value
  }
}

extension JSONReader {
  /// Consumes exactly these bytes when they are next.
  @inline(__always)
  fileprivate mutating func takeText(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at &+ count <= end, unsafe memoryIsEqual(base + at, UnsafeRawPointer(text.utf8Start), count) else {
      return false
    }
    at &+= count
    return true
  }

  /// Consumes a whole number from 0 to 18 digits.
  fileprivate mutating func takePlainNumber() -> Int64? {
    let start = at
    var number: Int64 = 0
    while at < end, at &- start < 18 {
      let digit = byte(at) &- 0x30
      guard digit < 10 else { break }
      number = number &* 10 &+ Int64(digit)
      at &+= 1
    }
    let hasLeadingZero = at &- start > 1 && byte(start) == 0x30
    return at == start || hasLeadingZero ? nil : number
  }

  /// Consumes the rest of a string without escapes and of ASCII alone, and its closing quote.
  fileprivate mutating func takePlainText() -> StringSpan? {
    let start = at
    var isEscaped = false
    var highBits: UInt64 = 0
    guard let close = try? closingQuote(from: start, isEscaped: &isEscaped, highBits: &highBits), !isEscaped,
      highBits == 0
    else { return nil }
    at = close &+ 1
    return StringSpan(start: start, end: close, isEscaped: false)
  }
}
