import HTTPClient
import HTTPServer
import TestSupport
import Testing

/// Who gives way to whom, and what has no room, at the exact bounds and the second time round.
@Suite(.timeLimit(.minutes(1)))
struct `A server at its bounds` {
  private let client = HTTPClient.patient

  private func configuration(_ change: (inout HTTPServer.Configuration) -> Void) -> HTTPServer.Configuration {
    var configuration = HTTPServer.Configuration()
    change(&configuration)
    return configuration
  }

  /// Asks for something on a connection that stays open, and waits until the answer has come.
  private func ask(_ port: Int, _ path: String = "/fine", until end: String = "fine") async throws -> RawClient {
    let client = try RawClient(port: port)
    client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(await client.received(until: end).hasSuffix(end))
    return client
  }

  @Test(arguments: [(0, 0), (1, 0), (1, -2_000), (-5, 3)])
  func `has room for one connection at least, whose place the next one takes`(most: Int, lasting: Int) async throws {
    let configuration = configuration { ($0.mostConnections, $0.mostLasting) = (most, lasting) }
    try await HTTPServer(configuration: configuration) { _ in ServerResponse(text: "fine") }.withRunning { address in
      let first = try RawClient(port: address.port)
      let second = try await ask(address.port)
      #expect(first.isEnded(within: 20_000) && !second.isEnded(within: 0))
    }
  }

  @Test func `shows pages to sixteen at one time`() async throws {
    try await HTTPServer.withPages { _, path, _ in
      (200, path)
    } _: { url in
      let port = try #require(Int(url.split(separator: ":").last ?? ""))
      let idle = try (0..<16).map { _ in try RawClient(port: port) }
      let last = try await ask(port, "/page", until: "/page")
      #expect(idle[0].isEnded(within: 20_000) && !idle[1].isEnded(within: 0) && !last.isEnded(within: 0))
    }
  }

  @Test func `gives the place of a connection to others when its stream has ended`() async throws {
    let server = HTTPServer(configuration: configuration { $0.mostConnections = 1 }) { request in
      request.path == "/stream" ? .stream { try await $0.write("all") } : ServerResponse(text: "fine")
    }
    try await server.withRunning { address in
      let first = try await ask(address.port, "/stream", until: "all\r\n0\r\n\r\n")
      // Each takes the place of the one that has been waited for longest.
      var others: [RawClient] = []
      for _ in 0..<3 { others.append(try await ask(address.port)) }
      #expect(first.isEnded(within: 20_000))
      withExtendedLifetime(others) {}
    }
  }

  @Test func `gives the place of a client to others that does not take its answer`() async throws {
    // More than all that lies between the server and a client that reads nothing.
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 32 << 20)
    let server = HTTPServer(configuration: configuration { $0.mostConnections = 1 }) { request in
      request.path == "/large" ? ServerResponse(body: body) : ServerResponse(text: "fine")
    }
    try await server.withRunning { address in
      let slow = try RawClient(port: address.port)
      slow.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(slow.hasAnswered(within: 20_000))
      let other = try await ask(address.port)
      #expect(await slow.receivedBytes { $0.count >= body.count }.count < body.count)
      withExtendedLifetime(other) {}
    }
  }

  @Test func `has no stream more than it may have, says so, and has room for one when another has ended`() async throws
  {
    let (steps, step) = AsyncStream.makeStream(of: Void.self)
    let server = HTTPServer(configuration: configuration { $0.mostLasting = 1 }) { request in
      guard request.path == "/held" else { return .stream { _ in } }
      return .stream { writer in
        try await writer.write("begun")
        for await _ in steps { break }
      }
    }
    try await server.withRunning { address in
      for _ in 0..<2 {
        let held = try await client.stream(HTTPRequest("GET", "\(address.url)/held"))
        #expect(try await held.next() == Array("begun".utf8))
        for _ in 0..<2 {
          let refused = try await client.send(HTTPRequest("GET", address.url))
          #expect(refused.status == 503 && refused.headers["Retry-After"] == "5")
          #expect(refused.text == "The server takes no more connections that last.\n")
        }
        step.yield()
        #expect(try await held.next() == nil)
        // The server hears of the end a little later than the client.
        while try await client.send(HTTPRequest("GET", address.url)).status == 503 { await Task.yield() }
      }
    }
  }

  @Test func `has no room for a body that is larger than all the room, up to the largest that it takes`() async throws {
    let configuration = configuration { ($0.maximumBodyBytes, $0.maximumBodyBytesInAll) = (10, 5) }
    let server = HTTPServer(configuration: configuration) { ServerResponse(text: "\($0.body.count)") }
    try await server.withRunning { address in
      for (count, status) in [(5, 200), (6, 503), (10, 503), (11, 413)] {
        let request = HTTPRequest("POST", address.url, body: [UInt8](repeating: 1, count: count))
        let response = try await client.send(request)
        #expect(response.status == status, "\(count)")
        #expect(response.headers["Retry-After"] == (status == 503 ? "1" : nil))
      }
    }
  }

  @Test func `reads a certificate of 1 MiB, and of not one byte more`() async throws {
    let folder = try TemporaryDirectory()
    for (count, message) in [
      (1 << 20, " holds no certificate in PEM."), ((1 << 20) + 1, ": The file is larger than 1024 KiB."),
    ] {
      let path = try folder.write(String(repeating: "x", count: count), to: "\(count).pem")
      let configuration = configuration {
        $0.certificate = ServerCertificate(certificateFile: path, keyFile: path)
      }
      let server = HTTPServer(configuration: configuration) { _ in ServerResponse() }
      let error = await #expect(throws: HTTPServerError.self) { try await server.withRunning { _ in } }
      #expect(error?.kind == .badCertificate && error?.message == path + message)
    }
  }
}
