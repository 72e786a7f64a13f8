import HTTPServer
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

/// Answers with what it heard: "METHOD target|headers asked for|body".
private let echo = HTTPServer { request in
  let target = request.path + (request.query.map { "?\($0)" } ?? "")
  let content = request.header("Content-Type") ?? "-"
  return ServerResponse(
    text: "\(request.method) \(target)|\(content)|\(String(decoding: request.body, as: UTF8.self))")
}

@Suite(.timeLimit(.minutes(1)))
struct `An HTTP client` {
  let client = HTTPClient.patient

  @Test(arguments: [
    (HTTPRequest("GET", "/a?b=c"), "GET /a?b=c|-|"),
    (HTTPRequest("GET", "/x%3Ba%3D1%2F;"), "GET /x%3Ba%3D1%2F;|-|"),
    (HTTPRequest("GET", "/a/../b/./c//d"), "GET /a/../b/./c//d|-|"),
    (HTTPRequest("POST", "/", headers: ["Content-Type": "text/x"], body: Array("hé".utf8)), "POST /|text/x|hé"),
    (HTTPRequest("POST", "/"), "POST /|-|"),
    (HTTPRequest("POST", "/", body: []), "POST /|-|"),
    (HTTPRequest("PUT", "/", body: Array("1".utf8)), "PUT /|-|1"),
    (HTTPRequest("DELETE", "/"), "DELETE /|-|"),
  ])
  func `sends what it is given`(request: HTTPRequest, expected: String) async throws {
    try await echo.withRunning { address in
      var request = request
      request.url = address.url + request.url
      let response = try await client.send(request)
      #expect(response.status == 200)
      #expect(response.text == expected)
      #expect(response.url == request.url)
    }
  }

  @Test func `gives a HEAD response without a body`() async throws {
    try await echo.withRunning { address in
      let response = try await client.send(HTTPRequest("HEAD", address.url + "/abc"))
      #expect(response.body.isEmpty)
      #expect(response.headers["content-length"] == "12")
    }
  }

  @Test func `keeps header fields in order and finds them in any case`() async throws {
    let server = HTTPServer { _ in
      ServerResponse(status: 404, headers: [ServerField("X-B", "1"), ServerField("X-A", "2"), ServerField("x-b", "3")])
    }
    try await server.withRunning { address in
      let response = try await client.send(HTTPRequest("GET", address.url))
      #expect(response.status == 404)
      #expect(response.headers.values(of: "X-b") == ["1", "3"])
      #expect(response.headers.all.map(\.name).filter { $0.lowercased().hasPrefix("x-") } == ["X-B", "X-A", "x-b"])
    }
  }

