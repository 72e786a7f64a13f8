import Testing

@testable import HTTPClient

/// What makes a request, and what a redirect makes of it: without a server.
@Suite(.timeLimit(.minutes(1)))
struct `A request of HTTP` {
  private func next(
    _ method: String, _ status: Int, _ location: String? = "/b", from url: String = "https://a.example/a"
  ) throws -> HTTPRequest? {
    var request = HTTPRequest(
      method, url, headers: ["Content-Type": "t", "Content-Encoding": "e", "Accept": "x"], body: [1])
    request.isSentOnce = true
    var response = HTTPResponse(status: status, url: url)
    if let location { response.headers["Location"] = location }
    return try request.redirected(by: response)
  }

  @Test(
    arguments: [
      (301, "GET", "GET"), (301, "POST", "GET"), (301, "PUT", "PUT"), (302, "POST", "GET"), (302, "DELETE", "DELETE"),
      (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (303, "GET", "GET"), (307, "POST", "POST"),
      (308, "POST", "POST"), (308, "PUT", "PUT"),
    ])
  func `is led on with the method that its status says, and its body with the method`(
    status: Int, method: String, expected: String
  ) throws {
    let request = try #require(try next(method, status))
    #expect(request.method == expected && request.url == "https://a.example/b" && request.isSentOnce)
    #expect((request.body == nil) == (method != expected))
    #expect((request.headers["Content-Type"] == nil) == (method != expected))
    #expect((request.headers["Content-Encoding"] == nil) == (method != expected))
    #expect(request.headers["Accept"] == "x")
  }

  @Test(arguments: [200, 201, 299, 300, 304, 305, 306, 309, 404]) func `is led on by no other status`(status: Int)
    throws
  {
    #expect(try next("GET", status) == nil)
    #expect(try next("GET", 302, nil) == nil)
  }

  @Test func `is led from https to http by nobody, and the other way`() throws {
    let error = #expect(throws: HTTPError.self) { try next("GET", 302, "http://a.example/") }
    #expect(error?.kind == .badRedirect)
    #expect(try next("GET", 302, "https://a.example/", from: "http://a.example/")?.url == "https://a.example/")
    #expect(try next("GET", 302, "http://b.example/", from: "http://a.example/")?.url == "http://b.example/")
    for target in ["ftp://a.example/", "https://u:p@a.example/", "javascript:1"] {
      #expect(throws: HTTPError.self) { try next("GET", 302, target) }
    }
  }

  @Test(arguments: ["Authorization", "authorization", "COOKIE", "Proxy-Authorization"])
  func `is known by what proves who asks`(field: String) {
    #expect(HTTPRequest("GET", "http://a/", headers: [field: ""]).isCredentialed)
    #expect(!HTTPRequest("GET", "http://a/", headers: ["X-\(field)": "a"]).isCredentialed)
  }

  @Test func `is checked before it goes out`() throws {
    for request in [
      HTTPRequest("", "http://a/"), HTTPRequest("GE T", "http://a/"), HTTPRequest("GET\r\n", "http://a/"),
      HTTPRequest("GET", "http://a/", headers: ["A b": "c"]), HTTPRequest("GET", "http://a/", headers: ["": "c"]),
      HTTPRequest("GET", "http://a/", headers: ["A": "b\r\nC: d"]),
      HTTPRequest("GET", "http://a/", headers: ["A": "b", "C": "\u{0}"]),
      HTTPRequest("GET", "http://a/", maximumBodyBytes: -1),
    ] {
      let error = #expect(throws: HTTPError.self) { try request.validate() }
      #expect(error?.kind == .invalidRequest)
    }
    try HTTPRequest("M-SEARCH", "http://a/", headers: ["A": "é\tb", "B": ""], maximumBodyBytes: 0).validate()
  }

  @Test func `is not sent when its time is over before, or when it is none`() async {
    let client = HTTPClient()
    for timeout in [Duration.zero, .seconds(-1)] {
      let late = await #expect(throws: HTTPError.self) {
        try await client.send(HTTPRequest("GET", "http://127.0.0.1:1/", timeout: timeout))
      }
      #expect(late?.kind == .timedOut && late?.message == "The redirects did not end in time.")
    }
    for (request, kind) in [
      (HTTPRequest("GE T", "http://127.0.0.1:1/"), HTTPError.Kind.invalidRequest),
      (HTTPRequest("GET", "ftp://127.0.0.1/"), .invalidURL),
    ] {
      let streamed = await #expect(throws: HTTPError.self) { try await client.stream(request) }
      #expect(streamed?.kind == kind)
      let exchanged = await client.exchange(HTTPFileRequest(request) { _ in .refused })
      guard case .failed(let error) = exchanged.end else {
        Issue.record("\(exchanged.end)")
        continue
      }
      #expect(error.kind == kind && exchanged.response == nil)
    }
    #expect(client.engine.openCount == 0)
  }

