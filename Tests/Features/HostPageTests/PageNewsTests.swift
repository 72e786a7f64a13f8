import ExtensionProtocol
import Files
import HostServices
import TestSupport
import Testing

@testable import ExtensionHosting
@testable import HostPage

/// What the pages hear of, and how a browser hears of it.
@Suite(.timeLimit(.minutes(1)))
struct `What the pages hear` {
  @Test func `is every change between two looks, once and in order, and nothing of before`() async {
    struct Enough: Error {}
    let feed = PageFeed()
    let first = Task {
      while feed.count == 0 { await Task.yield() }
      feed.touch("c")
    }
    var heard: [[String]] = []
    do {
      try await feed.follow { topics in
        heard.append(topics)
        guard heard.count == 1 else { throw Enough() }
        for topic in ["b", "a", "b"] { feed.touch(topic) }
      }
      Issue.record("It goes on until its reader has enough.")
    } catch {}
    await first.value
    #expect(heard == [["c"], ["a", "b"]] && feed.count == 0)
  }

  private static let folders: [(folder: String, topics: [String])] = [
    ("", ["decisions", "extensions"]), ("health", ["extensions"]), ("statistics", ["extensions"]),
    ("snapshots", ["today"]),
  ]

  @Test(arguments: folders)
  func `is what happens in the folders of the host, of each its own`(folder: String, topics: [String]) async throws {
    let stage = try PageStage()
    for name in ["health", "statistics", "snapshots"] { _ = try stage.state.folder(name) }
    let place = folder.isEmpty ? stage.state.path : "\(stage.state.path)/\(folder)"
    let feed = PageFeed()
    let (lines, heard) = AsyncStream.makeStream(of: [String].self)
    let reader = Task { await feed.follow { heard.yield($0) } }
    while feed.count == 0 { await Task.yield() }
    let looking = FolderFeed(host: stage.host, feed: feed)
    let work = Task { await looking.run() }
    // It looks from some moment on.
    let writing = Task {
      while !Task.isCancelled {
        try File.replace("\(place)/note", with: [1])
        await Task.yield()
      }
    }
    var found: Set<String> = []
    for await line in lines {
      found.formUnion(line)
      if found.count >= topics.count { break }
    }
    writing.cancel()
    _ = await writing.result
    for task in [work, reader] { task.cancel() }
    for task in [work, reader] { await task.value }
    #expect(found.sorted() == topics)
  }

  @Test func `comes to a browser in a stream that goes on`() async throws {
    let questions = PageQuestions()
    try await ServedPage.run(try PageStage(), questions) { page in
      let browser = try page.client("GET \(page.path)live")
      let beginning = await browser.received(until: "retry: 1000\n\n")
      #expect(beginning.contains("Content-Type: text/event-stream; charset=utf-8\r\n"))
      #expect(beginning.contains("Cache-Control: no-store\r\n"))
      let asking = Task { await Self.ask(questions) }
      for _ in 0..<2 {
        #expect(await browser.received(until: "questions").contains(/data: ([a-z]+ )*questions/))
      }
      asking.cancel()
      await asking.value
    }
  }

  /// Asks, and gives up, again and again: each is news.
  private static func ask(_ questions: PageQuestions) async {
    let asked = PermissionQuestion(
      caller: Caller.Identity(
        id: "a", version: nil, displayName: "A", point: .today, containingApp: "", groups: [], entitlements: []),
      permission: .network, scope: [], reason: "")
    while !Task.isCancelled {
      let one = Task { await questions.ask(asked) }
      while questions.count == 0, !Task.isCancelled { await Task.yield() }
      one.cancel()
      _ = await one.value
    }
  }
}

/// A page as its configuration wants it.
@Suite(.timeLimit(.minutes(1)))
struct `A page that is served` {
  @Test(arguments: [false, true]) func `has its parts in order, and one for messages where they are kept`(
    isKept: Bool
  ) async throws {
    let stage = try PageStage { configuration in
      if isKept { configuration.recorder = FrameRecorder(limit: 1 << 20, keepsNewest: true) }
    }
    var configuration = PageService.Configuration()
    configuration.title = "Tides & more"
    try await ServedPage.run(stage, PageQuestions(), configuration) { page in
      #expect(page.address == "http://127.0.0.1:\(page.service.port ?? 0)")
      let text = try await page.client("GET \(page.path)today").received(until: "</html>")
      #expect(text.contains("<title>Today – Tides &amp; more</title>") && text.contains("<bdi>Clock</bdi>"))
      let menu = text.matches(of: /data-key="menu-([a-z]+)"/).map { String($0.output.1) }
      let parts = ["today", "share", "extensions", "decisions", "groups"]
      #expect(menu == parts + (isKept ? ["inspector"] : []))
    }
  }

