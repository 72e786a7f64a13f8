import ExtensionHosting
import Foundation
import HTTPServer
import HostServices
import TestSupport
import Testing

@testable import HostPage

/// The page as other programs and other web pages find it, by requests byte for byte.
@Suite(.timeLimit(.minutes(2)))
struct `The door of the page` {
  /// A served page, and a browser's session with it.
  private struct Served {
    let service: PageService
    let port: Int
    let token: String

    /// The answer to a request with these header lines besides `Host`.
    func ask(
      _ line: String, host: String? = nil, _ fields: [String] = [], body: String = ""
    ) async throws -> (status: Int, text: String) {
      let client = try RawClient(port: port)
      let type =
        body.isEmpty ? [] : ["Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)"]
      let head = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"] + type + fields
      client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
      let text = await client.received(until: "no text ends with this")
      let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return (status, text)
    }

    /// Opens the page with a token; returns the path of its pages, the cookie and what forms send along.
    func enter(_ token: String? = nil) async throws -> (path: String, cookie: String, form: String)? {
      let (status, text) = try await ask("POST /enter", body: "token=\(token ?? self.token)")
      guard status == 303 else { return nil }
      let path = try #require(text.firstMatch(of: /Location: (\/[0-9a-f]{32}\/)today/)).output.1
      let cookie = try #require(
        text.firstMatch(of: /Set-Cookie: (annex-page=[0-9a-f]{64}); Path=(\S+); HttpOnly; SameSite=Strict/))
      #expect(cookie.output.2 == path)
      let page = try await ask("GET \(path)today", ["Cookie: \(cookie.output.1)"])
      let form = try #require(page.text.firstMatch(of: /data-form="([0-9a-f]{64})"/)).output.1
      return (String(path), String(cookie.output.1), String(form))
    }
  }

  private func withPage(_ body: (Served) async throws -> Void) async throws {
    let folder = try TemporaryDirectory()
    let services = StandardServices(
      state: StateDirectory(path: folder.path), registry: ExtensionRegistry(RegistrySources()),
      launcherPath: "/nonexistent")
    let host = try services.makeHost()
    let service = PageService(host: host)
    let (addresses, found) = AsyncStream.makeStream(of: String.self)
    try await withThrowingDiscardingTaskGroup { group in
      group.addTask { try await service.run { found.yield($0) } }
      var iterator = addresses.makeAsyncIterator()
      let address = try #require(await iterator.next())
      let match = try #require(address.firstMatch(of: /^http:\/\/127\.0\.0\.1:(\d+)\/#([0-9a-f]{64})$/))
      let port = try #require(Int(match.output.1))
      try await body(Served(service: service, port: port, token: String(match.output.2)))
      group.cancelAll()
    }
    #expect(service.newAddress() == nil)
  }

  @Test func `opens once for a token, and for no other`() async throws {
    try await withPage { page in
      #expect(try await page.enter(String(repeating: "0", count: 64)) == nil)
      #expect(try await page.enter("") == nil)
      #expect(try await page.enter() != nil)
      #expect(try await page.enter() == nil, "a token is spent")
      let next = try #require(page.service.newAddress()?.split(separator: "#").last)
      #expect(try await page.enter(String(next)) != nil)
    }
  }

  @Test func `shows nothing without the cookie of the session`() async throws {
    try await withPage { page in
      let session = try #require(try await page.enter())
      for fields in [
        [], ["Cookie: annex-page=\(String(repeating: "0", count: 64))"], ["Cookie: annex-page="],
        ["Cookie: \(session.cookie)0"], ["Cookie: \(session.cookie); \(session.cookie)"],
      ] {
        for name in ["today", "live", "groups", "question"] {
          let answer = try await page.ask("GET \(session.path)\(name)", fields)
          #expect(answer.status == 403 && !answer.text.contains(session.form), "\(fields) \(name)")
        }
      }
      #expect(
        try await page.ask("GET /\(String(repeating: "0", count: 32))/today", ["Cookie: \(session.cookie)"]).status
          == 404)
      #expect(try await page.ask("GET /today", ["Cookie: \(session.cookie)"]).status == 404)
      #expect(try await page.ask("GET \(session.path)today", ["Cookie: a=b; \(session.cookie)"]).status == 200)
    }
  }

  @Test func `does nothing for a form that is not its own`() async throws {
    try await withPage { page in
      let session = try #require(try await page.enter())
      let cookie = "Cookie: \(session.cookie)"
      for body in [
        "do=update&id=a", "do=update&id=a&form=", "do=update&id=a&form=\(String(repeating: "0", count: 64))",
      ] {
        #expect(try await page.ask("POST \(session.path)today", [cookie], body: body).status == 403, "\(body)")
      }
      let own = "do=update&id=a&form=\(session.form)"
      #expect(
        try await page.ask("POST \(session.path)today", [cookie], body: own).status == 422, "there is no such widget")
      #expect(try await page.ask("POST \(session.path)today", body: own).status == 403, "without the cookie")
      let header = "X-Annex-Page: \(session.form)"
      #expect(try await page.ask("POST \(session.path)today", [cookie, header], body: "do=update&id=a").status == 422)
      #expect(
        try await page.ask("POST \(session.path)today", [cookie, "X-Annex-Page: no"], body: own).status == 403,
        "the field of the script counts where there is one")
      #expect(try await page.ask("PUT \(session.path)today", [cookie, header], body: own).status == 405)
    }
  }

  @Test func `stays shut for the pages of others, with everything that only the browser knows`() async throws {
    try await withPage { page in
      let session = try #require(try await page.enter())
      let (cookie, header) = ("Cookie: \(session.cookie)", "X-Annex-Page: \(session.form)")
      let body = "do=update&id=a&form=\(session.form)"
      for field in [
        "Origin: https://evil.example", "Origin: http://127.0.0.1:1", "Origin: http://localhost:\(page.port + 1)",
        "Origin: null", "Origin: file://", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
        "Origin: http://127.0.0.1:\(page.port).evil.example",
      ] {
        #expect(
          try await page.ask("POST \(session.path)today", [cookie, header, field], body: body).status == 403, "\(field)"
        )
        if field.hasPrefix("Sec-") {
          #expect(try await page.ask("GET \(session.path)live", [cookie, field]).status == 403, "\(field)")
          #expect(try await page.ask("GET /assets/page.js", [field]).status == 403, "\(field)")
        }
      }
      let own = ["Origin: http://127.0.0.1:\(page.port)", "Sec-Fetch-Site: same-origin"]
      #expect(try await page.ask("POST \(session.path)today", [cookie, header] + own, body: body).status == 422)
      let preflight = try await page.ask(
        "OPTIONS \(session.path)today", ["Origin: https://evil.example", "Access-Control-Request-Method: POST"])
      #expect(preflight.status == 403 && !preflight.text.contains("Access-Control-Allow"))
    }
  }

  @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "localhost:80@evil.example", "169.254.169.254", ""])
  func `stays shut under another name`(name: String) async throws {
    try await withPage { page in
      let answer = try await page.ask("POST /enter", host: name, body: "token=\(page.token)")
      #expect([400, 421].contains(answer.status))
      #expect(try await page.enter() != nil, "the token was not spent")
    }
  }

  @Test func `stays shut for requests of extensions`() async throws {
    try await withPage { page in
      let session = try #require(try await page.enter())
      let answer = try await page.ask(
        "GET \(session.path)today", ["Cookie: \(session.cookie)", "Annex-Fetch: com.example"])
      #expect(answer.status == 403)
    }
  }

  @Test func `gives every answer the fields that keep others out`() async throws {
    try await withPage { page in
      let session = try #require(try await page.enter())
      let cookie = "Cookie: \(session.cookie)"
      for line in ["GET /", "GET \(session.path)today", "GET /assets/page.css", "GET /nothing", "POST /enter"] {
        let text = try await page.ask(line, [cookie], body: line.hasPrefix("POST") ? "token=1" : "").text
        for field in [
          "Content-Security-Policy: default-src 'none'; script-src 'self'", "frame-ancestors 'none'",
          "form-action 'self'",
          "base-uri 'none'", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
          "Cache-Control: no-store",
          "Cross-Origin-Opener-Policy: same-origin", "X-Frame-Options: DENY",
        ] {
          #expect(text.contains(field), "\(line) \(field)")
        }
        #expect(!text.contains("unsafe-inline") && !text.contains("Access-Control-Allow"))
      }
    }
  }

  @Test func `sends less than 150 KB of its own`() {
    let files = ["page.css", "page.js", "enter.js", "icon.svg"].compactMap { PageAnswer.asset($0)?.body.count }
    #expect(files.count == 4 && files.reduce(0, +) < 150 << 10)
    #expect(PageAnswer.asset("../PageRouter.swift") == nil && PageAnswer.asset("") == nil)
  }
}