  /// Some are cancelled before the thread of the engine has seen them, and some afterwards.
  @Test func `keeps nothing of an exchange that was cancelled as soon as it was handed over`() async throws {
    let client = HTTPClient()
    let request = HTTPRequest("GET", "http://127.0.0.1:1/")
    let order = TransferOrder(
      request: request, origin: try #require(HTTPOrigin(url: request.url)), configuration: client.configuration,
      timeout: nil, maximumBodyBytes: 1)
    for _ in 0..<500 {
      let id = client.engine.nextIdentifier()
      let result = await withCheckedContinuation { continuation in
        client.engine.submit(id, order) { continuation.resume(returning: $0) }
        client.engine.cancel(id)
      }
      #expect(throws: HTTPError.self) { try result.get() }
    }
    #expect(client.engine.openCount == 0)
  }

  @Test(
    arguments: [
      ("http://localhost", true), ("http://LOCALHOST:80", true), ("http://127.0.0.1", true), ("http://[::1]", true),
      ("http://127.a.example", false), ("http://128.0.0.1", false), ("http://localhost.example", false),
      ("http://[::2]", false), ("http://127.9.80.9", true),
    ])
  func `may be to this machine`(url: String, isLoopback: Bool) throws {
    #expect(try #require(HTTPOrigin(url: url)).isLoopback == isLoopback)
  }
}

/// What an origin and an error say, and how an exchange with files has ended.
@Suite(.timeLimit(.minutes(1)))
struct `What is known of an exchange of HTTP` {
  @Test(
    arguments: [
      ("http://a.example", "http://a.example:80"), ("HTTPS://A.Example/b?c", "https://a.example:443"),
      ("http://a:8080", "http://a:8080"), ("https://[::1]/", "https://[::1]:443"), ("https://a:80", "https://a:80"),
      ("ftp://a", nil), ("http://u@a", nil), ("http://u:p@a", nil), ("http://:p@a", nil), ("http://a\u{0}", nil),
      ("/b", nil), ("a", nil), ("", nil),
    ] as [(String, String?)])
  func `has an origin with its port`(url: String, origin: String?) {
    #expect(HTTPOrigin(url: url)?.description == origin)
  }

  @Test func `has errors that keep no query`() {
    for url in [
      "http://a/b?c=secret", "http://a/b#secret", "http://a/b#c?secret", "http://a/b", "http://a/b?\u{301}c=secret",
      "http://a/b#\u{301}secret",
    ] {
      let error = HTTPError(.refused, "A sentence.", url: url)
      #expect(error.url == "http://a/b" && "\(error)" == "A sentence. (refused, http://a/b)")
    }
    let upgrade = HTTPUpgradeError(refusing: 403, of: "wss://a.example/b?secret", "said no")
    #expect(upgrade.status == 403 && upgrade.cause.kind == .invalidResponse)
    #expect("\(upgrade)" == "https://a.example:443 said no. (invalidResponse, wss://a.example/b)")
    let nowhere = HTTPUpgradeError(refusing: nil, of: "b", "said no")
    #expect(nowhere.status == nil && nowhere.cause.message == "The server said no.")
  }

