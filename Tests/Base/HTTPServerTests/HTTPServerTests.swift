import EventLoop
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

private let echo = HTTPServer { request in
  let fields = request.headers.map { "\($0.name)=\($0.value)" }.filter { $0.hasPrefix("X-") }.joined(separator: ",")
  return ServerResponse(
    text: "\(request.method) \(request.path) \(request.query ?? "-") \(fields) \(request.body.count)")
}

@Suite(.timeLimit(.minutes(1)))
struct `An HTTP server` {
  let client = HTTPClient.patient

  @Test func `gives its handler the request as it was sent`() async throws {
    try await echo.withRunning { address in
      let response = try await client.send(
        HTTPRequest("POST", "\(address.url)/a%2Fb;c//d?x=%20&y", headers: ["X-A": "1", "X-B": "é"], body: [1, 2, 3]))
      #expect(response.text == "POST /a%2Fb;c//d x=%20&y X-A=1,X-B=é 3")
      #expect(response.headers["Date"] != nil)
    }
  }

  @Test func `answers on the thread that it is given`() async throws {
    let thread = try LoopThread(name: "handlers", spin: .zero)
    var configuration = HTTPServer.Configuration()
    configuration.loop = thread
    let server = HTTPServer(configuration: configuration) { request in
      ServerResponse(text: "\(thread.loop.isOnLoop)")
    }
    try await server.withRunning { address in
      #expect(!thread.loop.isOnLoop)
      let answer = try await client.send(HTTPRequest("GET", address.url))
      #expect(answer.text == "true")
    }
  }

  @Test func `listens at this machine only and tells its port`() async throws {
    try await echo.withRunning { address in
      #expect(address.host == "127.0.0.1")
      #expect((1024...65535).contains(address.port))
      #expect(address.url == "http://127.0.0.1:\(address.port)")
    }
  }

