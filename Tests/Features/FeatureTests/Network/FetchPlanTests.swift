import ExtensionProtocol
import HTTPClient
import JSON
import Testing
import Text

@testable import HostServices
@testable import Fetching

/// What the plan of a request says that the network may do: no test can have a public name lead to a private address.
@Suite(.timeLimit(.minutes(1)))
struct `A plan of a request` {
  private let rules = FetchRules(entries: ["https://api.example.com", "https://files.example.com", "printer.local"])

  private func plan(_ url: String) throws -> FetchPlan {
    try FetchPlan(Network.Fetch(url: url), rules: rules) { _ in [] }
  }

  @Test(
    arguments: [
      ("https://api.example.com/a", [.global]), ("https://printer.local", [.global, .privateNetwork]),
    ] as [(String, Set<AddressReach>)])
  func `checks the address of its server`(url: String, reaches: Set<AddressReach>) throws {
    #expect(try plan(url).request.allowedReaches == reaches)
  }

  @Test(
    arguments: [
      ("https://printer.local", "https://files.example.com/b", [.global]),
      ("https://api.example.com", "https://printer.local/", [.global, .privateNetwork]),
    ] as [(String, String, Set<AddressReach>)])
  func `checks the address of each redirect anew`(url: String, target: String, reaches: Set<AddressReach>) throws {
    let request = try plan(url).request
    let response = HTTPResponse(status: 302, headers: ["Location": target], url: url)
    let next = try #require(try FetchPlan.next(after: response, to: request, rules: rules))
    #expect(next.allowedReaches == reaches)
  }

  private func code(_ fetch: Network.Fetch) -> ExtensionError.Code? {
    do throws(ExtensionError) {
      _ = try FetchPlan(fetch, rules: rules) { _ in [] }
      return nil
    } catch {
      return error.code
    }
  }

  private let url = "https://api.example.com/a"

  @Test(arguments: [nil, "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func `has the method that was asked for, and GET where none was`(method: String?) throws {
    let plan = try FetchPlan(Network.Fetch(url: url, method: method), rules: rules) { _ in [] }
    #expect(plan.request.method == method ?? "GET" && plan.request.maximumRedirects == 0)
    #expect(plan.request.body == nil && plan.delivery == .inline)
  }

  @Test(arguments: ["", "get", "CONNECT", "TRACE", "GET ", "GETé"]) func `has no other method`(method: String) {
    #expect(code(Network.Fetch(url: url, method: method)) == .invalidParams)
  }

  @Test(
    arguments: [
      (.inline, 256 << 10, 256 << 10), (.file, 64 << 20, 10 << 20), (.stream, 1 << 30, 10 << 20),
      (nil, 256 << 10, 256 << 10),
    ] as [(Network.Delivery?, Int, Int)])
  func `takes as many bytes as its delivery can have, and not one more`(
    delivery: Network.Delivery?, most: Int, standard: Int
  ) throws {
    for bytes in [0, 1, most] {
      let plan = try FetchPlan(Network.Fetch(url: url, maxBytes: bytes, delivery: delivery), rules: rules) { _ in [] }
      #expect(plan.limit == bytes && plan.request.maximumBodyBytes == bytes)
    }
    for bytes in [-1, most + 1] {
      #expect(code(Network.Fetch(url: url, maxBytes: bytes, delivery: delivery)) == .limitExceeded)
    }
    #expect(try FetchPlan(Network.Fetch(url: url, delivery: delivery), rules: rules) { _ in [] }.limit == standard)
  }

  @Test(
    arguments: [
      (nil, nil, 29_000), (1, nil, 1), (29_000, nil, 29_000), (29_001, .file, 29_000), (nil, .stream, 600_000),
      (600_001, .stream, 600_000), (29_001, .stream, 29_001),
    ] as [(Int?, Network.Delivery?, Int)])
  func `has a time, and at most that of its delivery`(wanted: Int?, delivery: Network.Delivery?, time: Int) throws {
    let fetch = Network.Fetch(url: url, timeoutMs: wanted, delivery: delivery)
    #expect(try FetchPlan(fetch, rules: rules) { _ in [] }.request.timeout == .milliseconds(time))
    for none in [0, -1] { #expect(code(Network.Fetch(url: url, timeoutMs: none)) == .invalidParams) }
  }

  @Test func `has 64 fields of 32 KiB, and not one more`() throws {
    func fields(_ count: Int, _ bytes: Int) -> [String: String] {
      // Each name has three bytes, and a value counts its bytes and not its characters.
      var fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("x\($0 + 10)", "") })
      fields["x10"] = String(repeating: "é", count: (bytes - count * 3) / 2)
      return fields
    }
    #expect(try FetchPlan.fields(fields(64, 32 << 10)).all.count == 64)
    for tooMuch in [fields(65, 1_000), fields(64, (32 << 10) + 2)] {
      #expect(code(Network.Fetch(url: url, headers: tooMuch)) == .limitExceeded)
    }
    let given = try FetchPlan.fields(["X-B": "2", "X-A": "1"]).all
    #expect(given.map(\.name) == ["X-A", "X-B"] && given.map(\.value) == ["1", "2"])
  }

