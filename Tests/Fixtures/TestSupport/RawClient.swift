internal import CLinux
internal import EventLoop
import Glibc

/// A client of raw bytes: what a correct client would never send.
package final class RawClient: Sendable {
  private let descriptor: Int32

  package init(port: Int) throws {
    // No program that is started meanwhile has it: its end would not be the end of the connection.
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw NotConnected() }
  }

  /// Connects to a Unix socket.
  package init(socket path: String) throws {
    descriptor = clinux_local_connect(path)
    guard descriptor >= 0 else { throw NotConnected() }
  }

  private struct NotConnected: Error {}

  deinit { close(descriptor) }

  /// - Returns: whether everything was taken.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// - Returns: whether everything was taken.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Says that nothing more is sent.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Everything that comes until the server ends the connection, or is silent for so long.
  package func received(silence milliseconds: Int32 = 2_000) -> String {
    String(decoding: receivedBytes(silence: milliseconds), as: UTF8.self)
  }

  /// The same as bytes.
  package func receivedBytes(silence milliseconds: Int32 = 2_000) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 24 {
      var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watch, 1, milliseconds) > 0 else { break }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Returns what the server sends until `end` is in it, the connection ends, or nothing comes for 20 seconds.
  package func received(until end: String) async -> String {
    String(decoding: await receivedBytes(until: end), as: UTF8.self)
  }

  /// The same as bytes.
  package func receivedBytes(until end: String) async -> [UInt8] {
    await receivedBytes { $0.firstRange(of: Array(end.utf8)) != nil }
  }

  /// The same until the bytes are enough. Waits on a thread of its own, so that a server in the same process can answer.
  package func receivedBytes(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> [UInt8] {
    await SystemThread.run(name: "raw-client") { [self] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while !isEnough(bytes) {
        var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watch, 1, 20_000) > 0 else { break }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return bytes
    }
  }

  /// Whether anything has come within so long.
  package func hasAnswered(within milliseconds: Int32) -> Bool {
    var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watch, 1, milliseconds) > 0
  }

  /// Whether the server has ended the connection within so long.
  package func isEnded(within milliseconds: Int32) -> Bool {
    var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    return poll(&watch, 1, milliseconds) > 0 && recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }
}
