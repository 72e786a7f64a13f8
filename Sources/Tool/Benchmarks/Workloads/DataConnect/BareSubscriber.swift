import MeasuredHost
import BenchmarkResults
import Files
import Glibc

/// A subscriber that is a socket and nothing else, so that the memory of the process is that of the server.
///
/// It blocks, and it answers no pings: it lasts as long as a server waits for those.
final class BareSubscriber: Sendable {
  private let descriptor: Int32

  /// Subscribes to a row and waits for its first frame.
  ///
  /// - Parameter port: of a server at 127.0.0.1.
  init(port: Int, row: Int) throws {
    descriptor = try BareSocket.connected(to: port, as: "subscriber")
    try write(
      Array(
        """
        GET \(MeasuredEmulator.streamPath) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
        \r

        """.utf8))
    try wait(for: "\r\n\r\n")
    // Together: a second small segment would wait until the first is acknowledged.
    let subscription = MeasuredEmulator.frame("subscribe", .lookup(row), as: "row")
    try write(Self.frame(MeasuredEmulator.greeting) + Self.frame(subscription))
    try wait(for: "Trip")
  }

  deinit { close(descriptor) }

  /// A text of 65,535 bytes at most, masked with zeros.
  private static func frame(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    let length = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 255)]
    return [0x81, 0x80 | length[0]] + length.dropFirst() + [0, 0, 0, 0] + Array(text.utf8)
  }

  private func write(_ bytes: [UInt8]) throws {
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw BenchmarkError("A subscriber cannot write: \(SystemError.last).")
    }
  }

  /// Reads until a text has come.
  private func wait(for text: String) throws {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var seen = ""
    while !seen.contains(text) {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { throw BenchmarkError("A subscriber was sent: \(seen.prefix(300))") }
      seen += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}
