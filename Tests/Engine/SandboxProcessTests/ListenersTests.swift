import Glibc
import Testing

@testable import SandboxTrials

/// The sockets that no extension may reach; here somebody does.
@Suite(.timeLimit(.minutes(1)))
struct `The sockets of a trial` {
  /// A socket that is connected to an address.
  private static func connected<Address>(_ kind: Int32, _ family: Int32, _ address: Address, _ length: Int) -> Int32 {
    let one = socket(family, kind | O_CLOEXEC, 0)
    let result = withUnsafeBytes(of: address) { bytes in
      connect(one, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(length))
    }
    #expect(result == 0)
    return one
  }

  private static func local(_ name: [UInt8]) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    return connected(
      Int32(SOCK_STREAM.rawValue), AF_UNIX, address, MemoryLayout<sa_family_t>.size + name.count)
  }

  private static func loopback(_ kind: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return connected(kind, AF_INET, address, MemoryLayout<sockaddr_in>.size)
  }

  @Test func `tell each way in which one of them is reached, once`() throws {
    var template = Array("/tmp/annex-listeners-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let listeners = try Listeners(directory: folder)
    defer {
      unlink(listeners.path)
      rmdir(folder)
    }
    let (port, path, name) = (listeners.port, Array(listeners.path.utf8), Array(listeners.name.utf8))
    let ways: [(String, () -> Int32)] = [
      ("TCP", { Self.loopback(Int32(SOCK_STREAM.rawValue), port) }), ("a path", { Self.local(path + [0]) }),
      ("an abstract name", { Self.local([0] + name) }),
      (
        "a datagram",
        {
          let one = Self.loopback(Int32(SOCK_DGRAM.rawValue), port)
          #expect(send(one, [7], 1, 0) == 1)
          return one
        }
      ),
      (
        "a datagram without bytes",
        {
          let one = Self.loopback(Int32(SOCK_DGRAM.rawValue), port)
          #expect(send(one, nil, 0, 0) == 0)
          return one
        }
      ),
    ]
    #expect(listeners.heardNothing)
    for (way, reach) in ways {
      let (one, end) = (reach(), ContinuousClock.now + .seconds(20))
      // The kernel may deliver it a moment later.
      var isHeard = false
      while !isHeard, ContinuousClock.now < end {
        isHeard = !listeners.heardNothing
        sched_yield()
      }
      #expect(isHeard, "\(way)")
      #expect(listeners.heardNothing, "\(way), a second time")
      close(one)
    }
  }
}