  @Test func `ends with what went wrong with the file, then with what was wanted, then with what was heard`() {
    let head = HTTPResponse(status: 206, url: "http://a/")
    let lost = HTTPError(.connectionLost, "It broke.", url: "http://a/")
    let results: [Result<HTTPResponse, HTTPError>] = [.success(head), .failure(lost)]
    for target in [HTTPFileRequest.Target.file(descriptor: -1, offset: 0), .nowhere(limit: 5), .refused] {
      for result in results {
        let isLost = (try? result.get()) == nil
        let exchange = FileExchange(HTTPFileRequest(HTTPRequest("GET", "http://a/")) { _ in target })
        #expect(exchange.outcome(result).response == (isLost ? nil : head))
        #expect(exchange.begin(HTTPResponse(status: 200, url: "http://a/")) == target)
        // What follows the body is no other header.
        #expect(exchange.begin(HTTPResponse(status: 500, url: "http://a/")) == target)
        let outcome = exchange.outcome(result)
        #expect(outcome.response?.status == 200)
        let end: HTTPFileOutcome.End = target == .refused ? .refused : .failed(lost)
        #expect(outcome.end == (isLost ? end : .whole))
        exchange.fail(writing: 28)
        #expect(exchange.outcome(result).end == .cannotWrite(28))
      }
    }
  }

  @Test func `counts what goes by, and again what is sent again`() {
    let progress = HTTPProgress()
    progress.receive(3)
    progress.receive(4)
    progress.send(5)
    #expect(progress.received == 7 && progress.sent == 5)
    progress.sendAgain()
    progress.send(2)
    #expect(progress.received == 7 && progress.sent == 2)
  }
}

/// What lies between a transfer and the reader of its body.
@Suite(.timeLimit(.minutes(1)))
struct `The body of a response on its way` {
  private let pipe = BodyPipe()
  private let head = HTTPResponse(status: 200, url: "http://a/")

  private func append(_ count: Int, _ byte: UInt8 = 1) -> Bool {
    [UInt8](repeating: byte, count: count).withUnsafeBytes { pipe.append($0) }
  }

  /// The number of bytes of the next piece, with "paused" when the transfer waits; or how it is over.
  private func next() -> String {
    switch pipe.next() {
    case .piece(let bytes, let hasPaused): "\(bytes.count)\(hasPaused ? " paused" : "")"
    case .over(let error): error.map { "\($0.kind)" } ?? "over"
    case .wait: "wait"
    }
  }

  @Test func `is as much as there is room for, and then the transfer pauses, each time`() {
    #expect(next() == "wait")
    let most = BodyPipe.capacity
    #expect(most == 128 << 10)
    for _ in 0..<2 {
      #expect(append(most - 1) && append(5) && !append(1) && !append(1))
      #expect(next() == "\(most - 1) paused" && next() == "5" && next() == "wait")
    }
    #expect(append(most) && !append(1))
    pipe.finish(.success(head))
    #expect(next() == "\(most) paused" && next() == "over" && next() == "over")
  }

  @Test func `is read to its end before the reason why it is not whole`() throws {
    #expect(pipe.head == nil)
    pipe.begin(head)
    pipe.begin(HTTPResponse(status: 500, url: "http://b/"))
    #expect(append(3))
    pipe.finish(.failure(HTTPError(.connectionLost, "It broke.", url: "http://a/")))
    #expect(try pipe.head?.get().status == 200)
    #expect(next() == "3" && next() == "connectionLost")
  }

  @Test func `has the head of its end when none came before, or the reason why there is none`() throws {
    pipe.finish(.success(head))
    #expect(try pipe.head?.get() == head)
    let other = BodyPipe()
    other.finish(.failure(HTTPError(.refused, "No.", url: "http://a/")))
    #expect(throws: HTTPError.self) { try other.head?.get() }
  }

  @Test func `is waited for until there is news`() async {
    for step in 0..<3 {
      let pipe = BodyPipe()
      let isHead = step == 0
      let waiting = Task { await pipe.wait(forPiece: !isHead) {} }
      for _ in 0..<50 { await Task.yield() }
      switch step {
      case 0: pipe.begin(head)
      case 1: _ = [UInt8(1)].withUnsafeBytes { pipe.append($0) }
      default: pipe.finish(.success(head))
      }
      await waiting.value
      // What is there already is not waited for.
      await pipe.wait(forPiece: !isHead) {}
    }
  }
}
