import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A streamed response` {
  @Test func `is sent write by write, and ends when its body returns`() async throws {
    let (steps, source) = AsyncStream<Void>.makeStream()
    let server = HTTPServer { _ in
      .stream(headers: [ServerField("Content-Type", "text/event-stream")]) { writer in
        var iterator = steps.makeAsyncIterator()
        for number in 0..<3 {
          try await writer.write("data: \(number)\n\n")
          // The next one is written when this one has arrived.
          _ = await iterator.next()
        }
      }
    }
    try await server.withRunning { address in
      let client = HTTPClient.patient
      let stream = try await client.stream(HTTPRequest("GET", address.url))
      #expect(stream.response.headers["Content-Type"] == "text/event-stream")
      for number in 0..<3 {
        #expect(try await stream.next().map { String(decoding: $0, as: UTF8.self) } == "data: \(number)\n\n")
        source.yield(())
      }
      #expect(try await stream.next() == nil)
    }
  }

  @Test func `breaks off when its body throws`() async throws {
    struct Broken: Error {}
    let server = HTTPServer { _ in
      .stream { writer in
        try await writer.write("beginning")
        throw Broken()
      }
    }
    try await server.withRunning { address in
      let error = await #expect(throws: HTTPError.self) {
        try await HTTPClient.patient.send(HTTPRequest("GET", address.url))
      }
      #expect(error?.kind == .connectionLost)
    }
  }

  @Test func `waits for its client`() async throws {
    let written = Mutex(0)
    let piece = [UInt8](repeating: 7, count: 50_000)
    let server = HTTPServer { request in
      if request.path == "/other" { return ServerResponse() }
      return .stream(budget: 100_000) { writer in
        for _ in 0..<600 {
          try await writer.write(piece)
          written.withLock { $0 += piece.count }
        }
      }
    }
    try await server.withRunning { address in
      let client = HTTPClient.patient
      let stream = try await client.stream(HTTPRequest("GET", address.url))
      // The client reads nothing: no more goes out than the machine's buffers and the budget hold.
      var (last, same) = (0, 0)
      while same < 100 {
        _ = try await HTTPClient.patient.send(HTTPRequest("GET", "\(address.url)/other"))
        let now = written.withLock { $0 }
        same = now == last ? same + 1 : 0
        last = now
      }
      #expect(last < 600 * piece.count)
      var count = 0
      while let bytes = try await stream.next() { count += bytes.count }
      #expect(count == 600 * piece.count)
    }
  }

  @Test func `tells its body that the client is gone`() async throws {
    let (ends, source) = AsyncStream<ServerStreamError>.makeStream()
    let server = HTTPServer { _ in
      .stream { writer in
        do throws(ServerStreamError) {
          while true { try await writer.write([UInt8](repeating: 7, count: 10_000)) }
        } catch {
          source.yield(error)
        }
      }
    }
    try await server.withRunning { address in
      do {
        let client = try RawClient(port: address.port)
        client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.finish()
      }
      var iterator = ends.makeAsyncIterator()
      #expect(await iterator.next() != .stopping)
    }
  }

  @Test func `ends when the server stops`() async throws {
    let (begun, source) = AsyncStream<Void>.makeStream()
    let server = HTTPServer { _ in
      .stream { writer in
        try await writer.write("beginning")
        source.yield(())
        let (silence, _) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
      }
    }
    try await server.withRunning { address in
      let client = try RawClient(port: address.port)
      client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      var iterator = begun.makeAsyncIterator()
      #expect(await iterator.next() != nil)
    }
  }

  @Test func `runs its body for a HEAD request in vain`() async throws {
    let server = HTTPServer { _ in .stream { try await $0.write([UInt8](repeating: 7, count: 1_000)) } }
    try await server.withRunning { address in
      let response = try await HTTPClient.patient.send(HTTPRequest("HEAD", address.url))
      #expect(response.status == 200 && response.body.isEmpty)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The bodies of requests` {
  @Test func `are as large as is set, and larger at single paths`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytes = 10
    configuration.maximumBodyBytesOfPath = { $0 == "/large" ? 32 << 20 : nil }
    let server = HTTPServer(configuration: configuration) { ServerResponse(text: "\($0.body.count)") }
    try await server.withRunning { address in
      let body = [UInt8](repeating: 1, count: 32 << 20)
      let large = try await HTTPClient.patient.send(HTTPRequest("POST", "\(address.url)/large", body: body))
      #expect(large.text == "\(32 << 20)")
      let small = try await HTTPClient.patient.send(
        HTTPRequest("POST", "\(address.url)/", body: [UInt8](body.prefix(11))))
      #expect(small.status == 413)
    }
  }

  @Test func `share a budget, which is whole again behind them`() async throws {
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytesInAll = 100_000
    let (entries, enter) = AsyncStream<Void>.makeStream()
    let (ends, end) = AsyncStream<Void>.makeStream()
    let server = HTTPServer(configuration: configuration) { request in
      if request.path == "/held" {
        enter.yield(())
        var iterator = ends.makeAsyncIterator()
        _ = await iterator.next()
      }
      return ServerResponse(text: "\(request.body.count)")
    }
    try await server.withRunning { address in
      let large = HTTPRequest("POST", "\(address.url)/held", body: [UInt8](repeating: 1, count: 80_000))
      async let held = HTTPClient.patient.send(large).text
      var iterator = entries.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      let other = HTTPRequest("POST", address.url, body: [UInt8](repeating: 1, count: 50_000))
      for _ in 0..<3 { #expect(try await HTTPClient.patient.send(other).status == 503) }
      end.yield(())
      #expect(try await held == "80000")
      // The room comes back when the server is done with the answer, which the client may have before.
      while try await HTTPClient.patient.send(other).status == 503 { await Task.yield() }
      for _ in 0..<10 { #expect(try await HTTPClient.patient.send(other).text == "50000") }
    }
  }
}
