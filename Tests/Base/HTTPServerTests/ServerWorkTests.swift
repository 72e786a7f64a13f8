import CLinux
import EventLoop
import HTTPClient
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What goes from the thread of a server to its task, and back.
@Suite(.timeLimit(.minutes(1)))
struct `The work of a server` {
  private final class Numbered: LastingResponse {
    let number: Int
    init(_ number: Int) { self.number = number }
    var hasConnection: Bool { false }
    func run() async {}
    func abandon() {}
    func stop() {}
  }

  private func number(_ work: ServerWork?) -> Int? {
    if case .lasting(let lasting)? = work { (lasting as? Numbered)?.number } else { nil }
  }

  private func append(_ number: Int, to queue: ExchangeQueue) -> Bool { queue.append(.lasting(Numbered(number))) }

  @Test func `comes in order, also what is there when the server stops, and nothing after`() async {
    let queue = ExchangeQueue()
    #expect(append(1, to: queue) && append(2, to: queue))
    #expect(number(await queue.next()) == 1)
    #expect(append(3, to: queue))
    #expect(number(await queue.next()) == 2)
    #expect(number(await queue.next()) == 3)
    for next in 4...5 {
      // Runs until it waits.
      let waiting = Task.immediate { number(await queue.next()) }
      #expect(append(next, to: queue))
      #expect(await waiting.value == next)
    }
    #expect(append(6, to: queue))
    queue.finish()
    #expect(!append(7, to: queue))
    #expect(number(await queue.next()) == 6)
    #expect(await queue.next() == nil)
    #expect(await queue.next() == nil)
    let other = ExchangeQueue()
    let waiting = Task.immediate { await other.next() == nil }
    other.finish()
    other.finish()
    #expect(await waiting.value)
  }

  @Test func `on a socket that was never handed over ends without it, whoever is first`() async {
    for isEarly in [true, false] {
      let begun = Atomic(0)
      let response = UpgradeResponse { _ in
        begun.add(1, ordering: .relaxed)
        return UpgradedWork(run: {}, stop: {})
      }
      if isEarly { response.abandon() }
      let running = Task.immediate { await response.run() }
      // The server stops: nobody will hand a connection over.
      if !isEarly { response.stop() }
      await running.value
      response.abandon()
      await response.run()
      let count = begun.load(ordering: .relaxed)
      #expect(count == 0 && !response.hasConnection)
    }
  }

  @Test func `on a socket lasts as long as that, and gives its place back once`() async throws {
    let loop = try LoopThread(name: "sockets", spin: .zero)
    for isStopped in [false, true] {
      var (first, second): (Int32, Int32) = (-1, -1)
      try #require(clinux_stream_pair(&first, &second) == 0)
      let table = LastingTable(most: 1)
      let socket = Mutex<UpgradedSocket?>(nil)
      let (stops, ran) = (Signal(), Signal())
      let response = UpgradeResponse { given in
        socket.withLock { $0 = given }
        return UpgradedWork(
          run: {
            ran.send()
            await untilCancelled()
          }, stop: { stops.send() })
      }
      response.place(.init(loop: loop, closeLimit: .seconds(7), isSecure: false, table: table))
      #expect(table.add(response) && !response.hasConnection)
      let running = Task { await response.run() }
      response.begin(ReleasedConnection(first), early: [1, 2])
      #expect(response.hasConnection)
      try await ran.wait(past: 0)
      let given = try #require(socket.withLock { $0 })
      #expect(given.early == [1, 2] && given.closeLimit == .seconds(7) && given.loop === loop)
      if isStopped {
        response.stop()
        table.stop()
        #expect(stops.count == 2, "it may be told more than once")
      }
      // No other has its place before it is over.
      #expect(!table.add(response))
      given.transport.close()
      given.over()
      await running.value
      #expect(ran.count == 1 && table.add(response) == !isStopped)
      response.stop()
      #expect(stops.count == (isStopped ? 2 : 0), "it is over")
      clinux_close(second)
    }
  }

