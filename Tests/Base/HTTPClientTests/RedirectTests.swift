import HTTPClient
import HTTPServer
import TestSupport
import Testing

/// `/to/STATUS/target` redirects to the target; anything else is echoed.
private let server = HTTPServer { request in
  let parts = request.path.split(separator: "/", maxSplits: 2).map { String($0) }
  if parts.count == 3, parts[0] == "to", let status = Int(parts[1]) {
    return ServerResponse(status: status, headers: [ServerField("Location", "/" + parts[2])])
  }
  if request.path == "/loop" { return ServerResponse(status: 302, headers: [ServerField("Location", "/loop")]) }
  if request.path == "/away" {
    return ServerResponse(status: 302, headers: [ServerField("Location", request.header("X-Target") ?? "")])
  }
  let body = String(decoding: request.body, as: UTF8.self)
  return ServerResponse(text: "\(request.method) \(request.path) \(body) \(request.header("Authorization") ?? "-")")
}

@Suite(.timeLimit(.minutes(1)))
struct `A redirect` {
  let client = HTTPClient.patient

  @Test(arguments: [
    ("GET", 301, "GET /end  -"), ("GET", 307, "GET /end  -"), ("POST", 301, "GET /end  -"),
    ("POST", 303, "GET /end  -"), ("PUT", 303, "GET /end  -"), ("POST", 307, "POST /end x -"),
    ("PUT", 308, "PUT /end x -"), ("PUT", 302, "PUT /end x -"),
  ])
  func `is followed as its status says`(method: String, status: Int, expected: String) async throws {
    try await server.withRunning { address in
      let body: [UInt8]? = method == "GET" ? nil : Array("x".utf8)
      let response = try await client.send(HTTPRequest(method, "\(address.url)/to/\(status)/end", body: body))
      #expect(response.text == expected)
      #expect(response.url == "\(address.url)/end")
    }
  }

  @Test(arguments: ["Authorization", "Cookie", "authorization"])
  func `is not followed with credentials`(field: String) async throws {
    try await server.withRunning { address in
      var request = HTTPRequest("GET", "\(address.url)/to/302/end")
      request.headers[field] = "secret"
      let response = try await client.send(request)
      #expect(response.status == 302)
      #expect(response.headers["Location"] == "/end")
    }
  }

  @Test func `is not followed when none are allowed`() async throws {
    try await server.withRunning { address in
      let response = try await client.send(HTTPRequest("GET", "\(address.url)/to/302/end", maximumRedirects: 0))
      #expect(response.status == 302)
    }
  }

  @Test func `without end is refused`() async throws {
    try await server.withRunning { address in
      let error = await #expect(throws: HTTPError.self) {
        try await client.send(HTTPRequest("GET", "\(address.url)/loop", maximumRedirects: 3))
      }
      #expect(error?.kind == .badRedirect)
    }
  }

  @Test func `is followed as long as there is time, however often is allowed`() async throws {
    try await server.withRunning { address in
      let request = HTTPRequest("GET", "\(address.url)/loop", timeout: .milliseconds(300), maximumRedirects: .max)
      let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
      #expect(error?.kind == .timedOut)
    }
  }

  @Test func `is followed as often as is allowed, and not once more`() async throws {
    try await server.withRunning { address in
      for count in 1...2 {
        let url = address.url + String(repeating: "/to/302", count: count) + "/end"
        let response = try await client.send(HTTPRequest("GET", url, maximumRedirects: count))
        #expect(response.status == 200 && response.url == "\(address.url)/end")
        let more = address.url + String(repeating: "/to/302", count: count + 1) + "/end"
        let error = await #expect(throws: HTTPError.self) {
          try await client.send(HTTPRequest("GET", more, maximumRedirects: count))
        }
        #expect(error?.kind == .badRedirect)
        #expect(error?.message == "There were more than \(count) redirects.")
      }
      #expect(HTTPRequest("GET", address.url).maximumRedirects == 5)
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://user:pass@127.0.0.1/", "http://"])
  func `to what is not HTTP is refused`(target: String) async throws {
    try await server.withRunning { address in
      var request = HTTPRequest("GET", "\(address.url)/away")
      request.headers["X-Target"] = target
      let sent = request
      let error = await #expect(throws: HTTPError.self) { try await client.send(sent) }
      #expect(error?.kind == .badRedirect)
    }
  }

  @Test func `to a status without a place is the answer`() async throws {
    let server = HTTPServer { _ in ServerResponse(status: 302) }
    try await server.withRunning { address in
      let response = try await client.send(HTTPRequest("GET", address.url))
      #expect(response.status == 302)
    }
  }
}
