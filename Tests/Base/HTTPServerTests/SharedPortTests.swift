import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop
@testable import HTTPServer

/// Keeps the connections of another protocol until it is told to end them.
private final class OtherProtocol: Sendable {
  struct Begun: Sendable {
    let socket: UpgradedSocket
    /// What lay in the connection.
    let bytes: [UInt8]
    /// The statuses of the refusals of a request to this machine, and of one to another.
    let refusals: [Int?]
  }

  private let open = Mutex<[Begun]>([])
  let begun = Signal()

  /// A server that speaks it as well, and answers HTTP with the method.
  func server(_ change: (inout HTTPServer.Configuration) -> Void = { _ in }) -> HTTPServer {
    var configuration = HTTPServer.Configuration()
    configuration.grace = .seconds(3)
    configuration.priorKnowledge = PriorKnowledge(firstBytes: Array("OTHER ".utf8)) { socket, admission in
      self.begin(socket, admission)
    }
    change(&configuration)
    return HTTPServer(configuration: configuration) { ServerResponse(text: "\($0.method) here") }
  }

  private func begin(_ socket: UpgradedSocket, _ admission: ServerAdmission) -> UpgradedWork {
    var buffer = [UInt8](repeating: 0, count: 64)
    let read = buffer.withUnsafeMutableBytes { socket.transport.read(into: $0) }
    let count = if case .bytes(let count) = read { count } else { 0 }
    let refusals = ["localhost", "evil.example"].map { host in
      admission.refusal(of: ServerRequest(path: "/", headers: [ServerField("Host", host)]))?.status
    }
    open.withLock { $0.append(Begun(socket: socket, bytes: Array(buffer.prefix(count)), refusals: refusals)) }
    begun.send()
    return UpgradedWork(run: { await untilCancelled() }, stop: { self.end() })
  }

  /// What has begun and not ended.
  var all: [Begun] { open.withLock { $0 } }

  func end() {
    let ended = open.withLock { open in
      defer { open = [] }
      return open
    }
    for begun in ended {
      begun.socket.loop.loop.execute {
        begun.socket.transport.close()
        begun.socket.over()
      }
    }
  }
}

/// A port where a connection is sorted by its first bytes.
@Suite(.timeLimit(.minutes(1)))
struct `A port with two protocols` {
  private let other = OtherProtocol()

