/// A place in a distributed trace: the `traceparent` and `tracestate` of W3C Trace Context (level 1).
public struct TraceContext: Sendable, Hashable {
  /// 32 lower-case hexadecimal digits, not all zero.
  public let traceID: String
  /// The id of the calling span: 16 lower-case hexadecimal digits, not all zero.
  public let spanID: String
  /// 0 to 255; bit 0 says that the caller records.
  public let flags: UInt8
  /// What vendors add; passed on as it came.
  public let state: String?

  /// Characters of a `tracestate` that are passed on.
  public static let maximumStateLength = 512

  private init(traceID: String, spanID: String, flags: UInt8, state: String?) {
    self.traceID = traceID
    self.spanID = spanID
    self.flags = flags
    self.state = state
  }

  /// Reads the two headers.
  ///
  /// - Returns: `nil` when `traceparent` is not valid. A `tracestate` that is not is left out.
  public init?(traceparent: String, tracestate: String? = nil) {
    let fields = traceparent.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard fields.count >= 4, fields.prefix(4).map(\.count) == [2, 32, 16, 2] else { return nil }
    guard fields.prefix(4).allSatisfy({ $0.allSatisfy(Self.isDigit) }) else { return nil }
    let version = String(decoding: fields[0], as: UTF8.self)
    // A later version may have more fields; version 0 has four, and ff is none.
    guard version != "ff", version != "00" || fields.count == 4 else { return nil }
    let zero = UInt8(ascii: "0")
    guard fields[1].contains(where: { $0 != zero }), fields[2].contains(where: { $0 != zero }),
      let flags = UInt8(String(decoding: fields[3], as: UTF8.self), radix: 16)
    else { return nil }
    self.init(
      traceID: String(decoding: fields[1], as: UTF8.self), spanID: String(decoding: fields[2], as: UTF8.self),
      flags: flags, state: tracestate.flatMap(Self.checked))
  }

  /// The beginning of a new trace.
  public static func root() -> TraceContext {
    TraceContext(traceID: digits(16), spanID: digits(8), flags: 1, state: nil)
  }

  /// The same trace, one call further.
  public func child() -> TraceContext {
    TraceContext(traceID: traceID, spanID: Self.digits(8), flags: flags, state: state)
  }

  /// The header `traceparent`: `00-` trace `-` span `-` flags.
  public var traceparent: String {
    let digits = String(flags, radix: 16)
    return "00-\(traceID)-\(spanID)-\(digits.count == 1 ? "0" : "")\(digits)"
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func checked(_ state: String) -> String? {
    let isPrintable = state.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isPrintable && !state.isEmpty && state.utf8.count <= maximumStateLength ? state : nil
  }

  /// Random, and not all zero.
  private static func digits(_ bytes: Int) -> String {
    var text = ""
    for index in 0..<bytes {
      let byte = UInt8.random(in: index == 0 ? 1...255 : 0...255)
      text += byte < 16 ? "0" : ""
      text += String(byte, radix: 16)
    }
    return text
  }
}