  @Test func `serves many requests at once over few connections`() async throws {
    try await echo.withRunning { address in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<200 {
          group.addTask {
            let response = try await client.send(HTTPRequest("GET", "\(address.url)/\(number)"))
            #expect(response.text == "GET /\(number)|-|")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `reuses its connection`() async throws {
    let raw = try RawServer([
      .bytesThenSilence("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
    ])
    let first = try await client.send(HTTPRequest("GET", raw.url))
    #expect(first.text == "a")
    // The second request goes to the held connection, where nobody answers.
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest("GET", raw.url, timeout: .milliseconds(100)))
    }
    #expect(error?.kind == .timedOut)
    #expect(raw.heard.count == 1)
    raw.hangUp()
  }

  @Test func `repeats what a connection took with it that was used before`() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
    let raw = try RawServer([.bytesThenDeath(answer + "a"), .bytes(answer + "b")])
    for expected in ["a", "b"] {
      let response = try await client.send(HTTPRequest("POST", raw.url, body: []))
      #expect(response.text == expected)
    }
    #expect(raw.heard.count == 3)
  }

  @Test func `sends nothing twice that is to be sent once`() async throws {
    let raw = try RawServer([
      .bytesThenDeath("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"), .bytes(""), .bytes("HTTP/1.1 200 OK\r\n\r\n"),
    ])
    _ = try await client.send(HTTPRequest("POST", raw.url, body: []))
    var request = HTTPRequest("POST", raw.url, body: Array("refresh_token=rt".utf8))
    request.isSentOnce = true
    let spent = request
    let error = await #expect(throws: HTTPError.self) { try await client.send(spent) }
    #expect(error?.kind == .connectionLost)
    #expect(raw.heard.count == 2)
  }

  @Test func `says that nobody listens`() async throws {
    // At an address of its own, so that no other test gets the port in between.
    var configuration = HTTPServer.Configuration()
    configuration.host = "127.0.0.78"
    let port = try await HTTPServer(configuration: configuration) { _ in ServerResponse() }.withRunning { $0.port }
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest("GET", "http://127.0.0.78:\(port)/path?token=secret"))
    }
    #expect(error?.kind == .refused)
    #expect(error?.message == "No server answers at http://127.0.0.78:\(port).")
    #expect(error.map { "\($0)" }?.contains("secret") == false)
  }

  @Test func `does not wait longer than it was told`() async throws {
    let raw = try RawServer([.bytesThenSilence("")])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest("GET", raw.url, timeout: .milliseconds(80)))
    }
    #expect(error?.kind == .timedOut)
    raw.hangUp()
  }

  @Test func `ends at once when its task is cancelled`() async throws {
    let raw = try RawServer([.bytesThenSilence("HTTP/1.1 200 OK\r\n")])
    let kind = await withTaskGroup(of: HTTPError.Kind?.self) { group in
      group.addTask {
        do throws(HTTPError) {
          _ = try await client.send(HTTPRequest("GET", raw.url, timeout: .seconds(50)))
          return nil
        } catch {
          return error.kind
        }
      }
      while raw.heard.isEmpty { await Task.yield() }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(kind == .cancelled)
    raw.hangUp()
  }

  @Test func `does not start for a task that is cancelled already`() async throws {
    let raw = try RawServer([.bytes("HTTP/1.1 200 OK\r\n\r\n")])
    let kind = await withTaskGroup(of: HTTPError.Kind?.self) { group in
      group.cancelAll()
      group.addTask {
        do throws(HTTPError) {
          _ = try await client.send(HTTPRequest("GET", raw.url))
          return nil
        } catch {
          return error.kind
        }
      }
      return await group.next() ?? nil
    }
    #expect(kind == .cancelled)
    #expect(raw.heard.isEmpty)
  }

  @Test func `does not start for such a task while others are under way either`() async throws {
    let server = HTTPServer { _ in ServerResponse(text: "x") }
    try await server.withRunning { address in
      for _ in 0..<50 {
        _ = try await client.send(HTTPRequest("GET", address.url))
        let kind = await withTaskGroup(of: HTTPError.Kind?.self) { group in
          group.cancelAll()
          group.addTask {
            do throws(HTTPError) {
              _ = try await client.send(HTTPRequest("GET", address.url))
              return nil
            } catch {
              return error.kind
            }
          }
          return await group.next() ?? nil
        }
        #expect(kind == .cancelled)
      }
    }
  }

  @Test func `keeps nothing of an exchange that has ended, whatever its end was`() async throws {
    let raw = try RawServer([.bytesThenSilence("")])
    let server = HTTPServer { _ in ServerResponse(body: [UInt8](repeating: 1, count: 1001)) }
    try await server.withRunning { address in
      _ = try await client.send(HTTPRequest("GET", address.url))
      #expect(client.engine.openCount == 0)
      for request in [
        HTTPRequest("GET", address.url, maximumBodyBytes: 1000), HTTPRequest("GET", raw.url, timeout: .milliseconds(1)),
      ] {
        await #expect(throws: HTTPError.self) { try await client.send(request) }
        #expect(client.engine.openCount == 0)
      }
      let task = Task { try await client.send(HTTPRequest("GET", raw.url, timeout: .seconds(50))) }
      while client.engine.openCount == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: HTTPError.self) { try await task.value }
      #expect(client.engine.openCount == 0)
    }
    raw.hangUp()
  }

  @Test func `goes on without its task where it is told to`() async throws {
    let server = HTTPServer { _ in ServerResponse(text: "x") }
    try await server.withRunning { address in
      var request = HTTPRequest("GET", address.url)
      request.endsWithCaller = false
      let sent = request
      let status = await withTaskGroup(of: Int?.self) { group in
        group.cancelAll()
        group.addTask { try? await client.send(sent).status }
        return await group.next() ?? nil
      }
      #expect(status == 200)
    }
  }

  @Test func `stops reading a body that is too large`() async throws {
    let server = HTTPServer { _ in ServerResponse(body: [UInt8](repeating: 1, count: 1001)) }
    try await server.withRunning { address in
      let error = await #expect(throws: HTTPError.self) {
        try await client.send(HTTPRequest("GET", address.url, maximumBodyBytes: 1000))
      }
      #expect(error?.kind == .tooLarge)
      let response = try await client.send(HTTPRequest("GET", address.url, maximumBodyBytes: 1001))
      #expect(response.body.count == 1001)
    }
  }

  @Test(arguments: [
    ("SSH-2.0-OpenSSH_9.2\r\n\r\n", HTTPError.Kind.invalidResponse), ("", .connectionLost),
    ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .connectionLost),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", .connectionLost),
    ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", .undecodableBody),
  ])
  func `survives what is not HTTP`(bytes: String, kind: HTTPError.Kind) async throws {
    let raw = try RawServer([.bytes(bytes), .bytes(bytes)])
    let error = await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("GET", raw.url)) }
    #expect(error?.kind == kind)
  }

  @Test func `reads a long header field`() async throws {
    let value = String(repeating: "y", count: 90_000)
    let raw = try RawServer([.bytes("HTTP/1.1 200 OK\r\nX: \(value)\r\nContent-Length: 0\r\n\r\n")])
    let response = try await client.send(HTTPRequest("GET", raw.url))
    let isWhole = response.headers["x"] == value
    #expect(isWhole)
  }

  @Test func `takes the last of several headers, and the values without the space around them`() async throws {
    let answer =
      "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 201 Created\r\nX-A: \t b: c \t\r\nX-Empty:\r\n"
      + "Content-Length: 2\r\n\r\nok"
    let raw = try RawServer([.bytes(answer), .bytes(answer)])
    let response = try await client.send(HTTPRequest("GET", raw.url))
    #expect(response.status == 201 && response.text == "ok" && response.headers["X-Early"] == nil)
    #expect(response.headers["X-A"] == "b: c" && response.headers["X-Empty"] == "")
    let stream = try await client.stream(HTTPRequest("GET", raw.url))
    #expect(stream.response.status == 201 && stream.response.headers["X-Early"] == nil)
    #expect(try await stream.next() == Array("ok".utf8))
  }

  @Test func `sends its own fields unless they are given, and nothing that was not asked for`() async throws {
    let answer = RawServer.Answer.bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let raw = try RawServer([answer, answer])
    let body = [UInt8](repeating: 7, count: 1_000)
    _ = try await client.send(HTTPRequest("POST", raw.url, headers: ["X-Empty": ""], body: body))
    _ = try await client.send(HTTPRequest("GET", raw.url, headers: ["user-agent": "other", "Expect": "x"]))
    let heard = raw.heard.map { $0.lowercased().split(separator: "\r\n").map(String.init) }
    try #require(heard.count == 2)
    #expect(heard[0].contains("user-agent: annex") && heard[0].contains("x-empty:"))
    #expect(heard[0].contains("content-length: 1000"))
    #expect(!heard[0].contains { $0.hasPrefix("content-type") || $0.hasPrefix("expect") })
    #expect(heard[1].filter { $0.hasPrefix("user-agent") } == ["user-agent: other"] && heard[1].contains("expect: x"))
    var configuration = HTTPServer.Configuration()
    configuration.maximumBodyBytes = 4 << 20
    try await HTTPServer(configuration: configuration) {
      ServerResponse(text: "\($0.header("Expect") ?? "-") \($0.body.count)")
    }.withRunning { address in
      // So large that curl by itself would ask before.
      let large = [UInt8](repeating: 7, count: 3 << 20)
      let response = try await client.send(HTTPRequest("POST", address.url, body: large))
      #expect(response.text == "- \(3 << 20)")
    }
  }

  @Test func `has the limits of its configuration where a request has none`() async throws {
    var configuration = HTTPClient.Configuration()
    #expect(configuration.connectTimeout == .seconds(15) && configuration.timeout == .seconds(15))
    #expect(configuration.maximumBodyBytes == 64 << 20 && configuration.userAgent == "annex")
    configuration.maximumBodyBytes = 10
    configuration.timeout = .seconds(50)
    let client = HTTPClient(configuration: configuration)
    let server = HTTPServer { ServerResponse(text: $0.path) }
    try await server.withRunning { address in
      for (path, isTaken) in [("/345678910", true), ("/345678910x", false)] {
        let kind = await failure { try await client.send(HTTPRequest("GET", address.url + path)) }
        #expect(kind == (isTaken ? nil : .tooLarge))
        // What a request says counts, whatever the client would allow.
        let own = HTTPRequest("GET", address.url + path, maximumBodyBytes: isTaken ? 9 : 11)
        let ownKind = await failure { try await client.send(own) }
        #expect(ownKind == (isTaken ? .tooLarge : nil))
      }
    }
    configuration.timeout = .milliseconds(50)
    let hasty = HTTPClient(configuration: configuration)
    let raw = try RawServer([.bytesThenSilence(""), .bytesThenSilence("")])
    defer { raw.hangUp() }
    let late = await failure { try await hasty.send(HTTPRequest("GET", raw.url)) }
    #expect(late == .timedOut)
    // Less than curl can count is not no limit.
    let short = HTTPRequest("GET", raw.url, timeout: .microseconds(300))
    let never = await failure { try await client.send(short) }
    #expect(never == .timedOut)
  }

  private func failure(_ body: () async throws -> HTTPResponse) async -> HTTPError.Kind? {
    do {
      _ = try await body()
      return nil
    } catch {
      return (error as? HTTPError)?.kind
    }
  }

  @Test func `reads headers of 256 KiB, and not one byte more`() async throws {
    func answer(_ count: Int) -> String {
      let (start, end) = ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "\r\n")
      let line = "X: \(String(repeating: "y", count: 995))\r\n"
      let whole = (count - start.utf8.count - end.utf8.count - 5) / line.utf8.count
      let rest = count - start.utf8.count - end.utf8.count - whole * line.utf8.count
      return start + String(repeating: line, count: whole) + "Z: " + String(repeating: "y", count: rest - 5) + "\r\n"
        + end
    }
    for (count, isTaken) in [(256 << 10, true), ((256 << 10) + 1, false)] {
      let text = answer(count)
      #expect(text.utf8.count == count)
      let raw = try RawServer([.bytes(text), .bytes(text)])
      let kind = await failure { try await client.send(HTTPRequest("GET", raw.url)) }
      #expect(kind == (isTaken ? nil : .tooLarge))
    }
  }

  @Test func `refuses a header without end`() async throws {
    let fields = (0..<400).map { "X-\($0): \(String(repeating: "y", count: 1000))\r\n" }.joined()
    let raw = try RawServer([.bytes("HTTP/1.1 200 OK\r\n\(fields)\r\n")])
    let error = await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("GET", raw.url)) }
    #expect(error?.kind == .tooLarge || error?.kind == .connectionLost)
  }

  @Test(arguments: [
    "", "nonsense", "ftp://127.0.0.1/", "file:///etc/passwd", "http://", "http://user:pass@127.0.0.1/",
    "http://127.0.0.1:99999/", "http://127.0.0.1/a b", "http://127.0.0.1/\u{0}", "gopher://x",
  ])
  func `refuses a URL that it cannot send`(url: String) async {
    let error = await #expect(throws: HTTPError.self) { try await client.send(HTTPRequest("GET", url)) }
    #expect(error?.kind == .invalidURL)
  }

  @Test(arguments: [
    HTTPRequest("GET ", "http://127.0.0.1/"), HTTPRequest("", "http://127.0.0.1/"),
    HTTPRequest("GET", "http://127.0.0.1/", headers: ["X": "a\r\nEvil: 1"]),
    HTTPRequest("GET", "http://127.0.0.1/", headers: ["X Y": "a"]),
    HTTPRequest("GET", "http://127.0.0.1/", headers: ["": "a"]),
  ])
  func `refuses fields that would change the request`(request: HTTPRequest) async {
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `has a recovery for every kind of error`() {
    for kind in HTTPError.Kind.allCases {
      #expect(!HTTPError.testing(kind).recovery.isEmpty)
    }
  }
}

extension HTTPError {
  fileprivate static func testing(_ kind: Kind) -> HTTPError { HTTPError(kind, "A sentence.", url: "http://x/") }
}
