import MeasuredHost
import BenchmarkResults
import Files
import Glibc

/// A socket and nothing else, so that what a client of a benchmark costs is next to nothing.
enum BareSocket {
  /// Connects to a server at 127.0.0.1. Reading waits 20 seconds at most.
  ///
  /// - Parameter client: what the server is to take, for the message.
  static func connected(to port: Int, as client: String) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw BenchmarkError("There is no socket: \(SystemError.last).") }
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(port).bigEndian
    place.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let connected = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if connected == 0 { return descriptor }
    let error = SystemError.last
    close(descriptor)
    throw BenchmarkError("The server takes no \(client): \(error).")
  }
}
