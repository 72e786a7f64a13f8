import Foundation
import Synchronization

/// A server of raw bytes on a loopback port: what a correct server would never send.
///
/// Each connection gets the next answer of the script, after the header of its request was read.
package final class RawServer: Sendable {
  package enum Answer: Sendable {
    case bytes(String)
    /// Sends the bytes and then keeps the connection open without a word.
    case bytesThenSilence(String)
    /// Sends the bytes, and closes the connection without a word when another request comes on it.
    case bytesThenDeath(String)
  }

  package let port: Int
  private let listener: Int32
  private let requests = Mutex<[String]>([])
  private let held = Mutex<[Int32]>([])

  package init(_ script: [Answer]) throws {
    let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made, $0, size) + listen(made, 16) + getsockname(made, $0, &size)
      }
    }
    guard code == 0 else { throw POSIXError(.EADDRINUSE) }
    listener = made
    port = Int(UInt16(bigEndian: address.sin_port))
    let thread = Thread { [self] in
      for answer in script { serve(answer) }
    }
    thread.start()
  }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var heard: [String] { requests.withLock { $0 } }

  /// Ends a `bytesThenSilence`.
  package func hangUp() {
    for descriptor in held.withLock({ $0 }) { close(descriptor) }
  }

  private func serve(_ answer: Answer) {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    // No program that is started meanwhile keeps the connection open.
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    hear(connection)
    switch answer {
    case .bytes(let bytes):
      _ = send(connection, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL))
      close(connection)
    case .bytesThenSilence(let bytes):
      _ = send(connection, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL))
      held.withLock { $0.append(connection) }
    case .bytesThenDeath(let bytes):
      _ = send(connection, bytes, bytes.utf8.count, Int32(MSG_NOSIGNAL))
      var ready = [
        pollfd(fd: connection, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&ready, nfds_t(ready.count), 30_000)
      if ready[0].revents != 0 { hear(connection) }
      close(connection)
    }
  }

  private func hear(_ connection: Int32) {
    var request = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.contains("\r\n\r\n") {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      request += String(decoding: buffer[..<count], as: UTF8.self)
    }
    requests.withLock { $0.append(request) }
  }
}