  @Test func `on a socket that has no place closes it`() throws {
    var (first, second): (Int32, Int32) = (-1, -1)
    try #require(clinux_stream_pair(&first, &second) == 0)
    defer { clinux_close(second) }
    let response = UpgradeResponse { _ in
      Issue.record("It was handed over.")
      return UpgradedWork(run: {}, stop: {})
    }
    response.begin(ReleasedConnection(first))
    var byte: UInt8 = 0
    #expect(!response.hasConnection && clinux_read(second, &byte, 1) == 0)
  }

  @Test func `on a connection waits for nothing, and sees the end`() throws {
    var (first, second): (Int32, Int32) = (-1, -1)
    try #require(clinux_stream_pair(&first, &second) == 0)
    clinux_ignore_sigpipe()
    _ = clinux_set_nonblocking(first, 0)
    let connection = ReleasedConnection(first)
    func read() -> ByteTransfer {
      var buffer = [UInt8](repeating: 0, count: 4)
      return buffer.withUnsafeMutableBytes { connection.read(into: $0) }
    }
    func write(_ count: Int) -> ByteTransfer {
      [UInt8](repeating: 7, count: count).withUnsafeBytes { connection.write($0) }
    }
    for _ in 0..<2 {
      #expect(read() == .wait)
      #expect(clinux_write(second, [1, 2, 3, 4, 5] as [UInt8], 5) == 5)
      #expect(read() == .bytes(4) && read() == .bytes(1) && read() == .wait)
    }
    #expect(write(3) == .bytes(3))
    // Until the other side has to take some.
    while case .bytes = write(100_000) {}
    #expect(write(100_000) == .wait)
    clinux_close(second)
    #expect(write(1) == .over && read() == .over)
    connection.close()
  }

  @Test(arguments: [
    (ServerAddress(host: "127.0.0.1", port: 80), "http://127.0.0.1:80", "http://127.0.0.1:80"),
    (ServerAddress(host: "::1", port: 1, isSecure: true), "https://[::1]:1", "https://[::1]:1"),
    (ServerAddress(host: "localhost", port: 0, socketPath: "/a b"), "http://localhost", "unix:/a b"),
  ])
  func `is asked for at an address`(address: ServerAddress, url: String, description: String) {
    #expect(address.url == url && "\(address)" == description)
  }
}

/// What a server takes from its configuration, and says of what it did.
@Suite(.timeLimit(.minutes(1)))
struct `A configured server` {
  let client = HTTPClient.patient

  @Test func `has these limits unless others are given`() {
    let configuration = HTTPServer.Configuration()
    #expect(configuration.host == "127.0.0.1" && configuration.port == 0 && configuration.socketPath == nil)
    #expect(configuration.maximumBodyBytes == 1 << 20 && configuration.maximumBodyBytesInAll == 128 << 20)
    #expect(configuration.mostConnections == 512 && configuration.mostLasting == 1_024)
    #expect(configuration.idleSeconds == 60 && configuration.grace == .seconds(5))
    #expect(!configuration.carriesSecureSockets && configuration.door.admitsFetches)
    #expect(configuration.door.allowedOrigins.isEmpty && !configuration.door.allowsPagesOfThisMachine)
    #expect(PriorKnowledge.most == 32)
  }

