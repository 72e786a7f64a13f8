import ContentRepository
import EventLoop
import HTTPClient
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ContentServer

private func prices(_ response: HTTPResponse) throws -> [Double] {
  let items = try JSONCoding.parse(response.body)["data"]?["tripList"]?["items"]?.arrayValue
  return try #require(items).compactMap { $0["price"]?.doubleValue }
}

@Suite(.timeLimit(.minutes(1)))
struct `A running content server` {
  private let site: TestSite
  private let client = HTTPClient.patient

  init() throws { site = try TestSite() }

  private func get(_ url: String, _ headers: HTTPFields = [:]) async throws -> HTTPResponse {
    try await client.send(HTTPRequest("GET", url, headers: headers))
  }

  @Test func `serves everything over a socket`() async throws {
    try await ContentServer(configuration: .init(port: 0, root: site.root)).withRunning { address in
      let whole = try await get("\(address.url)\(TestSite.list)%3Blimit%3D2;")
      #expect(whole.status == 200 && whole.headers["Content-Length"] == "\(whole.body.count)")
      let head = try await client.send(HTTPRequest("HEAD", "\(address.url)\(TestSite.list)%3Blimit%3D2;"))
      #expect(head.status == 200 && head.headers["Content-Length"] == "\(whole.body.count)" && head.body.isEmpty)
      let tag = try #require(whole.headers["ETag"])
      let again = try await get("\(address.url)\(TestSite.list)%3Blimit%3D2;", ["If-None-Match": tag])
      #expect(again.status == 304)
      let persisted = try await client.send(
        HTTPRequest(
          "PUT", "\(address.url)/graphql/persist.json/site/mine", body: Array("{ tripList { items { slug } } }".utf8)))
      #expect(persisted.status == 201)
      #expect(try await get("\(address.url)/graphql/execute.json/site/mine").text.contains("trip-3"))
      let posted = try await client.send(
        HTTPRequest(
          "POST", "\(address.url)/content/cq:graphql/global/endpoint.json",
          headers: ["Content-Type": "application/json"],
          body: Array("{\"query\":\"{ tripList { items { slug } } }\"}".utf8)))
      #expect(posted.text.contains("trip-3"))
      #expect(try await get("\(address.url)/content/dam/site/hill.png").body == Landscape.bytes)
      let picture = try JSONCoding.parse(whole.body)["data"]?["tripList"]?["items"]?[0]?["picture"]?["_dynamicUrl"]
      let webp = try await get(address.url + #require(picture?.stringValue), ["Accept": "image/webp"])
      #expect(webp.headers["Content-Type"] == "image/webp" && webp.body.starts(with: Array("RIFF".utf8)))
    }
  }

  @Test func `answers hundreds at once, and those behind clients that send nothing`() async throws {
    try await ContentServer(configuration: .init(port: 0, root: site.root)).withRunning { address in
      var idle: [RawClient] = []
      for number in 0..<200 {
        let client = try RawClient(port: address.port)
        if number % 2 == 0 { client.send("GET \(TestSite.list) HTTP/1.1\r\nHost: local") }
        idle.append(client)
      }
      let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<300 {
          group.addTask { [client] in
            let url = "\(address.url)\(TestSite.list);limit=\(number % 5);ts=\(number)"
            let response = try await client.send(HTTPRequest("GET", url))
            return try prices(response).count == min(4, number % 5)
          }
        }
        return try await group.reduce(into: [Bool]()) { $0.append($1) }
      }
      #expect(answers.count == 300 && answers.allSatisfy { $0 })
      _ = idle
    }
  }

