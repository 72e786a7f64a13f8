internal import HTTP

/// What the fields of a call say.
package enum GRPCRequest {
  /// Whether a `content-type` is that of a call with messages in the wire form of protocol buffers.
  package static func isContentType(_ text: String) -> Bool {
    let type = FieldSyntax.trimmed(Substring(text.utf8.prefix { $0 != UInt8(ascii: ";") }))
    return ["application/grpc", "application/grpc+proto"].contains { FieldSyntax.areEqual($0, type) }
  }

  /// Returns the time that a `grpc-timeout` gives: at most eight digits, and a unit of `H`, `M`, `S`, `m`, `u` or `n`.
  ///
  /// - Returns: nil for another text.
  package static func timeout(_ text: String) -> Duration? {
    guard let unit = text.last, (1...8).contains(text.utf8.count - 1),
      text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast())
    else { return nil }
    switch unit {
    case "H": return .seconds(count * 3_600)
    case "M": return .seconds(count * 60)
    case "S": return .seconds(count)
    case "m": return .milliseconds(count)
    case "u": return .microseconds(count)
    case "n": return .nanoseconds(count)
    default: return nil
    }
  }
}
