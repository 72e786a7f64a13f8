import JSON
import Text

// Base64 straight between bytes and JSON text: what a stream carries is large, and is copied once.

extension JSONWriter {
  /// A string of base64, with its quotes.
  @unsafe mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    let length = Base64.length(of: bytes.count)
    byte(0x22)
    reserve(length + 1)
    unsafe Base64.encode(bytes, into: buffer + count)
    count += length
    byte(0x22)
  }
}

extension JSONReader {
  /// A string of base64, as bytes; `nil` when it is something else.
  mutating func base64() throws(JSONError) -> [UInt8]? {
    let span = try stringSpan()
    // Some writers escape the slash.
    if span.isEscaped {
      var text = unescaped(span)
      return text.withUTF8 { unsafe Base64.decode(UnsafeRawBufferPointer($0)) }
    }
    return unsafe Base64.decode(bytes(span.start, span.end))
  }
}
