import EventLoop
import HTTPServer
import Synchronization
import TestSupport
import Testing

/// What a server answers to bytes of a client, and whether its handler saw a request.
private func answer(
  to bytes: String, _ door: Door = Door(), pieces: Int = 1
) async throws -> (status: String, text: String, isHandled: Bool) {
  let handled = Atomic(false)
  var configuration = HTTPServer.Configuration()
  configuration.door = door
  let server = HTTPServer(configuration: configuration) { _ in
    handled.store(true, ordering: .releasing)
    return ServerResponse(text: "fine")
  }
  var text = ""
  try await server.withRunning { address in
    let client = try RawClient(port: address.port)
    let all = Array(bytes.utf8)
    let size = max(1, (all.count + pieces - 1) / pieces)
    for start in stride(from: 0, to: all.count, by: size) {
      client.send(String(decoding: all[start..<min(all.count, start + size)], as: UTF8.self))
      if pieces > 1 { await Task.yield() }
    }
    text = await SystemThread.run(name: "raw-client") { client.received(silence: 20_000) }
  }
  let status = text.split(separator: " ").dropFirst().first.map(String.init) ?? "none"
  return (status, text, handled.load(ordering: .acquiring))
}

private func head(_ fields: String, _ method: String = "GET") -> String {
  "\(method) /a HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n\r\n"
}

@Suite(.timeLimit(.minutes(1)))
struct `The door of a server` {
  @Test(arguments: [
    "localhost", "localhost:80", "LOCALHOST:65535", "127.0.0.1:1", "[::1]", "[::1]:8080",
  ])
  func `opens for the names of this machine`(host: String) async throws {
    #expect(try await answer(to: head("Host: \(host)")).status == "200")
  }

  @Test(arguments: [
    "localhost:80@evil", "localhost@evil", "evil@localhost", "localhost:", "localhost:0", "localhost:65536",
    "localhost:80:80", "localhost/", "localhost:8o", "localhost,evil", "localhost evil", "localhost?", "localhost#a",
    "[::1", "[::1]80", "[::1]:", "[::1]evil", "", ":80", "localhost.", "localhost%00", "evil.example",
  ])
  func `stays shut for every other host`(host: String) async throws {
    let found = try await answer(to: head("Host: \(host)"))
    #expect(found.status == "421" || found.status == "400", "\(found.text)")
    #expect(!found.isHandled)
  }

  @Test(arguments: [
    "Host: localhost\u{0}.evil", "Host: localhost\u{0}", "Host: localhost\r\nX-A: b\u{0}c",
    "X-A: \u{0}\r\nHost: localhost", "X\u{0}-A: b\r\nHost: localhost", "Host: localhost\r\nX-A: b\u{0}\r\nX-C: d",
    "Host: localhost\u{0}\r\nX-A: b", "Host: localhost\nX-A: b", "X-A: b\nHost: localhost",
    "Host: localhost\r\nX-A: b\n c", "Host: localhost\r\n X-A: b",
  ])
  func `stays shut for a NUL in the header, and for a line that LF alone ends`(fields: String) async throws {
    let found = try await answer(to: head(fields))
    #expect(found.status == "400" || found.text.isEmpty, "\(found.text)")
    #expect(!found.isHandled)
  }

  @Test(arguments: [
    "GET /a\u{0}b HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.1\u{0}\r\nHost: localhost\r\n\r\n",
    "GE\u{0}T /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.1\nHost: localhost\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\n\n",
  ])
  func `stays shut for such a first or last line`(bytes: String) async throws {
    let found = try await answer(to: bytes)
    #expect(found.status == "400" || found.text.isEmpty, "\(found.text)")
    #expect(!found.isHandled)
  }

  @Test(arguments: [1, 2, 7, 60, 1_000])
  func `opens for a plain header, however it comes`(pieces: Int) async throws {
    let fields = (0..<60).map { "X-Field-\($0):  \(String(repeating: "v", count: $0 * 5))" }.joined(separator: "\r\n")
    let found = try await answer(
      to: head("Host: localhost\r\nX-Empty:\r\nCookie: a=b; c=d\r\n\(fields)"), pieces: pieces)
    #expect(found.status == "200", "\(found.text)")
    let query = "GET /a?b=c&d=%20e&f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    #expect(try await answer(to: query, pieces: min(pieces, 20)).status == "200")
  }

