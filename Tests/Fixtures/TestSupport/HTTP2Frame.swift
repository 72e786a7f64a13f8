/// Frames as a client writes them by hand, also those that no client should (RFC 9113, 4.1 and 6).
package struct HTTP2Frame: Equatable, Sendable, CustomStringConvertible {
  package enum Kind: UInt8, Sendable {
    case data, headers, priority, reset, settings, push, ping, goAway, window, continuation
  }

  package let kind: Kind?
  package let flags: UInt8
  package let stream: UInt32
  package let payload: [UInt8]

  package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  package static let endStream: UInt8 = 1
  package static let endHeaders: UInt8 = 4

  package static func bytes(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    number(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + number(stream) + payload
  }

  package static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// The beginning of a connection: preface and SETTINGS with these entries.
  package static func start(_ settings: [(UInt16, UInt32)] = []) -> [UInt8] {
    preface + bytes(.settings, settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + number($0.1) })
  }

  /// Fields as literals without an index (RFC 7541, 6.2.2).
  package static func fields(_ fields: [(String, String)]) -> [UInt8] {
    fields.flatMap { [0] + text($0.0) + text($0.1) }
  }

  private static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    if count < 127 { return [UInt8(count)] + text.utf8 }
    var (bytes, rest): ([UInt8], Int) = ([127], count - 127)
    while rest >= 128 {
      bytes.append(UInt8(rest & 127 | 128))
      rest >>= 7
    }
    return bytes + [UInt8(rest)] + text.utf8
  }

  package static func request(_ path: String, more: [(String, String)] = []) -> [UInt8] {
    fields([(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost")] + more)
  }

  /// A whole request.
  package static func call(_ path: String, stream: UInt32, isWhole: Bool = true) -> [UInt8] {
    bytes(.headers, flags: endHeaders | (isWhole ? endStream : 0), stream: stream, request(path))
  }

  /// The frames that bytes hold, and how many bytes they take.
  package static func all(in bytes: [UInt8]) -> (frames: [HTTP2Frame], count: Int) {
    var (frames, place): ([HTTP2Frame], Int) = ([], 0)
    while bytes.count - place >= 9 {
      let length = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
      guard bytes.count - place >= 9 + length else { break }
      let stream = bytes[(place + 5)..<(place + 9)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      frames.append(
        HTTP2Frame(
          kind: Kind(rawValue: bytes[place + 3]), flags: bytes[place + 4], stream: stream,
          payload: Array(bytes[(place + 9)..<(place + 9 + length)])))
      place += 9 + length
    }
    return (frames, place)
  }

  /// The code of a RST_STREAM or a GOAWAY.
  package var code: UInt32? {
    switch kind {
    case .reset: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    case .goAway: payload.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    default: nil
    }
  }

  package var endsStream: Bool { (kind == .data || kind == .headers) && flags & Self.endStream != 0 }
  package var description: String { "\(kind.map { "\($0)" } ?? "?") \(flags) \(stream) \(payload.count) \(code ?? 0)" }
}
