// Where the Swift libraries are linked in, the addresses of sockets are known through this module alone.
internal import CLinux
import CMicroHTTPD
import Files
internal import Glibc

/// A socket that is bound and listens, and no child process inherits. Whoever makes it closes it.
struct ListeningSocket {
  let address: ServerAddress
  let descriptor: Int32

  init(host: String, port: Int) throws(HTTPServerError) {
    guard let number = UInt16(exactly: port) else {
      throw HTTPServerError(.invalidAddress, "\(port) is not a port: ports go from 0 to 65535.")
    }
    var four = sockaddr_in()
    var six = sockaddr_in6()
    if unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = number.bigEndian
      descriptor = try unsafe Self.listen(&four, family: AF_INET, host: host, port: port)
    } else if unsafe inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = number.bigEndian
      descriptor = try unsafe Self.listen(&six, family: AF_INET6, host: host, port: port)
    } else {
      throw HTTPServerError(.invalidAddress, "\"\(host)\" is not an IPv4 or IPv6 address.")
    }
    address = ServerAddress(host: host, port: Self.port(of: descriptor))
  }

  /// Listens at a Unix socket that only this user reaches.
  init(path: String) throws(HTTPServerError) {
    descriptor = unsafe clinux_local_listen(path)
    guard descriptor >= 0 else { throw Self.failure(errno, path: path) }
    address = ServerAddress(host: "localhost", port: 0, socketPath: path)
  }

  private static func failure(_ code: Int32, path: String) -> HTTPServerError {
    switch code {
    case EEXIST: HTTPServerError(.pathTaken, "\(path) is no socket of this user.")
    case EADDRINUSE, EAGAIN, EPERM: HTTPServerError(.pathTaken, "Another program listens at \(path).")
    case ENAMETOOLONG, ENOENT, ENOTDIR, EACCES, EROFS, ELOOP, EINVAL:
      HTTPServerError(.invalidPath, "No socket can be made at \(path): \(SystemError(code)).")
    default: HTTPServerError(.system, "No server at \(path): \(SystemError(code)).")
    }
  }

  private static func listen<Address>(
    _ address: UnsafePointer<Address>, family: Int32, host: String, port: Int
  ) throws(HTTPServerError) -> Int32 {
    let made = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard made >= 0 else { throw failure(errno, host: host, port: port) }
    var yes: Int32 = 1
    unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if family == AF_INET6 {
      unsafe setsockopt(made, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    let isBound = unsafe UnsafeRawPointer(address).withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe bind(made, $0, socklen_t(MemoryLayout<Address>.size)) == 0
    }
    guard isBound, Glibc.listen(made, 256) == 0 else {
      let code = errno
      Glibc.close(made)
      throw failure(code, host: host, port: port)
    }
    return made
  }

  private static func failure(_ code: Int32, host: String, port: Int) -> HTTPServerError {
    switch code {
    case EADDRINUSE: HTTPServerError(.portTaken, "Port \(port) of \(host) is taken by another program.")
    case EACCES, EPERM: HTTPServerError(.notPermitted, "This user may not listen at port \(port).")
    case EADDRNOTAVAIL, EAFNOSUPPORT: HTTPServerError(.invalidAddress, "\(host) is not an address of this machine.")
    default:
      HTTPServerError(
        .system, "No server at \(host) port \(port): \(SystemError(code)).")
    }
  }

  private static func port(of descriptor: Int32) -> Int {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
    }
    precondition(code == 0, "a bound socket has a name")
    // The port has the same place in both kinds of address.
    return unsafe withUnsafeBytes(of: storage) {
      Int(UInt16(bigEndian: unsafe $0.load(fromByteOffset: 2, as: UInt16.self)))
    }
  }
}
