import AppExtensions
import ContentServices
import ExtensionHosting
import HTTPServer
import HostServices
import JSON
import Synchronization
import Testing

@testable import ExtensionTesting

/// What the host makes of the answers of an AEM, and what it logs.
@Suite(.timeLimit(.minutes(1)))
struct `An answer of an AEM` {
  private static let entitled = Caller.Identity.testing(entitlements: ["content"])
  private static let query = "wknd-shared/adventures-all"

  /// Gives its responses one after the other, and the last again and again.
  private final class Script: Sendable {
    private let left: Mutex<[ServerResponse]>
    let count = Mutex(0)

    init(_ responses: [ServerResponse]) { left = Mutex(responses) }

    func next() -> ServerResponse {
      count.withLock { $0 += 1 }
      return left.withLock { $0.count > 1 ? $0.removeFirst() : $0.first } ?? ServerResponse(status: 500)
    }
  }

  private static func json(_ text: String, _ fields: ServerField...) -> ServerResponse {
    ServerResponse(
      headers: [ServerField("Content-Type", "application/json")] + fields, body: Array(text.utf8))
  }

  /// The answers to an extension's calls, each the value or the error, and how often the server was asked.
  private func ask(
    _ refreshes: [Bool?], log: KeptLog = KeptLog(), answers: ServerResponse...
  ) async throws -> (answers: [Result<Content.Execute.Result, ExtensionError>], count: Int) {
    let script = Script(answers)
    let folder = try TestFolder()
    defer { folder.remove() }
    let found = Mutex<[Result<Content.Execute.Result, ExtensionError>]>([])
    try await HTTPServer { _ in script.next() }.withRunning { address in
      let configuration = try ContentService.Configuration(scheme: "http", host: "127.0.0.1:\(address.port)")
      let service = ContentService(state: folder.state, configuration: configuration, log: log)
      let results = try await TestHost(services: [service]).inWidget(as: Self.entitled) { context in
        var results: [Result<Content.Execute.Result, ExtensionError>] = []
        for refresh in refreshes {
          do throws(ExtensionError) {
            results.append(.success(try await context.call(Content.Execute(query: Self.query, refresh: refresh))))
          } catch {
            results.append(.failure(error))
          }
        }
        return results
      }
      found.withLock { $0 = results }
    }
    return (found.withLock { $0 }, script.count.withLock { $0 })
  }

