import Foundation
import HTTPClient
import HTTPServer
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An exchange with files` {
  let client = HTTPClient.patient
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  }

  /// An open file with some bytes, for the time of the test.
  private func withFile<Value>(_ bytes: [UInt8] = [], _ body: (Int32) async throws -> Value) async throws -> Value {
    let path = directory.file(UUID().uuidString)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    return try await body(descriptor)
  }

  private func content(_ descriptor: Int32) -> [UInt8] {
    var status = stat()
    fstat(descriptor, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(count))
  }

  @Test func `stores the body from an offset on, as it was sent`() async throws {
    let body = Self.bytes(3 << 20)
    try await HTTPServer { _ in ServerResponse(headers: [ServerField("X-A", "1")], body: body) }.withRunning {
      address in
      try await withFile(Array("abc".utf8)) { file in
        let progress = HTTPProgress()
        let request = HTTPFileRequest(HTTPRequest("GET", address.url), progress: progress) { head in
          head.headers["X-A"] == "1" ? .file(descriptor: file, offset: 2) : .refused
        }
        let outcome = await client.exchange(request)
        #expect(outcome.end == .whole)
        #expect(outcome.response?.status == 200 && outcome.response?.body.isEmpty == true)
        #expect(progress.received == Int64(body.count))
        #expect(content(file) == Array("ab".utf8) + body)
      }
    }
  }

  @Test(arguments: ["PUT", "POST"]) func `sends a part of a file with its length`(method: String) async throws {
    let seen = Mutex<(method: String, body: [UInt8], length: String?)?>(nil)
    let body = Self.bytes(500_000)
    try await HTTPServer { request in
      let got = (
        request.method, request.body, request.headers.first { $0.name.lowercased() == "content-length" }?.value
      )
      seen.withLock { $0 = got }
      return ServerResponse(status: 201)
    }.withRunning { address in
      try await withFile(body) { file in
        let progress = HTTPProgress()
        let source = HTTPFileRequest.Source(descriptor: file, offset: 10, count: Int64(body.count) - 20)
        let request = HTTPFileRequest(HTTPRequest(method, address.url), source: source, progress: progress) { _ in
          .nowhere(limit: 100)
        }
        let outcome = await client.exchange(request)
        #expect(outcome.end == .whole && outcome.response?.status == 201)
        #expect(progress.sent == source.count)
      }
    }
    let got = try #require(seen.withLock { $0 })
    #expect(got.method == method && got.body == Array(body[10..<(body.count - 10)]))
    #expect(got.length == "\(body.count - 20)")
  }

  @Test func `tells how far it came when the connection breaks`() async throws {
    let raw = try RawServer([.bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"1\"\r\n\r\nabc")])
    try await withFile { file in
      let progress = HTTPProgress()
      let request = HTTPFileRequest(HTTPRequest("GET", raw.url), progress: progress) { _ in
        .file(descriptor: file, offset: 0)
      }
      let outcome = await client.exchange(request)
      guard case .failed(let error) = outcome.end else {
        Issue.record("\(outcome.end)")
        return
      }
      #expect(error.kind == .connectionLost)
      #expect(outcome.response?.headers["ETag"] == "\"1\"")
      #expect(progress.received == 3 && content(file) == Array("abc".utf8))
    }
  }

  @Test func `ends when the disk is full`() async throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    try await HTTPServer { _ in ServerResponse(body: [1, 2, 3]) }.withRunning { address in
      let request = HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in .file(descriptor: full, offset: 0) }
      let outcome = await client.exchange(request)
      #expect(outcome.end == .cannotWrite(ENOSPC))
      #expect(outcome.response?.status == 200)
    }
  }

  @Test func `takes no body that nobody wants, nor more of it than allowed`() async throws {
    try await HTTPServer { _ in ServerResponse(body: Self.bytes(1000)) }.withRunning { address in
      let refused = await client.exchange(HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in .refused })
      #expect(refused.end == .refused && refused.response?.status == 200)
      let ignored = await client.exchange(
        HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in .nowhere(limit: 1000) })
      #expect(ignored.end == .whole)
      let long = await client.exchange(HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in .nowhere(limit: 999) })
      guard case .failed(let error) = long.end else {
        Issue.record("\(long.end)")
        return
      }
      #expect(error.kind == .tooLarge)
    }
  }

  @Test func `stores as much as there is room for in the file, and not one byte more`() async throws {
    let body = Self.bytes(1000)
    try await HTTPServer { _ in ServerResponse(body: body) }.withRunning { address in
      for (offset, room, isWhole) in [
        (0, 1000, true), (0, 999, false), (7, 1007, true), (7, 1006, false), (7, 6, false),
      ]
        as [(Int64, Int64, Bool)]
      {
        try await withFile { file in
          var request = HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in
            .file(descriptor: file, offset: offset)
          }
          request.room = room
          let outcome = await client.exchange(request)
          #expect(outcome.end == (isWhole ? .whole : .cannotWrite(EDQUOT)), "\(offset) \(room)")
          #expect(content(file).count <= Int(room) && (content(file).count == Int(offset) + 1000) == isWhole)
        }
      }
    }
  }

  @Test(arguments: ["GET", "PUT"]) func `is no faster than allowed`(method: String) async throws {
    let body = Self.bytes(300_000)
    let seen = Mutex<[UInt8]>([])
    try await HTTPServer { request in
      seen.withLock { $0 = request.body }
      return ServerResponse(body: method == "GET" ? body : [])
    }.withRunning { address in
      try await withFile(method == "GET" ? [] : body) { file in
        let source = HTTPFileRequest.Source(descriptor: file, count: Int64(body.count))
        var request = HTTPFileRequest(HTTPRequest(method, address.url), source: method == "GET" ? nil : source) { _ in
          .file(descriptor: file, offset: 0)
        }
        request.limit = HTTPRateLimit(bytesPerSecond: 100_000)
        let start = ContinuousClock.now
        let outcome = await client.exchange(request)
        #expect(ContinuousClock.now - start >= .seconds(2))
        #expect(outcome.end == .whole)
        #expect((method == "GET" ? content(file) : seen.withLock { $0 }) == body)
      }
    }
  }

  @Test func `shares a limit with other exchanges`() async throws {
    let body = [UInt8](repeating: 1, count: 100_000)
    let limit = HTTPRateLimit(bytesPerSecond: 100_000)
    try await HTTPServer { _ in ServerResponse(body: body) }.withRunning { address in
      let start = ContinuousClock.now
      await withTaskGroup(of: HTTPFileOutcome.self) { group in
        for _ in 0..<3 {
          var request = HTTPFileRequest(HTTPRequest("GET", address.url)) { _ in .nowhere(limit: 100_000) }
          request.limit = limit
          group.addTask { [client, request] in await client.exchange(request) }
        }
        for await outcome in group { #expect(outcome.end == .whole) }
      }
      #expect(ContinuousClock.now - start >= .seconds(2))
    }
  }

  /// The pause is longer than the silence that is allowed, and the five seconds that curl looks back for its rate.
  @Test(arguments: ["GET", "PUT"]) func `does not take the pause of a limit for a silence`(method: String) async throws
  {
    let body = Self.bytes(1_500)
    try await HTTPServer { _ in ServerResponse(body: method == "GET" ? body : []) }.withRunning { address in
      try await withFile(body) { file in
        let source = HTTPFileRequest.Source(descriptor: file, count: Int64(body.count))
        var request = HTTPFileRequest(HTTPRequest(method, address.url), source: method == "GET" ? nil : source) { _ in
          .nowhere(limit: 1_500)
        }
        request.request.timeout = .seconds(60)
        request.stall = .seconds(4)
        request.limit = HTTPRateLimit(bytesPerSecond: 80)
        let outcome = await client.exchange(request)
        #expect(outcome.end == .whole)
      }
    }
  }

  @Test func `ends at once when it is cancelled while a limit holds it`() async throws {
    try await HTTPServer { _ in ServerResponse(body: [UInt8](repeating: 1, count: 1 << 20)) }.withRunning { address in
      let progress = HTTPProgress()
      var request = HTTPFileRequest(HTTPRequest("GET", address.url), progress: progress) { _ in .nowhere(limit: 1 << 20)
      }
      request.limit = HTTPRateLimit(bytesPerSecond: 1)
      let began = AsyncStream.makeStream(of: Void.self)
      let target = request.target
      request.target = {
        began.continuation.finish()
        return target($0)
      }
      let task = Task { [client, request] in await client.exchange(request) }
      for await _ in began.stream {}
      task.cancel()
      guard case .failed(let error) = await task.value.end else {
        Issue.record("It was not cancelled.")
        return
      }
      #expect(error.kind == .cancelled)
    }
  }

  @Test func `ends after a silence`() async throws {
    let raw = try RawServer([.bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")])
    defer { raw.hangUp() }
    try await withFile { file in
      var request = HTTPFileRequest(HTTPRequest("GET", raw.url)) { _ in .file(descriptor: file, offset: 0) }
      request.stall = .seconds(1)
      let outcome = await client.exchange(request)
      guard case .failed(let error) = outcome.end else {
        Issue.record("\(outcome.end)")
        return
      }
      #expect(error.kind == .timedOut)
    }
  }
}
