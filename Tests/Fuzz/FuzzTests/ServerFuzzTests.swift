import FuzzTargets
import HTTPClient
import HTTPServer
import TestSupport
import Testing

/// Requests that are nearly such. libFuzzer cannot see into the library that reads them, so this is all of it.
@Suite(.timeLimit(.minutes(2)))
struct `A server of foreign bytes` {
  private static let requests = [
    "GET /a?b=%20 HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n c\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
    "PUT /%2e%2e HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
  ].map { Array($0.utf8) }

  @Test func `goes on, whatever it is sent`() async throws {
    let server = HTTPServer { request in ServerResponse(text: "\(request.method) \(request.body.count)") }
    try await server.withRunning { address in
      var mutation = ByteMutation(of: Self.requests, seed: 29)
      for _ in 0..<400 {
        let client = try RawClient(port: address.port)
        client.send(mutation.next())
        client.finish()
        _ = client.received(silence: 5_000)
      }
      let alive = try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      #expect(alive.text == "GET 0")
    }
  }
}