  @Test func `listens at an address of version 6`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.host = "::1"
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse(text: "six") }
    do {
      try await server.withRunning { address in
        #expect(address.url.hasPrefix("http://[::1]:"))
        let response = try await client.send(HTTPRequest("GET", address.url))
        #expect(response.text == "six")
      }
    } catch let error as HTTPServerError {
      // A machine without version 6.
      #expect(error.kind == .invalidAddress)
    }
  }

  @Test func `ends the connection in place of a response that is dropped`() async throws {
    let server = HTTPServer { $0.path == "/gone" ? .dropped : ServerResponse(text: "here") }
    try await server.withRunning { address in
      await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("GET", "\(address.url)/gone")) }
      let answer = try await client.send(HTTPRequest("GET", address.url))
      #expect(answer.text == "here")
    }
  }

  @Test func `names the port that is taken`() async throws {
    try await echo.withRunning { address in
      let second = HTTPServer(configuration: .init(port: address.port)) { _ in ServerResponse() }
      let error = await #expect(throws: HTTPServerError.self) { try await second.withRunning { _ in } }
      #expect(error?.kind == .portTaken)
      #expect(error?.message.contains("\(address.port)") == true)
    }
  }

  @Test(arguments: [("127.0.0.1", 70000), ("127.0.0.1", -1), ("localhost", 0), ("", 0), ("203.0.113.1", 0)])
  func `refuses an address that is not of this machine`(host: String, port: Int) async {
    var configuration = HTTPServer.Configuration(port: port)
    configuration.host = host
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse() }
    let error = await #expect(throws: HTTPServerError.self) { try await server.withRunning { _ in } }
    #expect(error?.kind == .invalidAddress)
  }

  @Test(arguments: [
    ("localhost", 200), ("LOCALHOST:1", 200), ("127.0.0.1:80", 200), ("[::1]:9", 200), ("evil.example", 421),
    ("127.0.0.1.evil.example", 421), ("localhost.evil.example:4503", 421),
  ])
  func `answers only for its own names`(host: String, status: Int) async throws {
    try await echo.withRunning { address in
      let response = try await client.send(HTTPRequest("GET", address.url, headers: ["Host": host]))
      #expect(response.status == status)
    }
  }

  @Test func `answers for a name that was added`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.additionalHostNames = ["Content.Example"]
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse(text: "x") }
    try await server.withRunning { address in
      let request = HTTPRequest("GET", address.url, headers: ["Host": "content.example:80"])
      let response = try await client.send(request)
      #expect(response.status == 200)
    }
  }

  @Test(arguments: [(100, 200), (101, 413), (100_000, 413)])
  func `refuses a body that is too large`(count: Int, status: Int) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytes = 100
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse() }
    try await server.withRunning { address in
      let body = [UInt8](repeating: 7, count: count)
      let response = try await client.send(HTTPRequest("POST", address.url, body: body))
      #expect(response.status == status)
    }
  }

  @Test func `refuses a body with two lengths`() async throws {
    try await echo.withRunning { address in
      let request = HTTPRequest("POST", address.url, headers: ["Transfer-Encoding": "chunked", "Content-Length": "1"])
      let response = try await client.send(request)
      #expect(response.status == 400)
    }
  }

  @Test func `answers many at once while handlers wait for each other`() async throws {
    let gate = Gate(count: 20)
    let server = HTTPServer { _ in
      await gate.arrive()
      return ServerResponse(text: "through")
    }
    try await server.withRunning { address in
      try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<20 {
          group.addTask { try await client.send(HTTPRequest("GET", address.url)).text }
        }
        for try await text in group { #expect(text == "through") }
      }
    }
  }

  @Test func `sends the responses that are on their way before it ends`() async throws {
    let gate = Gate(count: 2)
    let server = HTTPServer { _ in
      await gate.arrive()
      // More than all that lies between the server and its client.
      return ServerResponse(body: [UInt8](repeating: 9, count: 32 << 20))
    }
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      try await server.withRunning { address in
        group.addTask {
          try await client.send(HTTPRequest("GET", address.url, maximumBodyBytes: 64 << 20)).body.count
        }
        await gate.arrive()
      }
      return try await group.next()
    }
    #expect(count == 32 << 20)
  }

  /// The grace is longer than the test may take.
  @Test func `waits for nobody when nothing is on its way`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.grace = .seconds(600)
    for isAsked in [false, true] {
      try await HTTPServer(configuration: configuration) { _ in ServerResponse(text: "ok") }.withRunning { address in
        let text = isAsked ? try await client.send(HTTPRequest("GET", address.url)).text : "ok"
        #expect(text == "ok")
      }
    }
  }

  @Test func `ends when its task is cancelled, and frees its port`() async throws {
    // At an address of its own, so that no other test gets the port in between.
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.77"
    let server = HTTPServer(configuration: configuration) { _ in ServerResponse(text: "here") }
    let addresses = AsyncStream<ServerAddress>.makeStream()
    let address = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run { addresses.continuation.yield($0) } }
      var iterator = addresses.stream.makeAsyncIterator()
      let address = try #require(await iterator.next())
      let response = try await client.send(HTTPRequest("GET", address.url))
      #expect(response.status == 200)
      group.cancelAll()
      try await group.waitForAll()
      return address
    }
    let error = await #expect(throws: HTTPError.self) {
      try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
    }
    #expect(error?.kind == .refused)
    configuration.port = address.port
    try await HTTPServer(configuration: configuration) { _ in ServerResponse() }.withRunning { _ in }
  }

  @Test func `passes on what its scope throws`() async {
    struct Refused: Error {}
    await #expect(throws: Refused.self) { try await echo.withRunning { _ in throw Refused() } }
  }

  @Test func `leaves out a field that would break the header`() async throws {
    let server = HTTPServer { _ in
      ServerResponse(status: 42, headers: [ServerField("X-A", "a\r\nX-Evil: 1"), ServerField("X-B", "b")])
    }
    try await server.withRunning { address in
      let response = try await client.send(HTTPRequest("GET", address.url))
      #expect(response.status == 500)
      #expect(response.headers["X-Evil"] == nil)
      #expect(response.headers["X-B"] == "b")
    }
  }
}

/// What a test of a client asks for: a server that fails in the middle.
@Suite(.timeLimit(.minutes(1)))
struct `A response that breaks off` {
  private static let body = Array(repeating: UInt8(ascii: "x"), count: 100_000)

  @Test(arguments: [0, 1, 50_000, 100_000, 200_000, -1])
  func `ends its connection before the length that it promised`(end: Int) async throws {
    let server = HTTPServer { _ in ServerResponse(body: Self.body, bytesBeforeEnd: end) }
    try await server.withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let answer = await SystemThread.run(name: "raw-client") { client.received(silence: 40_000) }
      let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
      let header = try #require(parts.first)
      #expect(header.hasPrefix("HTTP/1.1 200"))
      let sent = parts.count > 1 ? parts[1].utf8.count : 0
      #expect(sent == min(max(0, end), Self.body.count))
      let field = header.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      let length = try #require(field.flatMap { Int($0.dropFirst(16)) })
      #expect(length > sent)
      #expect(client.isEnded(within: 0))
    }
  }

  @Test func `is an error for a client, and the next request is answered`() async throws {
    let server = HTTPServer { request in
      ServerResponse(body: Self.body, bytesBeforeEnd: request.path == "/broken" ? 10 : nil)
    }
    try await server.withRunning { address in
      for _ in 0..<3 {
        await #expect(throws: HTTPError.self) {
          try await HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)/broken"))
        }
        let whole = try await HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)/whole"))
        #expect(whole.body == Self.body)
      }
    }
  }
}

/// Lets everybody through once `count` have arrived.
private actor Gate {
  private var missing: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(count: Int) { missing = count }

  func arrive() async {
    missing -= 1
    guard missing > 0 else {
      for continuation in waiting { continuation.resume() }
      waiting = []
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }
}