  @Test func `is found at a socket of its own, by the name of the proxy before it`() async throws {
    let stage = try PageStage()
    var configuration = PageService.Configuration()
    configuration.socket = stage.folder.file("page.socket")
    configuration.origin = "https://page.example.com"
    try await ServedPage.run(stage, PageQuestions(), configuration) { page in
      #expect(page.address == "https://page.example.com" && page.service.port == nil && page.isSecure)
      #expect(FileStatus(stage.folder.file("page.socket")).map { $0.mode & 0o777 } == 0o600)
      let text = try await page.client("GET \(page.path)today").received(until: "</html>")
      #expect(text.contains("<title>Today – Annex</title>"))
      let other = try page.client("GET \(page.path)today", host: "other.example.com")
      #expect(await other.received(until: "\r\n\r\n").hasPrefix("HTTP/1.1 421 "))
    }
    #expect(FileStatus(stage.folder.file("page.socket")) == nil)
  }

  @Test func `is served once, and has addresses for as long`() async throws {
    let stage = try PageStage()
    let service = PageService(host: stage.host)
    func refusal() async -> ExtensionError? {
      await #expect(throws: ExtensionError.self) {
        try await service.run { address in Issue.record("It is served again, at \(address)") }
      }
    }
    #expect(service.newAddress() == nil && service.port == nil)
    let (addresses, found) = AsyncStream.makeStream(of: String.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await service.run { found.yield($0) } }
      let first = try #require(await addresses.first { _ in true })
      let refused = await refusal()
      #expect(refused?.code == .serviceUnavailable && refused?.message == "A PageService serves its page once.")
      // The first goes on, and each address opens the page for somebody else.
      let second = try #require(service.newAddress())
      let parts = [first, second].map { $0.split(separator: "#") }
      #expect(parts[0].first == parts[1].first && parts[0].last != parts[1].last)
      group.cancelAll()
    }
    #expect(service.newAddress() == nil && service.port == nil)
    #expect(await refusal()?.code == .serviceUnavailable)
  }

  @Test func `is not served behind what is no proxy`() async throws {
    let stage = try PageStage()
    for origin in ["page.example.com", "https://page.example.com/x", ""] {
      var configuration = PageService.Configuration()
      configuration.origin = origin
      let questions = PageQuestions()
      let service = PageService(host: stage.host, questions: questions, configuration: configuration)
      await #expect(throws: ExtensionError(.invalidParams, ""), "\(origin)") {
        try await service.run { _ in Issue.record("\(origin)") }
      }
      #expect(service.newAddress() == nil && service.port == nil)
    }
  }
}

/// A page while it is served, and a browser that has opened it.
private struct ServedPage: Sendable {
  let service: PageService
  let address: String
  let socket: String?
  let host: String
  let cookie: String
  let path: String
  let isSecure: Bool

  static func run(
    _ stage: PageStage, _ questions: PageQuestions, _ configuration: PageService.Configuration = .init(),
    _ body: (ServedPage) async throws -> Void
  ) async throws {
    let service = PageService(host: stage.host, questions: questions, configuration: configuration)
    let (addresses, found) = AsyncStream.makeStream(of: String.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await service.run { found.yield($0) } }
      var iterator = addresses.makeAsyncIterator()
      let parts = try #require(await iterator.next()).split(separator: "/#").map(String.init)
      try #require(parts.count == 2)
      let host = service.port.map { "127.0.0.1:\($0)" } ?? "page.example.com"
      func page(_ cookie: String, _ path: String, isSecure: Bool) -> ServedPage {
        ServedPage(
          service: service, address: parts[0], socket: configuration.socket, host: host, cookie: cookie, path: path,
          isSecure: isSecure)
      }
      let text = try await page("", "", isSecure: false).client("POST /enter", body: "token=\(parts[1])")
        .received(until: "\r\n\r\n")
      let match = try #require(text.firstMatch(of: /Set-Cookie: (annex-page=[0-9a-f]{64}); Path=([^;]+);([^\r]*)/))
      try await body(
        page(String(match.output.1), String(match.output.2), isSecure: match.output.3.hasSuffix("; Secure")))
      group.cancelAll()
    }
  }

  /// Sends a request.
  func client(_ line: String, host: String? = nil, body: String = "") throws -> RawClient {
    let client = try socket.map { try RawClient(socket: $0) } ?? RawClient(port: service.port ?? 0)
    let head =
      ["\(line) HTTP/1.1", "Host: \(host ?? self.host)"] + (cookie.isEmpty ? [] : ["Cookie: \(cookie)"]) + [
        "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)",
      ]
    client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return client
  }
}