  @Test func `makes a picture once for many who ask at once`() async throws {
    try await ContentServer(configuration: .init(port: 0, root: site.root)).withRunning { address in
      let list = try await get("\(address.url)\(TestSite.list);limit=1;format=GIF;width=20")
      let url = try JSONCoding.parse(list.body)["data"]?["tripList"]?["items"]?[0]?["picture"]?["_dynamicUrl"]?
        .stringValue
      let target = address.url + (try #require(url))
      let bodies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<50 {
          group.addTask { [client] in try await client.send(HTTPRequest("GET", target)).body }
        }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(bodies.count == 1 && bodies.first?.starts(with: Array("GIF8".utf8)) == true)
    }
  }

  @Test func `names itself in the URLs of pictures`() async throws {
    try await ContentServer(configuration: .init(port: 0, root: site.root)).withRunning { address in
      let query = "{tripList(limit:1){items{picture{...on%20ImageRef{_publishUrl%20_authorUrl}}}}}"
      let answer = try await get("\(address.url)/content/cq:graphql/site/endpoint.json?query=\(query)")
      let picture = try JSONCoding.parse(answer.body)["data"]?["tripList"]?["items"]?[0]?["picture"]
      #expect(picture?["_publishUrl"] == .string("\(address.url)/content/dam/site/hill.png"))
      #expect(picture?["_authorUrl"] == "http://localhost:4502/content/dam/site/hill.png")
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A fault of the content server` {
  private let site: TestSite
  private let client = HTTPClient.patient

  init() throws { site = try TestSite() }

  /// One answer with the fault and the one behind it, which is right.
  private func answer(_ words: String...) async throws -> Result<HTTPResponse, HTTPError> {
    let plan = try FaultPlan(words)
    let server = try ContentServer(configuration: .init(port: 0, root: site.root, fault: { plan.next(for: $0) }))
    return try await server.withRunning { address in
      let url = "\(address.url)\(TestSite.list)"
      let result: Result<HTTPResponse, HTTPError>
      do throws(HTTPError) {
        var request = HTTPRequest("GET", url)
        request.maximumRedirects = 0
        result = .success(try await client.send(request))
      } catch {
        result = .failure(error)
      }
      let right = try await client.send(HTTPRequest("GET", url))
      #expect(right.status == 200)
      #expect(try prices(right) == [0, 100, 200, 300])
      return result
    }
  }

  @Test(arguments: [
    ("login", 200, "text/html"), ("redirect", 302, ""), ("html", 500, "text/html"), ("unauthorized", 401, "text/plain"),
    ("rate", 429, "text/plain"), ("unavailable", 503, "text/plain"), ("errors", 200, "application/json"),
    ("partial", 200, "application/json"), ("changed", 200, "application/json"), ("truncated", 200, "application/json"),
    ("slow=0.01", 200, "application/json"),
  ])
  func `has its status and its type`(kind: String, status: Int, type: String) async throws {
    let response = try await answer("\(kind):site/trips:1").get()
    #expect(response.status == status)
    #expect((response.headers["Content-Type"] ?? "").hasPrefix(type))
    let value = try? JSONCoding.parse(response.body)
    let items = value?["data"]?["tripList"]?["items"]
    switch kind {
    case "redirect": #expect(response.headers["Location"] == "/libs/granite/core/content/login.html")
    case "rate": #expect(response.headers["Retry-After"] == "1")
    case "errors": #expect(value?["errors"] != nil && value?["data"] == .null)
    case "partial": #expect(value?["errors"] != nil && items?.arrayValue?.count == 4)
    case "changed": #expect(items?[1]?["adventurePrice"] == "$100 USD" && items?[1]?["price"] == nil)
    case "truncated": #expect(value == nil && !response.body.isEmpty)
    case "slow=0.01": #expect(items?.arrayValue?.count == 4)
    default: #expect(value == nil)
    }
  }

  @Test func `drops the connection in the middle`() async throws {
    await #expect(throws: HTTPError.self) { try await answer("drop:site/*:1").get() }
  }

  @Test func `is of pictures where it says so`() async throws {
    let plan = try FaultPlan(["unauthorized:pictures:1", "drop:pictures:1"])
    let server = try ContentServer(configuration: .init(port: 0, root: site.root, fault: { plan.next(for: $0) }))
    try await server.withRunning { address in
      let request = HTTPRequest("GET", "\(address.url)/content/dam/site/hill.png")
      let refused = try await client.send(request)
      #expect(refused.status == 401)
      await #expect(throws: HTTPError.self) { try await client.send(request) }
      let whole = try await client.send(request)
      #expect(whole.body == Landscape.bytes)
    }
  }

  @Test func `that is slow keeps no server from its end`() async throws {
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let server = try ContentServer(
      configuration: .init(
        port: 0, root: site.root,
        fault: { _ in
          ask.yield()
          return .slow(.seconds(3600))
        }))
    try await withThrowingTaskGroup(of: Int.self) { group in
      try await server.withRunning { address in
        group.addTask { [client] in try await client.send(HTTPRequest("GET", "\(address.url)\(TestSite.list)")).status }
        for await _ in asked { break }
      }
      #expect(try await group.next() == 200)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A folder of the content server` {
  private let site: TestSite
  private let client = HTTPClient.patient

  init() throws { site = try TestSite() }

  private func server() throws -> (ContentServer, AsyncStream<[ContentProblem]>) {
    let (stream, source) = AsyncStream.makeStream(of: [ContentProblem].self)
    var configuration = ContentServer.Configuration(port: 0, root: site.root)
    configuration.reloaded = { source.yield($0) }
    return (try ContentServer(configuration: configuration), stream)
  }

  @Test func `is read again when a file of it changes`() async throws {
    let (server, reloads) = try server()
    try await server.withRunning { address in
      let url = "\(address.url)\(TestSite.list)"
      #expect(try prices(try await client.send(HTTPRequest("GET", url))) == [0, 100, 200, 300])
      try site.write(trip: 1, price: 7)
      try site.write("content/dam/site/new/more/trip-9.json", #"{"model": "site/trip", "fields": {"price": 9}}"#)
      // It may come in several pieces.
      for await problems in reloads {
        #expect(problems.isEmpty)
        let now = try prices(try await client.send(HTTPRequest("GET", url)))
        if now.sorted() == [0, 7, 9, 200, 300] { break }
      }
    }
  }

  @Test func `that cannot be watched is reported, and keeps no server from its begin`() async throws {
    let (server, reloads) = try server()
    let (loop, begun) = (EventLoop.onThread(name: "test-watch"), Signal())
    defer { loop.stop() }
    await RootWatch.run(server, on: loop, begun: begun) { _, _ in nil }
    #expect(begun.count == 1)
    var iterator = reloads.makeAsyncIterator()
    let problem = try #require(await iterator.next()?.first)
    #expect(problem.message.contains("no more file watches"))
  }

  @Test func `that is broken is reported with its place, and the last good content served on`() async throws {
    let (server, reloads) = try server()
    try await server.withRunning { address in
      let url = "\(address.url)\(TestSite.list)"
      try site.write("content/dam/site/trip-1.json", "{\"model\": \"site/trip\",\n  \"fields\": {\"price\": ,}}")
      var iterator = reloads.makeAsyncIterator()
      let problem = try #require(await iterator.next()?.first)
      #expect(problem.description.hasPrefix("content/dam/site/trip-1.json:2:23: "), "\(problem)")
      #expect(try prices(try await client.send(HTTPRequest("GET", url))) == [0, 100, 200, 300])
      try site.write(trip: 1, price: 8)
      while let problems = await iterator.next(), !problems.isEmpty {}
      #expect(try prices(try await client.send(HTTPRequest("GET", url))) == [0, 8, 200, 300])
    }
  }

  @Test func `changes while many ask, and every answer is whole`() async throws {
    let (server, reloads) = try server()
    try await server.withRunning { address in
      let url = "\(address.url)\(TestSite.list)"
      let isOver = Over()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { [client] in
            var last = 100.0
            while !isOver.value {
              let response = try await client.send(HTTPRequest("GET", url))
              let now = try prices(response)
              #expect(now.count == 4 && now[1] >= last, "an answer of older content: \(now) after \(last)")
              last = now[1]
            }
          }
        }
        for price in 101...110 {
          try site.write(trip: 1, price: price)
          for await _ in reloads {
            let now = try prices(try await client.send(HTTPRequest("GET", url)))
            if now[1] == Double(price) { break }
          }
        }
        isOver.set()
        try await group.waitForAll()
      }
    }
  }

  private final class Over: Sendable {
    private let state = Mutex(false)
    var value: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  @Test func `that cannot be used says why`() throws {
    let problems = #expect(throws: ContentProblems.self) {
      try ContentServer(configuration: .init(root: "\(site.root)/none"))
    }
    #expect(problems?.problems.isEmpty == false)
    try site.write("models/site/trip.json", "{")
    let broken = #expect(throws: ContentProblems.self) { try ContentServer(configuration: .init(root: site.root)) }
    #expect(broken?.description.contains("models/site/trip.json:1:") == true)
  }
}
