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
    ("a chunk with rubbish for its size", "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n0\r\n\r\n"),
  ]

  @Test(arguments: ambiguous)
  func `lets no second request ride inside of the first`(name: String, head: String) async throws {
    let witness = Witness()
    try await witness.server().withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("POST /first HTTP/1.1\r\nHost: localhost\r\n" + head + Self.smuggled)
      client.finish()
      let answer = client.received()
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
      _ = client.received()
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
      let answer = client.received()
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
        let answer = client.received()
        #expect(!answer.contains("200 OK"), "\(answer.prefix(80))")
      }
      #expect(witness.requests.isEmpty)
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
