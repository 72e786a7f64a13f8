import EventLoop
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// Writes down every request that reaches a handler, so that a smuggled one is seen.
private final class Witness: Sendable {
  private let seen = Mutex<[String]>([])
  var requests: [String] { seen.withLock { $0 } }

  func server(_ configuration: HTTPServer.Configuration = HTTPServer.Configuration()) -> HTTPServer {
    HTTPServer(configuration: configuration) { [self] request in
      seen.withLock { $0.append("\(request.method) \(request.path) \(request.body.count)") }
      return ServerResponse(text: "fine")
    }
  }
}

/// The ways in which servers of HTTP/1.1 are known to fail (RFC 9112, 6.3 and 11.2).
@Suite(.timeLimit(.minutes(1)))
struct `An HTTP server with a hostile client` {
  private static let end = "Host: localhost\r\nConnection: close\r\n"
  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// Messages whose end two readers could see in two places.
  static let ambiguous: [(String, String)] = [
    ("two lengths of two kinds", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("the same, the other way round", "Transfer-Encoding: chunked\r\nContent-Length: 60\r\n\r\n0\r\n\r\n"),
    ("two lengths", "Content-Length: 0\r\nContent-Length: 44\r\n\r\n"),
    ("a list of lengths", "Content-Length: 0, 44\r\n\r\n"),
    ("a length with a sign", "Content-Length: +0\r\n\r\n"),
    ("a negative length", "Content-Length: -1\r\n\r\n"),
    ("a length past every number", "Content-Length: 99999999999999999999999\r\n\r\n"),
    ("a length in hexadecimal", "Content-Length: 0x0\r\n\r\n"),
    ("an unknown coding", "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    ("a coding behind chunked", "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
    ("a coding with a tab", "Transfer-Encoding:\tchunked\u{0B}\r\n\r\n0\r\n\r\n"),
    ("white space before the colon", "Content-Length : 44\r\n\r\n"),
    ("a chunk of negative size", "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n"),
    ("a chunk past every number", "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nx\r\n"),
    ("a chunk of negative size and a comment", "Transfer-Encoding: chunked\r\n\r\n-0;a=b\r\n\r\n"),
    ("the same coding twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("the same length twice", "Content-Length: 44\r\nContent-Length: 44\r\n\r\n"),
    ("a length in a folded line", "X-A: b\r\n Content-Length: 44\r\nContent-Length:\r\n 0\r\n\r\n"),
    ("a coding in a folded line", "Transfer-Encoding: chunked\r\n , identity\r\n\r\n0\r\n\r\n"),
    ("a field behind a bare carriage return", "X-A: b\rContent-Length: 44\r\n\r\n"),
    ("a coding behind a bare carriage return", "Content-Length: 44\r\nX-A: b\rTransfer-Encoding: chunked\r\n\r\n"),
    ("a field behind a null", "X-A: b\u{0}\r\nContent-Length: +44\r\n\r\n"),
    ("a chunk with rubbish for its size", "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n0\r\n\r\n"),
  ]

  @Test(arguments: ambiguous)
  func `lets no second request ride inside of the first`(name: String, head: String) async throws {
    let witness = Witness()
    try await witness.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("POST /first HTTP/1.1\r\nHost: localhost\r\n" + head + Self.smuggled)
      client.finish()
      let answer = await SystemThread.run(name: "raw-client") { client.received() }
      // Either the message is refused and the connection ends, or it has one meaning, the standard's.
      let refused = !answer.contains("HTTP/1.1 200")
      #expect(
        refused || !witness.requests.contains { $0.contains("/smuggled") }, "\(name): \(witness.requests) \(answer)")
      let alive = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      #expect(alive.status == 200)
    }
  }

  @Test(arguments: [
    "GET\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n",
    "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/1.1\nHost: localhost\n\n", "\r\n\r\n\r\n",
    "{\"jsonrpc\":\"2.0\"}\n",
  ])
  func `goes on after what is no request`(bytes: String) async throws {
    let witness = Witness()
    try await witness.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(bytes)
      client.finish()
      _ = await SystemThread.run(name: "raw-client") { client.received() }
      let alive = try await HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)/alive"))
      #expect(alive.status == 200)
      #expect(witness.requests.contains("GET /alive 0"))
    }
  }

  @Test func `keeps no header without end`() async throws {
    try await Witness().server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n")
      let line = "X-Filler: " + String(repeating: "a", count: 1_000) + "\r\n"
      var sent = 0
      while sent < 4 << 20, client.send(line) { sent += line.utf8.count }
      client.finish()
      let answer = await SystemThread.run(name: "raw-client") { client.received() }
      #expect(
        answer.isEmpty || answer.hasPrefix("HTTP/1.1 431") || answer.hasPrefix("HTTP/1.1 413"), "\(answer.prefix(80))")
    }
  }

  @Test func `keeps no body without end, told or in chunks`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytes = 1_000
    let witness = Witness()
    try await witness.server(configuration).withRunning { address in
      for head in ["Content-Length: 1000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"] {
        let client = try RawClient(port: address.port)
        client.send("POST / HTTP/1.1\r\n\(Self.end)\(head)")
        let piece =
          head.hasPrefix("T")
          ? "1000\r\n" + String(repeating: "x", count: 4096) + "\r\n" : String(repeating: "x", count: 4096)
        var sent = 0
        while sent < 8 << 20, client.send(piece) { sent += piece.utf8.count }
        client.finish()
        let answer = await SystemThread.run(name: "raw-client") { client.received() }
        #expect(!answer.contains("200 OK"), "\(answer.prefix(80))")
      }
      #expect(witness.requests.isEmpty)
    }
  }

  /// What has one meaning only, however odd it is: the requests that are read of it; none where it may be refused.
  static let odd: [(String, String, [String])] = [
    (
      "an extension of a chunk", "Transfer-Encoding: chunked\r\n\r\n3;a=\"b;c\"\r\nxyz\r\n0;d\r\n\r\n", []
    ),
    (
      "a trailer", "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 44\r\n\r\n", []
    ),
    ("a length of nothing", "Content-Length: 0\r\n\r\n", ["POST /first 0", "GET /smuggled 0"]),
    ("no length", "\r\n", ["POST /first 0", "GET /smuggled 0"]),
  ]

  @Test(arguments: odd)
  func `reads what follows a message from where the standard ends it`(
    name: String, head: String, requests: [String]
  ) async throws {
    let witness = Witness()
    try await witness.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("POST /first HTTP/1.1\r\nHost: localhost\r\n" + head + "GET /smuggled HTTP/1.1\r\n\(Self.end)\r\n")
      let answer = await SystemThread.run(name: "raw-client") { client.received(silence: 20_000) }
      #expect(witness.requests == requests || answer.hasPrefix("HTTP/1.1 400"), "\(name): \(answer)")
    }
  }

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400"), ("GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 400"),
      ("GET / HTTP/1.1\r\nHost:\r\n\r\n", "HTTP/1.1 4"),
      ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 421"),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400"),
      ("GET / HTTP/1.1\r\nHost: localhost, evil.example\r\n\r\n", "HTTP/1.1 4"),
      ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400"),
      ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400"),
      ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400"),
      ("CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400"),
    ])
  func `answers for itself only, whatever the request is addressed to`(bytes: String, answer: String) async throws {
    try await Witness().server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send(bytes)
      let found = await SystemThread.run(name: "raw-client") { client.received(silence: 20_000) }
      #expect(found.hasPrefix(answer), "\(found)")
    }
  }

  private static let few = {
    var configuration = HTTPServer.Configuration()
    configuration.mostConnections = 16
    return configuration
  }()

  /// Parts of a request, each of which a slow client stops behind.
  static let beginnings = [
    "", "G", "GET / HTTP/1.1\r\nHost: local", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx",
  ]

  @Test(arguments: beginnings)
  func `answers others while more clients than it takes stop in the middle`(beginning: String) async throws {
    try await Witness().server(Self.few).withRunning { address in
      var slow: [RawClient] = []
      for _ in 0..<100 {
        let client = try RawClient(port: address.port)
        client.send(beginning)
        slow.append(client)
      }
      // Those that still have a place send a byte more.
      for client in slow { client.send("h") }
      for _ in 0..<3 {
        let alive = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
        #expect(alive.status == 200)
      }
      // The first that came has lost its place.
      #expect(slow[0].isEnded(within: 20_000))
      _ = slow
    }
  }

  /// It looks at each connection as long as there is something to be read: an end that comes along with the last bytes is
  /// seen, too, and frees the place.
  @Test(arguments: beginnings)
  func `ends a connection whose client has ended it in the middle`(beginning: String) async throws {
    try await Witness().server().withRunning { address in
      for _ in 0..<5 {
        let client = try RawClient(port: address.port)
        client.send(beginning)
        client.finish()
        _ = await SystemThread.run(name: "raw-client") { client.received(silence: 20_000) }
        #expect(client.isEnded(within: 0))
      }
    }
  }

  @Test func `answers others when those that filled it have gone`() async throws {
    try await Witness().server(Self.few).withRunning { address in
      for _ in 0..<5 {
        var idle: [RawClient] = []
        for _ in 0..<60 { idle.append(try RawClient(port: address.port)) }
        idle = []
        let alive = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
        #expect(alive.status == 200)
      }
    }
  }

  @Test func `takes no place from a request that a handler has`() async throws {
    let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let server = HTTPServer(configuration: Self.few) { request in
      guard request.path == "/slow" else { return ServerResponse(text: "fast") }
      arrived.yield()
      for await _ in gate { break }
      return ServerResponse(text: "slow")
    }
    try await server.withRunning { address in
      async let slow = HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)/slow"))
      for await _ in arrivals { break }
      var idle: [RawClient] = []
      for _ in 0..<60 { idle.append(try RawClient(port: address.port)) }
      let fast = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      #expect(fast.text == "fast")
      open.yield()
      #expect(try await slow.text == "slow")
      _ = idle
    }
  }

  @Test func `ends a connection on which nothing happens`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.idleSeconds = 1
    try await Witness().server(configuration).withRunning { address in
      let idle = try RawClient(port: address.port)
      let begun = try RawClient(port: address.port)
      begun.send("GET / HTTP/1.1\r\nHost: local")
      #expect(idle.isEnded(within: 40_000))
      // It may be told why.
      _ = await SystemThread.run(name: "raw-client") { begun.received(silence: 40_000) }
      #expect(begun.isEnded(within: 40_000))
    }
  }

  @Test func `answers others while many send a byte now and then`() async throws {
    try await Witness().server().withRunning { address in
      var slow: [RawClient] = []
      for _ in 0..<200 {
        let client = try RawClient(port: address.port)
        client.send("GET / HTTP/1.1\r\nHost: local")
        slow.append(client)
      }
      for client in slow { client.send("h") }
      let alive = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      #expect(alive.status == 200)
      _ = slow
    }
  }
}
