import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import HTTPServer
import HostServices
import NetworkServices
import Synchronization
import Testing

/// A server for the requests of extensions, which says what it was asked. Behind the gate is what takes its time.
private func server(_ gate: Gate = Gate()) -> HTTPServer {
  HTTPServer { request in await answer(request, gate) }
}

private func answer(_ request: ServerRequest, _ gate: Gate) async -> ServerResponse {
  switch request.path {
  case "/bytes": return ServerResponse(body: [0, 255, 1, 254])
  case "/large": return ServerResponse(text: String(repeating: "0123456789abcdef", count: 1 << 16))
  case "/missing": return ServerResponse(status: 404, text: "no")
  case "/cookie":
    return ServerResponse(headers: [
      ServerField("Set-Cookie", "id=7"), ServerField("X-A", "1"), ServerField("X-A", "2"),
    ])
  case "/loop": return ServerResponse(status: 302, headers: [ServerField("Location", "/loop")])
  case "/away":
    let target = request.query?.removingPercentEncoding ?? ""
    return ServerResponse(status: 307, headers: [ServerField("Location", target)])
  case "/never":
    await gate.wait()
    return ServerResponse(status: 500)
  default:
    let names = ["Authorization", "X-Api-Key", "Accept", "X-Own", "User-Agent"]
    let fields = names.map { "\($0)=\(request.header($0) ?? "-")" }.joined(separator: " ")
    let body = String(decoding: request.body, as: UTF8.self)
    return ServerResponse(text: "\(request.method) \(request.path) \(body) \(fields)")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A request through the host` {
  static func identity(_ hosts: String..., point: ExtensionPoint = .today) -> Caller.Identity {
    .testing(point: point, permissions: [AskedPermission("network", scope: hosts)])
  }

  let host = TestHost(services: [NetworkService()], consent: .grant)

  /// Runs a closure inside a widget that may ask a server, whose URL it gets.
  private func inWidget<Value: Sendable>(
    naming hosts: [String] = ["127.0.0.1:*"],
    _ body: @escaping @Sendable (ExtensionContext, String) async throws -> Value
  ) async throws -> Value {
    let identity = Caller.Identity.testing(permissions: [AskedPermission("network", scope: hosts)])
    let gate = Gate()
    return try await server(gate).withRunning { address in
      defer { gate.open() }
      return try await host.inWidget(as: identity) { try await body($0, address.url) }
    }
  }

  /// The error that a request ends with.
  private func failure(
    of fetch: @escaping @Sendable (String) -> Network.Fetch, naming hosts: [String] = ["127.0.0.1:*"]
  ) async throws -> ExtensionError {
    try await inWidget(naming: hosts) { context, url in
      do {
        let answer = try await context.fetch(fetch(url))
        throw Unrefused(answer: "\(answer)")
      } catch let error as ExtensionError {
        return error
      }
    }
  }

  private struct Unrefused: Error { var answer: String }

  @Test func `brings status, header and text`() async throws {
    let answer = try await inWidget { context, url in
      try await context.fetch("\(url)/x?y=z", headers: ["Accept": "text/plain"])
    }
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    #expect(answer.body.text == "GET /x  Authorization=- X-Api-Key=- Accept=text/plain X-Own=- User-Agent=annex")
    #expect(answer.bytes == answer.body.text?.utf8.count)
    #expect(answer.finalURL.hasSuffix("/x?y=z"))
  }

  @Test func `answers with every status, without cookies, and joins fields of one name`() async throws {
    let answers = try await inWidget { context, url in
      [try await context.fetch("\(url)/missing"), try await context.fetch("\(url)/cookie")]
    }
    #expect(answers.map(\.status) == [404, 200])
    #expect(answers[1].headers["x-a"] == "1, 2")
    #expect(answers[1].headers["set-cookie"] == nil)
  }

  @Test func `brings bytes that are no text as base64`() async throws {
    let (answer, bytes) = try await inWidget { context, url in
      let answer = try await context.fetch("\(url)/bytes")
      return (answer, try context.bytes(of: answer))
    }
    #expect(answer.body.text == nil)
    #expect(bytes == [0, 255, 1, 254])
  }

  @Test func `brings what is large as a file of the scratch directory`() async throws {
    let bytes = try await inWidget { context, url in
      let answer = try await context.fetch(Network.Fetch(url: "\(url)/large", delivery: .file))
      #expect(answer.bytes == 1 << 20)
      #expect(answer.body.file?.contains("/") == false)
      return try context.bytes(of: answer)
    }
    #expect(bytes.count == 1 << 20)
    #expect(bytes.suffix(4) == Array("cdef".utf8))
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func `carries a body of each kind`(method: String) async throws {
    let texts = try await inWidget { context, url in
      let scratch = try #require(context.host?.directories.scratch)
      try Data("file".utf8).write(to: URL(filePath: "\(scratch)/note.txt"))
      var texts: [String?] = []
      for body in [Network.Body(text: "text"), Network.Body(base64: "Ynl0ZXM="), Network.Body(file: "note.txt")] {
        texts.append(try await context.fetch(Network.Fetch(url: url, method: method, body: body)).body.text)
      }
      return texts
    }
    #expect(
      zip(texts, ["text", "bytes", "file"]).allSatisfy { $0?.hasPrefix("\(method) / \($1) ") == true }, "\(texts)")
  }

  @Test(arguments: [
    Network.Body(), Network.Body(text: "a", base64: "YQ=="), Network.Body(base64: "a"), Network.Body(file: "../x"),
    Network.Body(file: "/etc/passwd"), Network.Body(file: "a/b"), Network.Body(file: "none"), Network.Body(file: ""),
    Network.Body(file: "link"), Network.Body(file: "pipe"), Network.Body(file: "folder"),
  ])
  func `refuses a body that is none`(body: Network.Body) async throws {
    let error = try await inWidget { context, url in
      let scratch = try #require(context.host?.directories.scratch)
      try FileManager.default.createSymbolicLink(atPath: "\(scratch)/link", withDestinationPath: "/etc/passwd")
      #expect(mkfifo("\(scratch)/pipe", 0o600) == 0)
      try FileManager.default.createDirectory(atPath: "\(scratch)/folder", withIntermediateDirectories: false)
      return await #expect(throws: ExtensionError.self) {
        try await context.fetch(Network.Fetch(url: url, method: "POST", body: body))
      }
    }
    #expect(error?.code == .invalidParams)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "javascript:alert(1)", "", "127.0.0.1", "//x",
    "http://user:secret@127.0.0.1/", "http://127.0.0.1/\r\nX-A: b", "http://127.0.0.1/a b", "http://127.0.0.1/é",
    "http://127.0.0.1\u{0}.example/",
  ])
  func `refuses what is no http URL`(url: String) async throws {
    let error = try await failure(of: { _ in Network.Fetch(url: url) })
    #expect(error.code == .invalidParams)
  }

  @Test(arguments: [
    "http://localhost:1/", "https://127.0.0.2/", "http://example.com/", "https://127.0.0.1.example.com/",
    "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/",
  ])
  func `goes only to servers that the manifest names`(url: String) async throws {
    let error = try await failure(of: { _ in Network.Fetch(url: url) })
    #expect(error.code == .permissionDenied)
    #expect(error.details["server"] != nil)
    #expect(error.recovery?.contains("Annex.Network") == true)
  }

  @Test func `does not reach this machine under a name that the manifest has for another`() async throws {
    // RFC 6761: names below localhost are this machine, whoever is asked.
    let hosts = ["http://rebound.localhost:*"]
    let error = try await failure(
      of: { Network.Fetch(url: $0.replacing("127.0.0.1", with: "rebound.localhost")) }, naming: hosts)
    #expect(error.code == .networkFailed)
    #expect(error.details["kind"] == "address")
    let answer = try await inWidget(naming: ["localhost:*"]) { context, url in
      try await context.fetch(url.replacing("127.0.0.1", with: "localhost"))
    }
    #expect(answer.status == 200)
  }

  @Test(arguments: [
    "http://localhost:1/", "http://127.0.0.2:1/", "file:///etc/passwd", "https://example.com/",
    "http://169.254.169.254/",
    "gopher://127.0.0.1/", "http://user@127.0.0.1/",
  ])
  func `is not led by a redirect to where it may not go`(target: String) async throws {
    let error = try await failure(of: { Network.Fetch(url: "\($0)/away?\(target)") })
    #expect(error.code == .networkFailed)
    #expect(error.details["kind"] == "redirect")
  }

  @Test func `follows five redirects and no more`() async throws {
    let error = try await failure(of: { Network.Fetch(url: "\($0)/loop") })
    #expect(error.details["kind"] == "redirect")
    let answer = try await inWidget { context, url in try await context.fetch("\(url)/away?/end") }
    #expect(answer.body.text?.hasPrefix("GET /end") == true)
    #expect(answer.finalURL.hasSuffix("/end"))
  }

  @Test func `keeps what proves who asks to the server that it is for`() async throws {
    let headers = ["Authorization": "Bearer a", "X-Api-Key": "b", "Accept": "c"]
    let texts = try await inWidget { context, url in
      try await server().withRunning { other in
        let same = try await context.fetch("\(url)/away?/end", headers: headers)
        let another = try await context.fetch("\(url)/away?\(other.url)/end", headers: headers)
        return [same.body.text, another.body.text]
      }
    }
    #expect(texts[0]?.contains("Authorization=Bearer a X-Api-Key=b Accept=c") == true, "\(texts)")
    #expect(texts[1]?.contains("Authorization=- X-Api-Key=- Accept=c") == true, "\(texts)")
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func `is led to another server by no redirect when it changes something`(method: String) async throws {
    let asked = Mutex<[String]>([])
    let other = HTTPServer { request in
      asked.withLock { $0.append(request.path) }
      return ServerResponse()
    }
    try await other.withRunning { other in
      let error = try await failure(of: {
        Network.Fetch(url: "\($0)/away?\(other.url)/end", method: method, body: Network.Body(text: "secret"))
      })
      #expect(error.code == .networkFailed && error.details["kind"] == "redirect")
    }
    #expect(asked.withLock { $0 } == [])
    let same = try await inWidget { context, url in
      try await context.fetch(
        Network.Fetch(
          url: "\(url)/away?/end", method: method, headers: ["X-Own": "own"], body: Network.Body(text: "text")))
    }
    #expect(same.body.text?.hasPrefix("\(method) /end text") == true && same.body.text?.contains("X-Own=own") == true)
  }

  @Test func `takes to another server neither the body nor what it was not asked for`() async throws {
    let text = try await inWidget { context, url in
      try await server().withRunning { other in
        try await context.fetch(
          Network.Fetch(
            url: "\(url)/away?\(other.url)/end",
            headers: ["X-Own": "own", "Accept": "c", "Content-Type": "text/plain"],
            body: Network.Body(text: "secret"))
        ).body.text
      }
    }
    #expect(text?.hasPrefix("GET /end  ") == true && text?.contains("Accept=c X-Own=-") == true, "\(text ?? "")")
  }

  @Test(arguments: [
    ["A": "b\r\nC: d"], ["A": "b\nC: d"], ["A\r\nB": "c"], ["A: B": "c"], ["": "c"], ["A": "b\u{0}"], ["Host": "x"],
    ["hOST": "x"], ["Cookie": "a=b"], ["Connection": "close"], ["Proxy-Authorization": "x"], ["Content-Length": "1"],
    ["Annex-Fetch": "0"], ["annex-fetch": ""], ["Transfer-Encoding": "chunked"], ["Upgrade": "x"],
    ["Expect": "100-continue"], ["TE": "x"],
  ])
  func `refuses header fields that are not an extension's to send`(headers: [String: String]) async throws {
    let error = try await failure(of: { Network.Fetch(url: $0, headers: headers) })
    #expect(error.code == .invalidParams)
  }

  @Test(arguments: ["CONNECT", "TRACE", "get", "GET / HTTP/1.1\r\nX:", ""])
  func `refuses other methods`(method: String) async throws {
    #expect(try await failure(of: { Network.Fetch(url: $0, method: method) }).code == .invalidParams)
  }

  @Test func `has bounds for what comes back and for its time`() async throws {
    let large = try await failure(of: { Network.Fetch(url: "\($0)/large") })
    #expect(large.details["kind"] == "tooLarge")
    #expect(large.recovery?.contains("file") == true)
    let few = try await failure(of: { Network.Fetch(url: "\($0)/large", maxBytes: 1000, delivery: .file) })
    #expect(few.details["kind"] == "tooLarge")
    let many = try await failure(of: { Network.Fetch(url: $0, maxBytes: 1 << 30, delivery: .file) })
    #expect(many.code == .limitExceeded)
    let body = Network.Body(text: String(repeating: "x", count: Network.inlineLimit + 1))
    #expect(try await failure(of: { Network.Fetch(url: $0, method: "POST", body: body) }).code == .limitExceeded)
    let headers = Dictionary(uniqueKeysWithValues: (0..<65).map { ("X-\($0)", "y") })
    #expect(try await failure(of: { Network.Fetch(url: $0, headers: headers) }).code == .limitExceeded)
    let slow = try await failure(of: { Network.Fetch(url: "\($0)/never", timeoutMs: 50) })
    #expect(slow.code == .networkFailed)
    #expect(slow.details["kind"] == "timeout")
    #expect(try await failure(of: { Network.Fetch(url: $0, timeoutMs: 0) }).code == .invalidParams)
  }

  @Test func `leaves nothing in the scratch directory when it fails`() async throws {
    let names = try await inWidget { context, url in
      let scratch = try #require(context.host?.directories.scratch)
      await #expect(throws: ExtensionError.self) {
        try await context.fetch(Network.Fetch(url: "\(url)/large", maxBytes: 1000, delivery: .file))
      }
      await #expect(throws: ExtensionError.self) {
        try await context.fetch(Network.Fetch(url: "\(url)/away?http://localhost:1/", delivery: .file))
      }
      return try FileManager.default.contentsOfDirectory(atPath: scratch).filter { $0.hasPrefix("fetched") }
    }
    #expect(names.isEmpty)
  }

  @Test func `says why there is no server`() async throws {
    let refused = try await failure(of: { _ in Network.Fetch(url: "http://127.0.0.1:1/") })
    #expect(refused.details["kind"] == "connect")
    let unknown = try await failure(
      of: { _ in Network.Fetch(url: "https://no-such-name.invalid/") }, naming: ["no-such-name.invalid"])
    #expect(unknown.details["kind"] == "dns")
  }

  @Test func `is one of at most eight at one time`() async throws {
    let codes = try await inWidget { context, url in
      await withTaskGroup(of: ExtensionError.Code?.self) { group in
        for _ in 0..<9 {
          group.addTask {
            do {
              _ = try await context.fetch(Network.Fetch(url: "\(url)/never", timeoutMs: 2000))
              return nil
            } catch {
              return ExtensionError(wrapping: error).code
            }
          }
        }
        // The ninth is refused at once; the others are not waited for.
        let first = await group.next() ?? nil
        group.cancelAll()
        return [first] + (await group.reduce(into: []) { $0.append($1) })
      }
    }
    #expect(codes.first == .limitExceeded)
    #expect(codes.filter { $0 == .limitExceeded }.count == 1)
    #expect(codes.dropFirst().allSatisfy { $0 == .cancelled || $0 == .networkFailed }, "\(codes)")
  }
}