  @Test(arguments: ["3\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "3\r\nabc\n0\r\n\r\n"])
  func `takes no body in chunks, however their lines end`(body: String) async throws {
    let found = try await answer(to: head("Host: localhost\r\nTransfer-Encoding: chunked", "POST") + body)
    #expect(found.status == "411" && !found.isHandled, "\(found.text)")
  }

  // MARK: Pages

  private static let open = {
    var door = Door()
    door.allowedOrigins = ["https://app.example.com"]
    return door
  }()

  @Test(arguments: [
    ("Origin: http://localhost:1", "GET"), ("Origin: https://evil.example", "POST"), ("Origin: null", "POST"),
    ("Origin: https://app.example.com.evil", "POST"), ("Origin: http://app.example.com", "GET"),
    ("Origin: http://localhost", "POST"), ("Origin: https://localhost:80", "POST"),
    ("Origin: http://localhost:80\r\nOrigin: https://app.example.com", "GET"), ("Sec-Fetch-Site: cross-site", "GET"),
    ("Sec-Fetch-Site: same-site", "GET"), ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate", "GET"),
    ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe", "GET"),
    ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", "POST"),
    ("Sec-Fetch-Site: cross-site\r\nReferer: https://evil.example/a", "GET"),
    ("Sec-Fetch-Site: cross-site\r\nReferer: https://app.example.com@evil.example/", "GET"),
  ])
  func `stays shut for the pages of others`(fields: String, method: String) async throws {
    let found = try await answer(to: head("Host: localhost:80\r\n\(fields)\r\nContent-Length: 0", method), Self.open)
    #expect(["403", "400"].contains(found.status) && !found.isHandled, "\(found.text)")
    #expect(!found.text.lowercased().contains("access-control"))
  }

  @Test(arguments: [
    ("Origin: http://localhost:80", "POST"), ("Sec-Fetch-Site: same-origin", "POST"), ("Sec-Fetch-Site: none", "GET"),
    ("Origin: null\r\nSec-Fetch-Site: same-origin", "POST"), ("X-A: b", "POST"),
    ("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", "GET"),
    ("Sec-Fetch-Site: cross-site\r\nReferer: https://app.example.com/page", "GET"),
  ])
  func `opens for its own pages, programs, links, and pictures on pages that may ask`(
    fields: String, method: String
  ) async throws {
    let found = try await answer(to: head("Host: localhost:80\r\n\(fields)\r\nContent-Length: 0", method), Self.open)
    #expect(found.status == "200", "\(found.text)")
  }

  @Test func `tells a browser which pages may read the answer`() async throws {
    let fields = "Host: localhost\r\nOrigin: https://app.example.com"
    let found = try await answer(to: head(fields), Self.open)
    #expect(found.status == "200" && found.text.contains("Access-Control-Allow-Origin: https://app.example.com\r\n"))
    let asked = try await answer(
      to: head("\(fields)\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: x-a", "OPTIONS"),
      Self.open)
    #expect(asked.status == "204" && !asked.isHandled)
    #expect(asked.text.contains("Access-Control-Allow-Headers: x-a\r\n"))
    for (count, isEchoed) in [(4_096, true), (4_097, false)] {
      let names = String(repeating: "x", count: count)
      let long = try await answer(
        to: head(
          "\(fields)\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: \(names)", "OPTIONS"),
        Self.open)
      #expect(long.text.contains(names) == isEchoed && long.status == "204")
    }
  }

  @Test func `opens for pages of this machine where the server allows them`() async throws {
    var door = Door()
    door.allowsPagesOfThisMachine = true
    for origin in [
      "http://localhost:5173", "http://127.0.0.1", "http://app.localhost:1", "http://[::1]:80", "https://localhost:1",
    ] {
      #expect(try await answer(to: head("Host: localhost\r\nOrigin: \(origin)"), door).status == "200", "\(origin)")
    }
    for origin in [
      "http://localhost:80@evil.example", "http://localhost.evil", "file://localhost", "http://localhost/",
      "http://128.0.0.1",
    ] {
      #expect(try await answer(to: head("Host: localhost\r\nOrigin: \(origin)"), door).status == "403", "\(origin)")
    }
  }

  @Test func `stays shut for requests of extensions where the server wants none`() async throws {
    let bytes = head("Host: localhost\r\nannex-fetch: 1")
    #expect(try await answer(to: bytes).status == "200")
    var door = Door()
    door.admitsFetches = false
    #expect(try await answer(to: bytes, door).status == "403")
    #expect(try await answer(to: head("Host: localhost"), door).status == "200")
  }
}
