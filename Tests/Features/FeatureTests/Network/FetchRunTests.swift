import AppExtensions
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import HTTPServer
import JSONRPC
import Synchronization
import TestSupport
import Testing

@testable import ExtensionTesting
@testable import Fetching

/// Makes the attempts that a test asks for, and answers with the last one.
private enum Runs: ServiceContract {
  static let name = "runs"
  static let methods: [any RemoteMethod.Type] = [Attempt.self]

  struct Attempt: RemoteMethod {
    typealias Result = Network.Fetch.Result
    static let method = "runs/attempt"
    var url: String
    var delivery: Network.Delivery
    /// One for each attempt; an empty one is none.
    var tokens: [String]
  }
}

private struct RunService: HostService {
  typealias Contract = Runs

  @HandlerBuilder var handlers: [Handler] {
    Handler(answering: Runs.Attempt.self) { params, caller in
      let run = try FetchRun.testing(params.url, params.delivery, for: caller)
      for token in params.tokens.dropLast() { _ = try await run.attempt(token: token.isEmpty ? nil : token) }
      let last = params.tokens.last ?? ""
      return try run.answer(try await run.attempt(token: last.isEmpty ? nil : last))
    }
  }
}

extension FetchRun {
  fileprivate static func testing(_ url: String, _ delivery: Network.Delivery, for caller: Caller) throws -> FetchRun {
    let fetch = Network.Fetch(url: url, maxBytes: delivery == .inline ? nil : 8 << 20, delivery: delivery)
    let plan = try FetchPlan(fetch, rules: FetchRules(entries: ["127.0.0.1:*"])) { _ in [] }
    let client = HTTPClient.patient
    // A body that is streamed arrives as long as there is the client.
    return try FetchRun(plan, client: client, for: caller, holds: [client])
  }
}

/// One fetch of a caller, without a service around it: its redirects, what is looked at, and what is taken out.
@Suite(.timeLimit(.minutes(1)))
struct `A run of a fetch` {
  private static let deliveries: [Network.Delivery] = [.inline, .file, .stream]

  /// A server that says what the query asks for: `/hop?n` redirects n times, `/status?n` has a status and a body.
  private static func server(_ asked: AsyncStream<String>.Continuation? = nil, body: [UInt8] = Array("end".utf8))
    -> HTTPServer
  {
    HTTPServer { request in
      asked?.yield("\(request.path)?\(request.query ?? "")")
      let number = request.query.flatMap { Int($0) } ?? 0
      if request.path == "/hop", number > 0 {
        return ServerResponse(status: 302, headers: [ServerField("Location", "/hop?\(number - 1)")], body: body)
      }
      return ServerResponse(status: request.path == "/status" ? number : 200, body: body)
    }
  }

  /// Runs the body with a caller that may fetch.
  private func withCaller(_ body: (Caller) async throws -> Void) async throws {
    try await Stage(hasScratch: true).withPeer(PeerProbe()) { try await body($0.caller) }
  }

  /// The last answer of several attempts, and its body.
  private func answer(
    _ url: String, _ delivery: Network.Delivery, tokens: [String] = [""]
  ) async throws -> (Network.Fetch.Result, [UInt8]) {
    try await TestHost(services: [RunService()]).inWidget(as: .testing(entitlements: ["runs"])) { context in
      let answer = try await context.call(Runs.Attempt(url: url, delivery: delivery, tokens: tokens))
      guard let stream = answer.body.stream else { return (answer, try context.bytes(of: answer)) }
      return (answer, try await context.stream(stream).bytes(atMost: 16 << 20))
    }
  }