  @Test func `writes a line for each answer, with a path of 200 characters at most and without a query`() async throws {
    let lines = Mutex<[String]>([])
    var configuration = HTTPServer.Configuration()
    configuration.requestLog = { line in lines.withLock { $0.append(line) } }
    let server = HTTPServer(configuration: configuration) { request in
      ServerResponse(status: request.method == "GET" ? 404 : 200, text: "\(request.client) \(request.query ?? "none")")
    }
    let long = "/" + String(repeating: "x", count: 199)
    try await server.withRunning { address in
      for (method, target, query) in [
        ("GET", "/a?b=secret", "b=secret"), ("POST", "/a?", ""), ("GET", long, "none"), ("GET", long + "y", "none"),
        ("POST", "/a?b?c", "b?c"),
      ] {
        let response = try await client.send(HTTPRequest(method, address.url + target))
        #expect(response.text == "127.0.0.1 \(query)")
      }
    }
    #expect(
      lines.withLock { $0 } == ["GET /a 404", "POST /a 200", "GET \(long) 404", "GET \(long) 404", "POST /a 200"])
    // Accents do not make a line longer.
    let accented = HTTPServer.line(of: ServerRequest(path: "/a" + String(repeating: "\u{301}", count: 10_000)), 200)
    #expect(accented == "GET /a\(String(repeating: "\u{301}", count: 198)) 200")
  }

  @Test func `shows pages that are kept nowhere, and takes no body`() async throws {
    try await HTTPServer.withPages { method, path, query in
      (path == "/a" ? 200 : 404, "\(method) \(path) \(query ?? "none")")
    } _: { url in
      for (path, status) in [("/a", 200), ("/b?c", 404)] {
        let response = try await client.send(HTTPRequest("GET", url + path))
        #expect(response.status == status && response.text == (status == 200 ? "GET /a none" : "GET /b c"))
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.headers["Referrer-Policy"] == "no-referrer")
      }
      #expect(try await client.send(HTTPRequest("POST", url + "/a", body: [])).status == 200)
      #expect(try await client.send(HTTPRequest("POST", url + "/a", body: [1])).status == 413)
    }
  }

  @Test func `answers a status that is none with 500, and others as they are`() async throws {
    let server = HTTPServer { request in ServerResponse(status: Int(request.path.dropFirst()) ?? 0) }
    try await server.withRunning { address in
      for (status, expected) in [(199, 500), (200, 200), (204, 204), (599, 599), (999, 999), (1_000, 500), (-1, 500)] {
        let response = try await client.send(HTTPRequest("GET", "\(address.url)/\(status)"))
        #expect(response.status == expected)
      }
    }
  }

  @Test func `takes bodies up to the limit of their path, and none where that is below zero`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytes = 3
    configuration.maximumBodyBytesOfPath = { ["/five": 5, "/none": -1][$0] }
    let server = HTTPServer(configuration: configuration) { ServerResponse(text: "\($0.body.count)") }
    try await server.withRunning { address in
      for (path, most) in [("/", 3), ("/five", 5), ("/none", 0), ("/five?", 5), ("/Five", 3)] {
        for count in [most, most + 1] {
          let request = HTTPRequest("POST", address.url + path, body: [UInt8](repeating: 1, count: count))
          let response = try await client.send(request)
          #expect(response.status == (count == most ? 200 : 413), "\(path) \(count)")
        }
      }
    }
  }

  @Test func `shows the first of several fields of one name`() {
    let headers = [ServerField("x-a", "1"), ServerField("X-A", "2"), ServerField("X-B", "3")]
    #expect(ServerRequest(path: "/", headers: headers).header("X-a") == "1")
    #expect(ServerResponse(headers: headers).header("X-a") == "1")
    #expect(ServerRequest(path: "/", headers: headers).header("X-") == nil)
  }

  @Test func `takes no certificate that a zero cuts`() async throws {
    let folder = try TemporaryDirectory()
    var configuration = HTTPServer.Configuration()
    let path = try folder.write("-----BEGIN CERTIFICATE-----\u{0}\n", to: "zero.pem")
    configuration.certificate = ServerCertificate(certificateFile: path, keyFile: path)
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse() }
    let error = await #expect(throws: HTTPServerError.self) { try await server.withRunning { _ in } }
    #expect(error?.kind == .badCertificate && error?.message == "\(path) is not text in PEM.")
  }
}
