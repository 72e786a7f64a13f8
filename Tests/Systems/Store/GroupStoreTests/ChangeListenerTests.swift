import EventLoop
import Glibc
import PostgreSQL
import TestSupport
import Testing

@testable import GroupStore
@testable import PostgreSQLGroupStore

/// Takes connections on a socket in a folder, as a server of PostgreSQL does, and answers nothing.
private final class SilentServer: Sendable {
  private let socket: Int32

  init(in folder: String) throws {
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0 && listen(socket, 16) == 0)
  }

  deinit { close(socket) }

  /// Waits for a connection; `nil` when none comes.
  func next() async -> Int32? {
    await SystemThread.run(name: "test-accept") { [socket] () -> Int32? in
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 20_000) == 1 else { return nil }
      return accept(socket, nil, nil)
    }
  }

  /// Whether another connection waits while one is open.
  func hasAnother(beside connection: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) == 1 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(connection, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return count < 0 && errno == EAGAIN }
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The listener for writes of other hosts` {
  /// A thread that listens has one connection at a time, and makes the next when that one has ended.
  @Test func `is one, however often it is started`() async throws {
    let folder = try TemporaryDirectory()
    let server = try SilentServer(in: folder.path)
    let listener = ChangeListener(
      try PostgreSQLTarget("postgresql://annex@/none?host=\(folder.path)"), channel: "annex", every: .milliseconds(1),
      RecentChanges(), Writers())
    for _ in 0..<3 { try listener.start() }
    for _ in 0..<20 {
      let connection = try #require(await server.next())
      #expect(!server.hasAnother(beside: connection))
      // A program that another test starts may have it too.
      shutdown(connection, Int32(SHUT_RDWR))
      close(connection)
      try listener.start()
    }
  }
}