  @Test(arguments: [
    "Connection", "content-length", "COOKIE", "Expect", "host", "HTTP2-Settings", "Keep-Alive", "TE", "Trailer",
    "Transfer-Encoding", "upgrade", "Proxy-Authorization", "proxy-", "Annex-Fetch",
  ])
  func `has no field that is the host's own`(name: String) {
    #expect(code(Network.Fetch(url: url, headers: [name: "a"])) == .invalidParams)
  }

  @Test(
    arguments: [
      (Network.Body(text: "é"), [0xC3, 0xA9]), (Network.Body(base64: "AAE="), [0, 1]), (Network.Body(file: "a"), [7]),
      (Network.Body(base64: "?"), nil), (Network.Body(), nil), (Network.Body(text: "a", file: "a"), nil),
      (Network.Body(text: "a", base64: "AAE="), nil), (Network.Body(base64: "AAE=", file: "a"), nil),
      (Network.Body(text: "a", stream: "s"), nil), (Network.Body(stream: "s"), nil), (Network.Body(text: ""), []),
    ] as [(Network.Body, [UInt8]?)])
  func `has one body, of one kind`(body: Network.Body, bytes: [UInt8]?) throws {
    let fetch = Network.Fetch(url: url, method: "PUT", body: body)
    guard let bytes else { return #expect(code(fetch) == .invalidParams) }
    #expect(try FetchPlan(fetch, rules: rules) { $0 == "a" ? [7] : [] }.request.body == bytes)
  }

  @Test func `sends in a message as many bytes as fit into one`() {
    let most = Network.inlineLimit
    for (count, expected) in [(most / 2, nil), (most / 2 + 1, .limitExceeded)] as [(Int, ExtensionError.Code?)] {
      let text = String(repeating: "é", count: count)
      #expect(code(Network.Fetch(url: url, method: "PUT", body: .init(text: text))) == expected)
    }
  }

  @Test func `has a URL of 8,192 bytes, of a server that is named`() {
    let base = "https://api.example.com/"
    let longest = base + String(repeating: "a", count: 8_192 - base.utf8.count)
    #expect(code(Network.Fetch(url: longest)) == nil)
    for url in [
      longest + "a", base + " ", base + "\u{7F}", base + "é", "ftp://api.example.com", "https://u@api.example.com",
    ] {
      #expect(code(Network.Fetch(url: url)) == .invalidParams)
    }
    for url in ["https://other.example", "http://api.example.com", "https://api.example.com:444"] {
      #expect(code(Network.Fetch(url: url)) == .permissionDenied)
    }
  }

  /// What the next request has of the one before.
  private func next(_ method: String, _ status: Int, to target: String) throws -> HTTPRequest? {
    let fetch = Network.Fetch(
      url: url, method: method, headers: ["Accept": "a", "X-Key": "k", "range": "bytes=1-"],
      body: method == "GET" ? nil : .init(text: "b"))
    let request = try FetchPlan(fetch, rules: rules) { _ in [] }.request
    let response = HTTPResponse(status: status, headers: ["Location": target], url: url)
    return try FetchPlan.next(after: response, to: request, rules: rules)
  }

  @Test func `takes to another server neither body nor fields that were for the first`() throws {
    let same = try #require(try next("PUT", 307, to: "/b"))
    #expect(same.method == "PUT" && same.body == Array("b".utf8) && same.headers["X-Key"] == "k")
    let other = try #require(try next("GET", 307, to: "https://files.example.com/"))
    #expect(other.method == "GET" && other.headers["X-Key"] == nil)
    #expect(other.headers["Accept"] == "a" && other.headers["Range"] == "bytes=1-")
    let seen = try #require(try next("PUT", 303, to: "https://files.example.com/"))
    #expect(seen.method == "GET" && seen.body == nil && seen.headers["X-Key"] == nil)
    let error = #expect(throws: ExtensionError.self) { try next("PUT", 307, to: "https://files.example.com/") }
    #expect(error?.message.contains("PUT") == true)
    for target in ["https://other.example/", "http://api.example.com/"] {
      #expect(throws: ExtensionError.self) { try next("GET", 302, to: target) }
    }
    #expect(try next("GET", 200, to: "/b") == nil)
  }

  @Test func `leads a request without a body to another server, with what tells nobody who asks`() throws {
    let kept = ["Accept", "accept-language", "Content-Language", "If-Range", "range", "User-Agent"]
    let lost = ["Authorization", "Content-Type", "If-None-Match", "Referer", "Origin", "X-Accept"]
    let headers = Dictionary(uniqueKeysWithValues: (kept + lost).map { ($0, "v") })
    for method in ["GET", "HEAD", "OPTIONS", "DELETE"] {
      let request = try FetchPlan(Network.Fetch(url: url, method: method, headers: headers), rules: rules) { _ in [] }
        .request
      func next(_ target: String) throws -> HTTPRequest? {
        let response = HTTPResponse(status: 307, headers: ["Location": target], url: url)
        return try FetchPlan.next(after: response, to: request, rules: rules)
      }
      let same = try #require(try next("https://api.example.com/b"))
      #expect(same.headers.all.map(\.name).sorted() == (kept + lost).sorted() && same.method == method)
      if ["GET", "HEAD"].contains(method) {
        let other = try #require(try next("https://files.example.com/"))
        #expect(other.method == method && other.headers.all.map(\.name).sorted() == kept.sorted())
      } else {
        let error = #expect(throws: ExtensionError.self) { try next("https://files.example.com/") }
        #expect(error?.details["kind"] == "redirect")
      }
    }
  }

  @Test func `sends a file of any size, and bytes up to their bound`() throws {
    let large = [UInt8](repeating: 1, count: Network.inlineLimit + 1)
    let file = try FetchPlan(Network.Fetch(url: url, method: "PUT", body: .init(file: "a")), rules: rules) { name in
      name == "a" ? large : []
    }
    #expect(file.request.body == large)
    for (count, expected) in [(large.count - 1, nil), (large.count, .limitExceeded)] as [(Int, ExtensionError.Code?)] {
      let text = Base64.encode(large.prefix(count))
      #expect(code(Network.Fetch(url: url, method: "PUT", body: .init(base64: text))) == expected)
    }
  }

  @Test func `says which server, which permission and which bound it fails at`() throws {
    for (permission, name) in [(PermissionKind.network, "network"), (.auth, "auth")] {
      let rules = FetchRules([try #require(NetworkServer("a.example"))], of: permission)
      let error = #expect(throws: ExtensionError.self) {
        try FetchPlan(Network.Fetch(url: "https://b.example/x"), rules: rules) { _ in [] }
      }
      #expect(error?.code == .permissionDenied)
      #expect(error?.details["permission"] == .string(name) && error?.details["state"] == "denied")
      #expect(error?.details["server"] == .string(HTTPOrigin(url: "https://b.example/")?.description ?? "-"))
    }
    for (delivery, limit) in [
      (.inline, Network.inlineLimit), (.file, Network.fileLimit), (.stream, Network.streamLimit),
    ] as [(Network.Delivery, Int)] {
      let fetch = Network.Fetch(url: url, maxBytes: limit + 1, delivery: delivery)
      let error = #expect(throws: ExtensionError.self) { try FetchPlan(fetch, rules: rules) { _ in [] } }
      #expect(error?.details == ["limit": .integer(Int64(limit))])
    }
  }

  @Test(
    arguments: [
      (.cancelled, .cancelled, nil), (.invalidURL, .invalidParams, nil), (.invalidRequest, .invalidParams, nil),
      (.couldNotResolve, .networkFailed, "dns"), (.refused, .networkFailed, "connect"),
      (.unreachable, .networkFailed, "connect"), (.forbiddenAddress, .networkFailed, "address"),
      (.tls, .networkFailed, "tls"), (.timedOut, .networkFailed, "timeout"), (.tooLarge, .networkFailed, "tooLarge"),
      (.badRedirect, .networkFailed, "redirect"), (.invalidResponse, .networkFailed, "response"),
      (.undecodableBody, .networkFailed, "response"), (.connectionLost, .networkFailed, "lost"),
    ] as [(HTTPError.Kind, ExtensionError.Code, String?)])
  func `that fails on its way says how`(kind: HTTPError.Kind, code: ExtensionError.Code, word: String?) {
    let error = ExtensionError(HTTPError(kind, "What happened.", url: url))
    #expect(error.code == code && error.message == "What happened." && error.details["kind"]?.stringValue == word)
  }
}
