import Testing

@testable import HTTPServer

/// What a door says of the headers of requests: without a server.
@Suite(.timeLimit(.minutes(1)))
struct `The verdict of a door` {
  private static let names: Set = ["localhost", "page.example"]

  private func verdict(
    _ fields: [(String, String)], _ method: String = "GET", path: String = "/a", isSecure: Bool = false,
    _ change: (inout Door) -> Void = { _ in }
  ) -> Door.Verdict {
    var door = Door()
    door.allowedOrigins = ["https://app.example"]
    change(&door)
    let headers = [ServerField("Host", "localhost:80")] + fields.map { ServerField($0.0, $0.1) }
    let request = ServerRequest(method: method, path: path, headers: headers)
    return door.verdict(of: request, names: Self.names, isSecure: isSecure)
  }

  /// The status of a refusal; 0 for a request that is let in, and 1 for one that is answered.
  private func status(_ verdict: Door.Verdict) -> Int {
    switch verdict {
    case .admitted: 0
    case .answered: 1
    case .refused(let status, _): status
    }
  }

  @Test func `says for which reason a request is refused`() {
    #expect(verdict([]) == .admitted(fields: []))
    #expect(verdict([("Host", "localhost")]) == .refused(status: 400, "The request has two Host fields."))
    let none = Door().verdict(of: ServerRequest(path: "/"), names: Self.names, isSecure: false)
    #expect(none == .refused(status: 400, "The request has no Host field."))
    let coded = verdict([("transfer-encoding", "Chunked")])
    #expect(coded == .refused(status: 411, "The request needs a Content-Length; bodies in chunks are not taken."))
    #expect(status(verdict([], path: "a")) == 400 && status(verdict([], path: "")) == 400)
    #expect(status(verdict([("Content-Length", "1 ")])) == 400)
    #expect(status(verdict([("annex-fetch", "")], path: "/") { $0.admitsFetches = false }) == 403)
    let two = verdict([("Origin", "https://app.example"), ("origin", "https://app.example")])
    #expect(two == .refused(status: 400, "The request has two Origin fields."))
  }