  @Test func `is whole, and then nothing is logged`() async throws {
    let log = KeptLog()
    let found = try await ask([nil], log: log, answers: Self.json(#"{"data":{"a":1}}"#))
    #expect(try found.answers[0].get() == Content.Execute.Result(data: ["a": 1], source: .network))
    #expect(log.lines.isEmpty && found.count == 1)
  }

  @Test func `that is not whole has its errors, and is logged`() async throws {
    let log = KeptLog()
    let text =
      #"{"data":{"a":null},"errors":[{"message":"half","path":["a",1],"extensions":{"code":"X"}},{"message":"all"}]}"#
    let result = try await ask([nil], log: log, answers: Self.json(text)).answers[0].get()
    #expect(result.data == ["a": .null])
    #expect(
      result.errors == [
        Content.QueryError(message: "half", path: ["a", 1], extensions: ["code": "X"]),
        Content.QueryError(message: "all"),
      ])
    #expect(log.lines.map(\.message) == ["An answer of AEM is not whole."])
    #expect(log.lines.first?.level == .warning && log.lines.first?.metadata["query"] == .string(Self.query))
  }

  @Test func `is kept while it is fresh, where nobody asks for another`() async throws {
    let fresh = ServerField("Cache-Control", "max-age=3600")
    let found = try await ask(
      [nil, nil, false, true, nil],
      answers: Self.json(#"{"data":{"a":1}}"#, fresh), Self.json(#"{"data":{"a":2}}"#, fresh))
    let results = try found.answers.map { try $0.get() }
    #expect(results.map { $0.data["a"] } == [1, 1, 1, 2, 2])
    #expect(results.map(\.source) == [.network, .cache, .cache, .network, .cache])
    #expect(found.count == 2)
  }

  @Test func `that is old stands in for a failure, with a warning`() async throws {
    let log = KeptLog()
    // What asks for more patience than there is is not asked again.
    let busy = ServerResponse(status: 503, headers: [ServerField("Retry-After", "3600")])
    let found = try await ask(
      [nil, nil, true], log: log,
      answers: Self.json(#"{"data":{"a":1}}"#, ServerField("Cache-Control", "max-age=0, stale-if-error=3600")), busy)
    #expect(try found.answers[0].get().source == .network)
    let old = try found.answers[1].get()
    #expect(old.data == ["a": 1] && old.source == .stale)
    #expect(log.lines.count == 1 && log.lines.first?.message.hasPrefix("Old content: ") == true)
    #expect(log.lines.first?.metadata["query"] == .string(Self.query))
    guard case .failure(let error) = found.answers[2] else {
      Issue.record("Who asks for another gets none that is old.")
      return
    }
    #expect(error.code == .contentFailed && error.details["kind"] == "serverError")
    #expect(error.details["httpStatus"] == 503 && error.details["isLocal"] == true)
  }

  @Test func `that there is none of is a failure with the status`() async throws {
    let found = try await ask([nil], answers: ServerResponse(status: 404, text: "no"))
    guard case .failure(let error) = found.answers[0] else {
      Issue.record("There is an answer.")
      return
    }
    #expect(error.code == .contentFailed && error.details["kind"] == "notFound")
    #expect(error.details["httpStatus"] == 404 && error.recovery != nil)
  }
}

/// What of a picture may be asked for.
@Suite(.timeLimit(.minutes(1)))
struct `A picture of content` {
  private static let entitled = Caller.Identity.testing(entitlements: ["content"])

  private func refusal(of asked: Content.Image, hasPictures: Bool = true) async throws -> ExtensionError? {
    let image: ContentService.FetchImage = { _ in
      ContentPicture(bytes: [1], mimeType: "image/png", source: .cache)
    }
    let service = ContentService(
      fetch: { _ in throw ExtensionError(.internalError, "Nobody asked.") }, image: hasPictures ? image : nil)
    return try await TestHost(services: [service]).inWidget(as: Self.entitled) { context in
      do throws(ExtensionError) {
        _ = try await context.call(asked)
        return nil
      } catch {
        return error
      }
    }
  }

  private static let side = Content.Image.longestSide

  @Test(arguments: [
    Content.Image(path: "/"), Content.Image(path: String(repeating: "é", count: 4_096)), Content.Image(path: "/a b"),
    Content.Image(path: "/a", width: 1), Content.Image(path: "/a", width: side, height: side),
    Content.Image(path: "/a", height: 1), Content.Image(path: "/a", quality: 1),
    Content.Image(path: "/a", quality: 100),
  ])
  func `may be as large and as small as this`(asked: Content.Image) async throws {
    #expect(try await refusal(of: asked) == nil)
  }

  @Test(
    arguments: [
      (Content.Image(path: String(repeating: "é", count: 4_096) + "a"), "path"),
      (Content.Image(path: "/a\u{1F}"), "path"), (Content.Image(path: "\u{0}"), "path"),
      (Content.Image(path: "/a", width: side + 1), "width"), (Content.Image(path: "/a", width: 0), "width"),
      (Content.Image(path: "/a", width: 1, height: side + 1), "height"),
      (Content.Image(path: "/a", height: 0), "height"), (Content.Image(path: "/a", quality: 0), "quality"),
      (Content.Image(path: "/a", width: 0, quality: 0), "width"),
    ] as [(Content.Image, String)])
  func `may not be larger or smaller`(asked: Content.Image, what: String) async throws {
    let error = try await refusal(of: asked)
    #expect(error?.code == .invalidParams && error?.message.contains(what) == true)
  }

  @Test func `is none where the embedder has none`() async throws {
    #expect(try await refusal(of: Content.Image(path: "/a"), hasPictures: false)?.code == .serviceUnavailable)
  }

  @Test func `comes of a server that can be named and asked`() throws {
    typealias Configuration = ContentService.Configuration
    let wrong: [(String, String, Configuration.Authentication)] = [
      ("", "127.0.0.1", .none), ("https", "", .token("t")), ("ftp", "127.0.0.1", .none), ("http", "a b", .none),
      ("http", "a/b", .none), ("http", "a", .token("")),
      ("http", "a", .basic(user: "", password: "p")), ("http", "a", .basic(user: "a:b", password: "p")),
      ("http", "a", .basic(user: "a", password: "\n")),
    ]
    for (scheme, host, authentication) in wrong {
      let error = #expect(throws: ExtensionError.self) {
        try Configuration(scheme: scheme, host: host, authentication: authentication)
      }
      #expect(error?.code == .invalidParams && error?.recovery?.isEmpty == false, "\(scheme) \(host)")
    }
    for authentication in [.none, .token("t"), .basic(user: "a", password: "")] as [Configuration.Authentication] {
      #expect(try Configuration(host: "a:8443", authentication: authentication).warnings == [])
    }
  }
}
