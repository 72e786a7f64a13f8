import HTTPClient
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A streamed HTTP response` {
  let client = HTTPClient.patient

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  @Test func `brings every byte in order, however often its reader had no room`() async throws {
    let body = Self.bytes(4 << 20)
    try await HTTPServer { _ in ServerResponse(headers: [ServerField("X-A", "1")], body: body) }.withRunning {
      address in
      let stream = try await client.stream(HTTPRequest("GET", address.url))
      #expect(stream.response.status == 200)
      #expect(stream.response.headers["x-a"] == "1")
      #expect(stream.response.body.isEmpty)
      var all: [UInt8] = []
      while let piece = try await stream.next() { all += piece }
      #expect(all == body)
      let after = try await stream.next()
      #expect(after == nil)
    }
  }

  @Test func `comes before its body, which then does not come in time`() async throws {
    let raw = try RawServer([.bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
    defer { raw.hangUp() }
    let stream = try await client.stream(HTTPRequest("GET", raw.url, timeout: .milliseconds(300)))
    #expect(try await stream.next() == Array("abc".utf8))
    let error = await #expect(throws: HTTPError.self) { try await stream.next() }
    #expect(error?.kind == .timedOut)
  }

  @Test func `has a bound for its time also while nobody reads it`() async throws {
    let body = Self.bytes(4 << 20)
    let raw = try RawServer([.bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")])
    defer { raw.hangUp() }
    try await HTTPServer { _ in ServerResponse(body: body) }.withRunning { address in
      let unread = try await client.stream(HTTPRequest("GET", address.url, timeout: .milliseconds(100)))
      // Waiting for another that takes longer.
      let other = try await client.stream(HTTPRequest("GET", raw.url, timeout: .milliseconds(400)))
      _ = try? await other.next()
      let error = await #expect(throws: HTTPError.self) { while try await unread.next() != nil {} }
      #expect(error?.kind == .timedOut)
    }
  }

  @Test func `is not whole when the connection breaks, or when it is larger than allowed`() async throws {
    let raw = try RawServer([.bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
    let broken = try await client.stream(HTTPRequest("GET", raw.url))
    let lost = await #expect(throws: HTTPError.self) { while try await broken.next() != nil {} }
    #expect(lost?.kind == .connectionLost)
    let body = Self.bytes(1 << 20)
    try await HTTPServer { _ in ServerResponse(body: body) }.withRunning { address in
      // Over the limit at once, and after the reader had no room.
      for limit in [999, (1 << 20) - 1] {
        let large = try await client.stream(HTTPRequest("GET", address.url, maximumBodyBytes: limit))
        let error = await #expect(throws: HTTPError.self) { while try await large.next() != nil {} }
        #expect(error?.kind == .tooLarge)
      }
    }
  }

  /// Zeros as zlib would pack them (RFC 1950, 1951): a zero, and again and again the 258 before.
  private static func packedZeros(_ runs: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x9C]
    var bits: UInt32 = 0
    var count: UInt32 = 0
    func put(_ value: UInt32, _ width: UInt32) {
      bits |= value << count
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    // The last block, with the fixed codes; a literal 0. Codes go with their highest bit first.
    put(0b011, 3)
    put(0b0000_1100, 8)
    for _ in 0..<runs { put(0b1010_0011, 13) }
    put(0, 7)
    if count > 0 { put(0, 8 - count) }
    let sum = UInt32((258 * runs + 1) % 65521) << 16 | 1
    return bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
  }

  @Test func `that is packed is unpacked as its reader has room, up to its limit`() async throws {
    let body = Self.packedZeros(40_000)
    let server = HTTPServer { _ in ServerResponse(headers: [ServerField("Content-Encoding", "deflate")], body: body) }
    try await server.withRunning { address in
      let size = 258 * 40_000 + 1
      let whole = try await client.stream(HTTPRequest("GET", address.url, maximumBodyBytes: size))
      var count = 0
      while let piece = try await whole.next() { count += piece.count }
      #expect(count == size)
      let part = try await client.stream(HTTPRequest("GET", address.url, maximumBodyBytes: size - 1))
      let error = await #expect(throws: HTTPError.self) { while try await part.next() != nil {} }
      #expect(error?.kind == .tooLarge)
    }
  }

  @Test func `is not given when there is no response`() async throws {
    let refused = await #expect(throws: HTTPError.self) {
      try await client.stream(HTTPRequest("GET", "http://127.0.0.1:1/"))
    }
    #expect(refused?.kind == .refused)
  }

  @Test func `of a redirect is the redirect itself, and a HEAD has no body`() async throws {
    let server = HTTPServer { _ in ServerResponse(status: 302, headers: [ServerField("Location", "/elsewhere")]) }
    try await server.withRunning { address in
      for method in ["GET", "HEAD"] {
        let stream = try await client.stream(HTTPRequest(method, address.url))
        #expect(stream.response.status == 302)
        let first = try await stream.next()
        #expect(first == nil)
      }
    }
  }

  @Test func `ends with the task that waits for it`() async throws {
    let raw = try RawServer([
      .bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"),
      .bytesThenSilence("HTTP/1.1 100 Continue\r\n\r\n"),
    ])
    defer { raw.hangUp() }
    let stream = try await client.stream(HTTPRequest("GET", raw.url))
    let reading = Task { try await stream.next() }
    reading.cancel()
    let first = await #expect(throws: HTTPError.self) { try await reading.value }
    #expect(first?.kind == .cancelled)
    let asking = Task { try await client.stream(HTTPRequest("GET", raw.url)) }
    asking.cancel()
    let second = await #expect(throws: HTTPError.self) { try await asking.value }
    #expect(second?.kind == .cancelled)
  }

  @Test func `ends with the client`() async throws {
    let raw = try RawServer([.bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")])
    defer { raw.hangUp() }
    let stream = try await HTTPClient.patient.stream(HTTPRequest("GET", raw.url))
    let error = await #expect(throws: HTTPError.self) { try await stream.next() }
    #expect(error?.kind == .cancelled)
  }
}