  @Test func `adds to an answer which page may read it, and answers the question of a browser`() {
    let fields = [ServerField("Access-Control-Allow-Origin", "https://app.example"), ServerField("Vary", "Origin")]
    let origin = ("Origin", "https://app.example")
    for method in ["GET", "POST", "OPTIONS"] { #expect(verdict([origin], method) == .admitted(fields: fields)) }
    let asks = ("Access-Control-Request-Method", "PUT")
    #expect(verdict([origin, asks], "POST") == .admitted(fields: fields))
    var answer = ServerResponse(status: 204)
    answer.headers =
      fields + [
        ServerField("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, DELETE, OPTIONS"),
        ServerField("Access-Control-Max-Age", "3600"),
      ]
    #expect(verdict([origin, asks], "OPTIONS") == .answered(answer))
    let network = "Access-Control-Request-Private-Network"
    #expect(verdict([origin, asks, (network, "false")], "OPTIONS") == .answered(answer))
    answer.headers.append(ServerField("Access-Control-Allow-Headers", "x-a"))
    answer.headers.append(ServerField("Access-Control-Allow-Private-Network", "true"))
    let names = ("Access-Control-Request-Headers", "x-a")
    #expect(verdict([origin, asks, names, (network, "true")], "OPTIONS") == .answered(answer))
    // Its own pages need not ask, and others are told nothing.
    #expect(verdict([("Origin", "http://localhost:80"), asks], "OPTIONS") == .admitted(fields: []))
    #expect(status(verdict([("Origin", "https://evil.example"), asks], "OPTIONS")) == 403)
  }

  @Test func `knows the pages of the server by scheme, name and port`() {
    for (origin, isSecure, isOwn) in [
      ("http://localhost:80", false, true), ("HTTP://LOCALHOST:80", false, true), ("https://localhost:80", true, true),
      ("http://localhost:80", true, false), ("https://localhost:80", false, false), ("http://localhost", false, false),
      ("http://localhost:81", false, false), ("null", false, false), ("", false, false),
    ] {
      #expect(status(verdict([("Origin", origin)], "POST", isSecure: isSecure)) == (isOwn ? 0 : 403), "\(origin)")
    }
    for (site, expected) in [("same-origin", 0), ("SAME-ORIGIN", 0), ("same-site", 403), ("none", 403)] {
      #expect(status(verdict([("Origin", "null"), ("Sec-Fetch-Site", site)], "POST")) == expected)
    }
  }

  @Test func `takes a proxy's page for its own, and then no other of the proxy's name`() {
    func behind(_ host: String, _ origin: String) -> Int {
      var door = Door()
      door.ownOrigins = ["https://page.example"]
      let headers = [ServerField("Host", host), ServerField("Origin", origin)]
      return status(
        door.verdict(
          of: ServerRequest(method: "POST", path: "/", headers: headers), names: Self.names, isSecure: false))
    }
    #expect(behind("page.example", "https://page.example") == 0 && behind("localhost", "HTTPS://Page.example") == 0)
    #expect(behind("page.example", "http://page.example") == 403)
    #expect(behind("localhost", "http://localhost") == 0, "no proxy has that name")
    #expect(behind("page.example:81", "http://page.example:81") == 0, "nor that port")
  }

  @Test func `knows its names and pages whatever the case of their ASCII letters, and under no other sign`() {
    func code(_ host: String, _ origin: String) -> Int {
      var door = Door()
      door.ownOrigins = ["https://kiosk.page"]
      let headers = [ServerField("Host", host), ServerField("Origin", origin)]
      let request = ServerRequest(method: "POST", path: "/", headers: headers)
      return status(door.verdict(of: request, names: ["kiosk.example"], isSecure: false))
    }
    #expect(code("KIOSK.example", "http://Kiosk.EXAMPLE") == 0)
    #expect(code("kiosk.example", "HTTPS://KIOSK.page") == 0)
    // The Kelvin sign, whose small letter is that of K.
    #expect(code("\u{212A}iosk.example", "http://kiosk.example") == 421)
    #expect(code("kiosk.example", "http://\u{212A}iosk.example") == 403)
    #expect(code("kiosk.example", "https://\u{212A}iosk.page") == 403)
    for (origin, expected) in [("https://K.example", 0), ("https://\u{212A}.example", 403)] {
      #expect(status(verdict([("Origin", origin)], "POST") { $0.allowedOrigins = ["https://K.example"] }) == expected)
    }
    var configuration = HTTPServer.Configuration()
    #expect(!configuration.serve(behind: "https://\u{212A}iosk.page") && configuration.door.ownOrigins.isEmpty)
    #expect(configuration.serve(behind: "https://Kiosk.page") && configuration.additionalHostNames == ["kiosk.page"])
  }

  static let withoutOrigin: [([(String, String)], String, Bool)] = [
    ([("Sec-Fetch-Site", "none")], "POST", true), ([("Sec-Fetch-Site", "Same-Origin")], "POST", true),
    ([("Sec-Fetch-Site", "cross-site")], "HEAD", false), ([("Sec-Fetch-Site", "")], "GET", false),
    ([("Sec-Fetch-Site", "cross-site"), ("Referer", "https://app.example/a?b")], "HEAD", true),
    ([("Sec-Fetch-Site", "cross-site"), ("Referer", "https://app.example/a")], "POST", false),
    ([("Sec-Fetch-Site", "cross-site"), ("Referer", "app.example")], "GET", false),
    (
      [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")], "HEAD", true
    ),
    ([("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "document")], "GET", false),
    ([("Sec-Fetch-Mode", "navigate")], "DELETE", true),
  ]

  @Test(arguments: withoutOrigin) func `lets in what no page of another server has sent`(
    fields: [(String, String)], method: String, isAdmitted: Bool
  ) {
    #expect(status(verdict(fields, method)) == (isAdmitted ? 0 : 403))
  }

  @Test func `is the same for another protocol, but for questions of browsers`() {
    var door = Door()
    door.allowedOrigins = ["https://app.example"]
    let admission = ServerAdmission(door: door, names: Self.names, bodies: ByteBudget(0))
    func refusal(_ fields: [(String, String)], _ method: String = "OPTIONS") -> ServerAdmission.Refusal? {
      let headers = fields.map { ServerField($0.0, $0.1) }
      return admission.refusal(of: ServerRequest(method: method, path: "/", headers: headers))
    }
    let host = ("Host", "localhost")
    #expect(refusal([host]) == nil && refusal([host, ("Origin", "http://localhost")]) == nil)
    #expect(refusal([("Host", "evil.example")])?.status == 421)
    let asks = [host, ("Origin", "https://app.example"), ("Access-Control-Request-Method", "PUT")]
    #expect(refusal(asks) == .init(status: 405, message: "This protocol answers no questions of browsers."))
    #expect(refusal(asks, "PUT") == nil)
  }

  @Test(
    arguments: [
      ("http://a", "http://a"), ("https://A.b:1/x?y#z", "https://A.b:1"), ("http://a?b", "http://a"),
      ("http://a#b", "http://a"), ("http://[::1]:80/", "http://[::1]:80"), ("ftp://a", nil), ("HTTP://a", nil),
      ("http://a@b/", nil), ("http:///x", nil), ("http://a:0/", nil), ("http:a", nil), ("a", nil), ("", nil),
    ] as [(String, String?)])
  func `is by the origin of a URL`(url: String, origin: String?) { #expect(Door.origin(of: url) == origin) }
}
