import Glibc

/// A server on the loopback that lets everybody connect and never says a word.
final class SilentServer: Sendable {
  let port: UInt16
  private let listener: Int32

  /// - Parameter isListening: whether anybody can connect; if not, the port is only kept from others.
  init(isListening: Bool = true) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let listens = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(listener, name, length) == 0 && getsockname(listener, name, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard listens, !isListening || listen(listener, 16) == 0 else {
      throw ProgramFailure(description: "bind: \(errno)")
    }
  }

  deinit { close(listener) }
}
