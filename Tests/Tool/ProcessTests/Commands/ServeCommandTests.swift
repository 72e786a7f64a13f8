import Foundation
import HTTPClient
import TestSupport
import Testing

/// The local servers as a user starts them, with clients that mean no good (RFC 9112, 6.3 and 11.2).
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A local server with a hostile client` {
  static let servers = ["content", "files"]
  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"

  /// Runs the body with the port of a server.
  private func withServer(_ name: String, _ body: (Int) async throws -> Void) async throws {
    let host = try HostTool()
    let server = try host.start(
      ["serve", name, "--port", "0"] + (name == "files" ? ["--root", host.folder.path] : []))
    let line = try await server.hear("\n")
    let ends: [Substring] = line.split(whereSeparator: \.isWhitespace).compactMap { $0.split(separator: ":").last }
    let port = try #require(ends.compactMap { Int($0) }.first, "\(line)")
    try await body(port)
    server.signal(SIGTERM)
    #expect(try await server.finish().status == 0)
  }

  private func isAlive(_ port: Int) async throws -> Bool {
    try await HTTPClient.patient.send(HTTPRequest("GET", "http://127.0.0.1:\(port)/nothing-here")).status > 0
  }

  @Test(arguments: servers) func `answers one request where there is one`(name: String) async throws {
    try await withServer(name) { port in
      for head in [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 60\r\n\r\n0\r\n\r\n",
        "Content-Length: 0\r\nContent-Length: 44\r\n\r\n", "Content-Length: +0\r\n\r\n", "Content-Length : 44\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n0\r\n\r\n",
        "X-A: b\rContent-Length: 44\r\n\r\n", "Content-Length: 0\r\nHost: evil.example\r\n\r\n",
      ] {
        let client = try RawClient(port: port)
        client.send("POST /first HTTP/1.1\r\nHost: localhost\r\n" + head + Self.smuggled)
        client.finish()
        let answer = client.received()
        func count(_ text: String) -> Int { answer.components(separatedBy: text).count - 1 }
        // The library writes the header of some refusals twice.
        let (all, refusals) = (count("HTTP/1.1 "), count("HTTP/1.1 400 "))
        #expect(refusals > 0 ? all == refusals : all <= 1, "\(head)\(answer)")
      }
      #expect(try await isAlive(port))
    }
  }

  @Test(arguments: servers) func `answers while more clients than it takes send a byte now and then`(
    name: String
  ) async throws {
    try await withServer(name) { port in
      var slow: [RawClient] = []
      for index in 0..<600 {
        let client = try RawClient(port: port)
        client.send(index % 2 == 0 ? "" : "GET / HTTP/1.1\r\nHost: local")
        slow.append(client)
      }
      for client in slow { client.send("h") }
      #expect(try await isAlive(port))
      slow = []
      #expect(try await isAlive(port))
    }
  }

  @Test(arguments: servers) func `keeps nothing without end`(name: String) async throws {
    try await withServer(name) { port in
      for beginning in [
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ", "GET /",
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n10000000\r\n",
      ] {
        let client = try RawClient(port: port)
        client.send(beginning)
        let piece = String(repeating: "a", count: 64 << 10)
        var sent = 0
        while sent < 8 << 20, client.send(piece) { sent += piece.utf8.count }
        client.finish()
        #expect(!client.received().hasPrefix("HTTP/1.1 200"))
      }
      #expect(try await isAlive(port))
    }
  }
}
