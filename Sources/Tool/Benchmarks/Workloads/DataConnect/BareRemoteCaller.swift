import MeasuredHost
import BenchmarkResults
import DataConnectMessages
import Files
import GRPC
import Glibc

/// A client of gRPC that is a socket and nothing else: one call after another, each on a stream of its own.
///
/// It blocks. Its windows have room for everything that it asks for.
final class BareRemoteCaller {
  private enum Kind: UInt8 { case data, headers, priority, reset, settings, push, ping, goAway, window, continuation }
  private static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
  private static let room: UInt32 = 1 << 30

  private let descriptor: Int32
  private let header: [UInt8]
  private let message: [UInt8]
  private var stream: UInt32 = 1
  private var received: [UInt8] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - port: of a server at 127.0.0.1.
  ///   - call: what is executed each time.
  init(port: Int, _ call: MeasuredProject.Call) throws {
    descriptor = try BareSocket.connected(to: port, as: "caller")
    var isOn = Int32(1)
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    let method = call.isMutation ? "ExecuteMutation" : "ExecuteQuery"
    header = [
      (":method", "POST"), (":scheme", "http"), (":authority", "127.0.0.1:\(port)"),
      (":path", "/google.firebase.dataconnect.v1.ConnectorService/\(method)"), ("content-type", "application/grpc"),
      ("te", "trailers"), ("x-firebase-auth-token", MeasuredEmulator.token),
    ].flatMap { [0] + Self.text($0.0) + Self.text($0.1) }
    message = GRPCMessageReader.framed(
      OperationMessage(connector: MeasuredProject.connector, operation: call.name, variables: call.variables).bytes)
    let window = [0, 4] + Self.number(Self.room)
    try write(
      Array(Self.preface.utf8) + Self.frame(.settings, stream: 0, window)
        + Self.frame(.window, stream: 0, Self.number(Self.room)))
  }

  deinit { close(descriptor) }

  /// Executes the call and waits for its end.
  ///
  /// - Returns: the bytes of the answer, with the five of its frame.
  func call() throws -> [UInt8] {
    try write(
      Self.frame(.headers, flags: 4, stream: stream, header) + Self.frame(.data, flags: 1, stream: stream, message))
    var answer: [UInt8] = []
    while true {
      let (kind, flags, place, payload) = try next()
      switch kind {
      case .settings where flags & 1 == 0: try write(Self.frame(.settings, flags: 1, stream: 0, []))
      case .ping where flags & 1 == 0: try write(Self.frame(.ping, flags: 1, stream: 0, Array(payload)))
      case .goAway, .reset: throw BenchmarkError("The server ended the call.")
      case .data: answer += payload
      default: break
      }
      if place == stream, kind == .data || kind == .headers, flags & 1 == 1 { break }
    }
    stream += 2
    return answer
  }

  // MARK: Frames

  private func next() throws -> (kind: Kind?, flags: UInt8, stream: UInt32, payload: ArraySlice<UInt8>) {
    try fill(9)
    let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
    try fill(9 + length)
    let place = received[5..<9].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
    let frame = (Kind(rawValue: received[3]), received[4], place, received[9..<(9 + length)])
    received.removeFirst(9 + length)
    return frame
  }

  private func fill(_ count: Int) throws {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while received.count < count {
      let more = recv(descriptor, &buffer, buffer.count, 0)
      guard more > 0 else { throw BenchmarkError("The server answers no call: \(SystemError.last).") }
      received += buffer[..<more]
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw BenchmarkError("A caller cannot write: \(SystemError.last).")
    }
  }

  private static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    number(UInt32(payload.count)).dropFirst() + [kind.rawValue, flags] + number(stream) + payload
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// A text of at most 126 bytes, not compressed (RFC 7541, 5.2).
  private static func text(_ text: String) -> [UInt8] { [UInt8(truncatingIfNeeded: text.utf8.count)] + text.utf8 }
}