  /// Waits until the server has looked at every connection that was made before.
  private func settle(_ port: Int) async throws {
    let client = try RawClient(port: port)
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await client.received(until: "GET here").hasSuffix("GET here"))
  }

  private static func isEnded(_ client: RawClient) async -> Bool {
    await SystemThread.run(name: "raw-client") { client.isEnded(within: 40_000) }
  }

  @Test(arguments: [0, 1, 5, 6]) func `knows the other one by its first bytes, and leaves them there`(cut: Int)
    async throws
  {
    try await other.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(Array("OTHER more".utf8.prefix(cut)))
      try await settle(address.port)
      if cut < 6 { #expect(other.begun.count == 0) }
      client.send(Array("OTHER more".utf8.dropFirst(cut)))
      try await other.begun.wait(past: 0)
      let begun = try #require(other.all.first)
      #expect(String(decoding: begun.bytes, as: UTF8.self).hasPrefix("OTHER "))
      #expect(begun.socket.early.isEmpty && begun.socket.closeLimit == .seconds(3))
      #expect(begun.refusals == [nil, 421])
    }
  }

  @Test(arguments: ["OTHERS", "OTHE", "OTHEX", "XTHER"])
  func `gives to HTTP what differs in one byte, also when the rest comes in little pieces`(method: String) async throws
  {
    try await other.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(String(method.prefix(4)))
      try await settle(address.port)
      client.send("\(method.dropFirst(4)) / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
      try await settle(address.port)
      client.send("\r\n")
      #expect(await client.received(until: "\(method) here").hasPrefix("HTTP/1.1 200"))
      #expect(other.begun.count == 0)
    }
  }

  @Test func `ends the connection that has said nothing for longest when there are too many, and no other`()
    async throws
  {
    try await other.server { $0.mostConnections = 2 }.withRunning { address in
      let silent = try (0..<3).map { _ in
        let client = try RawClient(port: address.port)
        client.send("O")
        return client
      }
      #expect(await Self.isEnded(silent[0]))
      for client in silent.dropFirst() { #expect(!client.isEnded(within: 0)) }
      for (count, client) in silent.dropFirst().enumerated() {
        client.send("THER ")
        try await other.begun.wait(past: UInt64(count))
      }
      #expect(other.all.map(\.bytes) == Array(repeating: Array("OTHER ".utf8), count: 2))
    }
  }

  /// The timers that are set on a loop.
  private static func timers(_ loop: LoopThread) async -> Int {
    await withCheckedContinuation { continuation in
      loop.loop.execute { [loop = loop.loop] in continuation.resume(returning: loop.timers.count) }
    }
  }

  /// Sorts the connections of a port, and closes what it has sorted.
  private static func sorter(
    _ socket: ListeningSocket, limit: Duration, on loop: LoopThread, sorted: Signal
  ) -> ConnectionSorterHolder {
    let holder = ConnectionSorterHolder(
      ConnectionSorter(
        socket.descriptor, firstBytes: Array("OTHER ".utf8), most: 2, limit: limit, on: loop.loop
      ) { descriptor, _ in
        _ = close(descriptor)
        sorted.send()
      })
    loop.loop.execute { holder.sorter.begin() }
    return holder
  }

  @Test func `waits for each connection as long as nobody knows what it is, and no longer`() async throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let loop = try LoopThread(name: "sorter", spin: .zero)
    let sorted = Signal()
    let holder = Self.sorter(socket, limit: .seconds(3_600), on: loop, sorted: sorted)
    func silent(_ count: Int) async throws -> RawClient {
      let client = try RawClient(port: socket.address.port)
      client.send("O")
      while await Self.timers(loop) != count { await Task.yield() }
      return client
    }
    let (first, second) = (try await silent(1), try await silent(2))
    let third = try RawClient(port: socket.address.port)
    #expect(await Self.isEnded(first))
    #expect(await Self.timers(loop) == 2)
    second.send("THER ")
    try await sorted.wait(past: 0)
    #expect(await Self.timers(loop) == 1)
    third.finish()
    #expect(await Self.isEnded(third))
    #expect(await Self.timers(loop) == 0)
    let last = try await silent(1)
    loop.loop.execute { holder.sorter.close() }
    #expect(await Self.isEnded(last))
    let isCount = await Self.timers(loop) == 0 && sorted.count == 1
    #expect(isCount)
  }

  @Test func `forgets a connection that has spoken, also when another one gets its number`() async throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let loop = try LoopThread(name: "sorter", spin: .zero)
    let sorted = Signal()
    let holder = Self.sorter(socket, limit: .seconds(3_600), on: loop, sorted: sorted)
    func silent(_ count: Int) async throws -> RawClient {
      let client = try RawClient(port: socket.address.port)
      client.send("O")
      while await Self.timers(loop) != count { await Task.yield() }
      return client
    }
    // Is given back for the client of the third connection, so that its server gets the number of the first.
    let spare = open("/dev/null", O_RDONLY | O_CLOEXEC)
    let (first, second) = (try await silent(1), try await silent(2))
    first.send("THER ")
    try await sorted.wait(past: 0)
    #expect(await Self.isEnded(first))
    close(spare)
    let third = try await silent(2)
    let fourth = try RawClient(port: socket.address.port)
    #expect(await Self.isEnded(second))
    #expect(!third.isEnded(within: 0) && !fourth.isEnded(within: 0))
    loop.loop.execute { holder.sorter.close() }
    for client in [third, fourth] { #expect(await Self.isEnded(client)) }
  }

  @Test func `ends a connection that says nothing for long`() async throws {
    let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
    let loop = try LoopThread(name: "sorter", spin: .zero)
    let holder = Self.sorter(socket, limit: .milliseconds(1), on: loop, sorted: Signal())
    for _ in 0..<2 { #expect(await Self.isEnded(try RawClient(port: socket.address.port))) }
    loop.loop.execute { holder.sorter.close() }
  }

  @Test func `lets the other one have as many connections as may last, and one more when one has ended`() async throws {
    try await other.server { $0.mostLasting = 1 }.withRunning { address in
      for round in 0..<2 as Range<UInt64> {
        let first = try RawClient(port: address.port)
        first.send("OTHER ")
        try await other.begun.wait(past: round)
        let second = try RawClient(port: address.port)
        second.send("OTHER ")
        #expect(await Self.isEnded(second))
        #expect(!first.isEnded(within: 0) && other.begun.count == round + 1)
        other.end()
        #expect(await Self.isEnded(first))
      }
    }
  }

  @Test func `ends those that said nothing along with the server, and those of the other protocol in order`()
    async throws
  {
    let clients = try await other.server().withRunning { address in
      let clients = try (0..<2).map { _ in try RawClient(port: address.port) }
      clients[0].send("OTH")
      clients[1].send("OTHER ")
      try await other.begun.wait(past: 0)
      try await settle(address.port)
      for client in clients { #expect(!client.isEnded(within: 0)) }
      return clients
    }
    for client in clients { #expect(await Self.isEnded(client)) }
    #expect(other.all.isEmpty)
  }
}
