import Files
import Glibc

/// Sockets on which nobody may be heard: TCP and UDP of one port on the loopback, one path, one abstract name.
final class Listeners: Sendable {
  let port: UInt16
  let path: String
  let name: String
  private let streams: [Int32]
  private let datagrams: Int32

  init(directory: String) throws(TrialError) {
    path = directory + "/socket"
    name = "annex-" + Folder.name(of: directory)
    let tcp: Int32
    (tcp, datagrams, port) = try Self.loopbackPair()
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    let abstract = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
    try Self.bindLocal(file, Array(path.utf8) + [0])
    try Self.bindLocal(abstract, [0] + Array(name.utf8))
    streams = [tcp, file, abstract]
    guard chmod(path, 0o777) == 0 else { throw TrialError("chmod: \(errno)") }
    for stream in streams where listen(stream, 16) != 0 { throw TrialError("listen: \(errno)") }
  }

  deinit {
    for socket in streams + [datagrams] { close(socket) }
  }

  var heardNothing: Bool {
    var byte: UInt8 = 0
    return streams.allSatisfy { accept($0, nil, nil) < 0 && errno == EAGAIN }
      && recv(datagrams, &byte, 1, 0) < 0 && errno == EAGAIN
  }

  /// A stream and a datagram socket of one port. The kernel chooses one that is free for the first; where somebody has the
  /// same for datagrams, it is asked for another.
  private static func loopbackPair() throws(TrialError) -> (stream: Int32, datagrams: Int32, port: UInt16) {
    for attempt in 1...100 {
      let stream = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
      let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
      do throws(TrialError) {
        let port = try bindLoopback(stream, port: 0)
        _ = try bindLoopback(datagrams, port: port)
        return (stream, datagrams, port)
      } catch {
        close(stream)
        close(datagrams)
        if attempt == 100 { throw error }
      }
    }
    throw TrialError("bind: no port is free")
  }

  private static func bindLoopback(_ socket: Int32, port: UInt16) throws(TrialError) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(socket, name, length) == 0 && getsockname(socket, name, &length) == 0
      }
    }
    guard bound else { throw TrialError("bind: \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }

  private static func bindLocal(_ socket: Int32, _ name: [UInt8]) throws(TrialError) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) == 0 }
    }
    guard bound else { throw TrialError("bind: \(errno)") }
  }
}