  @Test(arguments: deliveries) func `follows five redirects, and leaves at the sixth`(delivery: Network.Delivery)
    async throws
  {
    let (asked, ask) = AsyncStream.makeStream(of: String.self)
    try await Self.server(ask).withRunning { address in
      try await withCaller { caller in
        let last = try await FetchRun.testing("\(address.url)/hop?5", delivery, for: caller).attempt()
        #expect(last.response.status == 200 && last.response.url.hasSuffix("/hop?0"))
        let run = try FetchRun.testing("\(address.url)/hop?6", delivery, for: caller)
        let error = await #expect(throws: ExtensionError.self) { try await run.attempt() }
        #expect(error?.code == .networkFailed && error?.details["kind"] == "redirect")
        run.discard()
      }
    }
    ask.finish()
    let paths = await asked.reduce(into: [String]()) { $0.append($1) }
    #expect(paths == [5, 4, 3, 2, 1, 0, 6, 5, 4, 3, 2, 1].map { "/hop?\($0)" })
  }

  @Test func `looks at what a server says of a token, and at nothing else`() async throws {
    try await Self.server().withRunning { address in
      try await withCaller { caller in
        for delivery in Self.deliveries {
          for status in [200, 399, 400, 401, 402, 403, 404] {
            let isLookedAt = delivery != .stream || [400, 401, 403].contains(status)
            let run = try FetchRun.testing("\(address.url)/status?\(status)", delivery, for: caller)
            let with = try await run.attempt(token: "token-12345")
            #expect(with.response.status == status)
            #expect(with.evidence == (isLookedAt ? Array("end".utf8) : []), "\(delivery) \(status)")
            #expect(try await run.attempt().evidence == [])
            run.discard()
          }
        }
      }
    }
  }

  @Test func `looks at little more than 64 KiB of what is large`() async throws {
    let large = [UInt8](repeating: 7, count: 512 << 10)
    try await Self.server(body: large).withRunning { address in
      try await withCaller { caller in
        for delivery in [Network.Delivery.file, .stream] {
          let run = try FetchRun.testing("\(address.url)/status?403", delivery, for: caller)
          let count = try await run.attempt(token: "token-12345").evidence.count
          #expect(count > 1 << 16 && count < 1 << 18, "\(delivery) \(count)")
          run.discard()
        }
      }
    }
  }

  @Test func `takes every token that it sent out of the last answer, and lets what only begins like one stand`()
    async throws
  {
    let server = HTTPServer { request in
      let text = "\(request.header("Authorization") ?? "-") first-12345 second-12345 first-1234"
      return ServerResponse(
        status: 201,
        headers: [ServerField("X-Echo", text), ServerField("SET-COOKIE", "a=b"), ServerField("x-echo", "2")],
        body: Array(text.utf8))
    }
    let expected = "Bearer <redacted> <redacted> <redacted> first-1234"
    try await server.withRunning { address in
      for delivery in Self.deliveries {
        let (answer, bytes) = try await answer(
          "\(address.url)/?t=first-12345", delivery, tokens: ["first-12345", "second-12345"])
        #expect(answer.status == 201 && answer.headers["x-echo"] == "\(expected), 2")
        #expect(answer.headers["set-cookie"] == nil && answer.finalURL == "\(address.url)/?t=<redacted>")
        #expect(answer.bytes == (delivery == .stream ? nil : expected.utf8.count))
        #expect(String(decoding: bytes, as: UTF8.self) == expected, "\(delivery)")
      }
    }
  }

  @Test func `has the last answer alone, whole and in order, however many came before`() async throws {
    let body = (0..<1 << 18).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try await Self.server(body: body).withRunning { address in
      for (path, tokens) in [("hop?3", ["", ""]), ("status?403", ["token-1", "token-2"])] {
        for delivery in [Network.Delivery.file, .stream] {
          let (answer, bytes) = try await answer("\(address.url)/\(path)", delivery, tokens: tokens)
          #expect(bytes == body && answer.bytes == (delivery == .file ? body.count : nil), "\(path) \(delivery)")
        }
      }
    }
  }

  @Test func `has text inline where it is text, and base64 where it is not`() async throws {
    for (body, expected) in [
      (Array("é".utf8), Network.Body(text: "é")), ([0xC3], Network.Body(base64: "ww==")), ([], Network.Body(text: "")),
    ] as [([UInt8], Network.Body)] {
      try await Self.server(body: body).withRunning { address in
        let found = try await answer(address.url, .inline).0
        #expect(found.body == expected && found.bytes == body.count)
      }
    }
  }
}
