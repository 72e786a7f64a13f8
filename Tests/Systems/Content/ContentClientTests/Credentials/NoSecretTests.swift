import ConfigurationFiles
import Foundation
import HTTPClient
import JSON
import TestSupport
import Testing

@testable import ContentClient

/// A server that repeats all that it was told, wherever it can.
@Suite(.timeLimit(.minutes(1)))
struct `No secret` {
  static let password = "p4ss-w0rd of mine"
  static let token = "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXRva2Vu.\(String(repeating: "Zm9v", count: 300))"
  static let pair = "YWRtaW46cDRzcy13MHJkIG9mIG1pbmU="

  private static func configurations() throws -> [ContentConfiguration] {
    let directory = try TemporaryDirectory()
    let file = try directory.write(serviceFile(), to: "x.json")
    let all: [ContentConfiguration.Authentication] = [
      .basic(user: "admin", password: Secret(password)), .token(Secret(token)),
      try CredentialsFile(path: file).authentication(),
    ]
    return try all.map { try ContentConfiguration(scheme: "https", host: "author.example.com", authentication: $0) }
  }

  /// What must be nowhere: the secrets, and the longest pieces that a cut would leave.
  private static var needles: [String] {
    let key = TestKey.shared.pem.split(separator: "\n").dropFirst().prefix(3).map(String.init)
    return [password, pair, String(token.prefix(24)), "p8e-client-secret", "issued-token", "PRIVATE KEY"] + key
  }

  private static func echoes(_ said: String) -> [FakeAEM.Answer] {
    let text: HTTPFields = ["Content-Type": "text/plain"]
    let padding = String(repeating: "x", count: 150)
    let json = JSONValue.object(["data": .null, "errors": [["message": .string(padding + said)]]]).description
    return [
      .status(404, said, text), .status(500, padding + said, text), .status(400, said, text), .json(json),
      .status(400, json, ["Content-Type": "application/json"]), .status(401, said, text), .status(403, said, text),
      .status(302, "", ["Location": "https://evil.example.com/\(said.filter { !$0.isNewline })"]),
      .status(200, said, ["Content-Type": said.filter { !$0.isNewline }]), .json(said),
      .json("{\"\(said)\":1,\"\(said)\":2}"),
    ]
  }

  @Test func `is in an error, a description, a dump or a report, whatever the server repeats`() async throws {
    let exchanged = FakeAEM.Answer.json(#"{"access_token":"issued-token","expires_in":86400}"#)
    let said = "Bearer \(Self.token) Bearer issued-token Basic \(Self.pair) \(Self.password) p8e-client-secret "
    let directory = try TemporaryDirectory()
    for configuration in try Self.configurations() {
      var shown = ""
      dump(configuration, to: &shown)
      shown += "\(configuration)" + String(reflecting: configuration) + configuration.authentication.identity
      for answer in Self.echoes(said) {
        let server = FakeAEM()
        if case .service = configuration.authentication { server.answer(exchanged) }
        for _ in 0..<4 { server.answer(answer) }
        let client = server.client(configuration, cache: "/nowhere/cache.sqlite", images: "/nowhere/images.sqlite")
        for isImage in [false, true] {
          do throws(ContentError) {
            if isImage {
              _ = try await client.image(path: "/a")
            } else {
              _ = try await client.execute(query: adventures)
            }
          } catch {
            shown += "\(error)" + String(reflecting: error.message) + error.recovery
          }
        }
        shown += server.reports.joined()
      }
      // Each sort of credentials hides its own.
      let own: [String] =
        switch configuration.authentication {
        case .basic: [Self.password, Self.pair]
        case .token: [String(Self.token.prefix(24))]
        default: ["p8e-client-secret", "issued-token", "PRIVATE KEY"]
        }
      for secret in own { #expect(!shown.contains(secret), "\(secret.prefix(6))… is shown") }
      #expect(shown.contains("<redacted>"))
    }
    _ = directory
  }

  @Test func `is in what a failed exchange says, whatever the server of tokens repeats`() async throws {
    let configuration = try #require(try Self.configurations().last)
    let server = FakeAEM()
    let said = "p8e-client-secret \(TestKey.shared.pem)"
    server.answer(
      .status(400, JSONValue.object(["error": .string(said), "error_description": .string(said)]).description))
    let error = try await #require(throws: ContentError.self) {
      try await server.client(configuration).execute(query: adventures)
    }
    let claim = String(decoding: server.requests.first?.body ?? [], as: UTF8.self).split(separator: "jwt_token=").last
    let shown = "\(error)" + String(reflecting: error)
    for secret in Self.needles + [String(try #require(claim).prefix(40))] { #expect(!shown.contains(secret)) }
  }

  @Test func `is in a cache`() async throws {
    let directory = try TemporaryDirectory()
    for configuration in try Self.configurations() {
      let server = FakeAEM()
      if case .service = configuration.authentication {
        server.answer(.json(#"{"access_token":"issued-token","expires_in":86400}"#))
      }
      server.answer(.json(twoAdventures, ["Cache-Control": "max-age=60"]))
      _ = try await server.client(configuration, cache: directory.file("c.sqlite")).execute(query: adventures)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file(name)))
      // The token of a service account is kept for the next process, in a file for its user alone.
      let kept = name.hasSuffix(".token") ? "issued-token" : nil
      for secret in Self.needles where secret != kept { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
      guard kept != nil else { continue }
      let mode = try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    let identity = ContentConfiguration.Authentication.token(Secret("abc")).identity
    #expect(identity == "token ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `leaves a half of itself where text is cut`() {
    let hidden = HiddenTexts([Secret(Self.token), Secret("abc")])
    let quoted = hidden.quoted(String(repeating: "y", count: 180) + Self.token)
    #expect(quoted.hasSuffix("y<redacted>"))
    #expect(!hidden.quoted("\(Self.token)\u{301}").unicodeScalars.contains(Self.token.unicodeScalars))
    #expect(hidden.quoted("abc is too short to be looked for") == "abc is too short to be looked for")
  }

  @Test func `of four bytes stays in a text, however few letters these are`() {
    for (secret, isHidden) in [("abc", false), ("é1", false), ("abcd", true), ("éé", true), ("€1", true)] {
      let text = "x \(secret) y"
      #expect(HiddenTexts([Secret(secret)]).quoted(text) == (isHidden ? "x <redacted> y" : text), "\(secret)")
    }
    // As a part of a URL, and each of several.
    let both = HiddenTexts([Secret("a/é="), Secret("abcd")])
    #expect(both.quoted("abcd ?t=a%2F%C3%A9%3D& abcd") == "<redacted> ?t=<redacted>& <redacted>")
  }
}
