import Text
import Cryptography
import Testing

@testable import WebSocket

@Suite struct `The handshake of a WebSocket` {
  static let key = "dGhlIHNhbXBsZSBub25jZQ=="
  static let fields: WebSocketHandshake.Fields = [
    ("Host", "localhost"), ("upgrade", "WebSocket"), ("Connection", "keep-alive, Upgrade"), ("Sec-WebSocket-Key", key),
    ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Protocol", "chat, superchat"),
  ]

  private static func refusal(
    method: String = "GET", origins: WebSocketOrigins = .loopback, _ change: (inout WebSocketHandshake.Fields) -> Void
  ) -> WebSocketOffer.Refusal? {
    var fields = fields
    change(&fields)
    do throws(WebSocketOffer.Refusal) {
      _ = try WebSocketOffer(method: method, fields: fields, origins: origins)
      return nil
    } catch {
      return error
    }
  }

  @Test func `answers the example of the standard`() throws {
    let offer = try WebSocketOffer(method: "GET", fields: Self.fields, origins: .loopback)
    #expect(offer.protocols == ["chat", "superchat"])
    let answer = offer.answer(subprotocol: "chat").map { "\($0.name): \($0.value)" }
    #expect(
      answer == [
        "Upgrade: websocket", "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", "Sec-WebSocket-Protocol: chat",
      ])
    #expect(offer.answer(subprotocol: "other").count == 2)
  }

  @Test(arguments: [
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
  ])
  func `has the digests of FIPS 180`(text: String, digest: String) {
    #expect(Hexadecimal.text(for: SHA1.digest(of: Array(text.utf8))) == digest)
  }

  @Test func `gives each connection a key of its own, of 16 bytes`() {
    let keys = (0..<50).map { _ in WebSocketHandshake.newKey() }
    #expect(Set(keys).count == 50)
    #expect(keys.allSatisfy { Base64.decode($0)?.count == 16 })
  }

  @Test func `refuses requests that ask for something else`() {
    #expect(Self.refusal { _ in } == nil)
    #expect(Self.refusal(method: "POST") { _ in }?.status == 405)
    #expect(Self.refusal { $0.removeAll { $0.name == "upgrade" } }?.status == 426)
    #expect(Self.refusal { $0[2].value = "keep-alive" }?.status == 426)
    #expect(Self.refusal { $0[4].value = "8" }?.fields["Sec-WebSocket-Version"] == "13")
    for key in ["", "AAAA", "dGhlIHNhbXBsZSBub25jZQ", Self.key + Self.key] {
      #expect(Self.refusal { $0[3].value = key }?.status == 400)
    }
    #expect(Self.refusal { $0.append(("Sec-WebSocket-Key", Self.key)) }?.status == 400)
    #expect(Self.refusal { $0[5].value = "a, b c" }?.status == 400)
    #expect(Self.refusal { $0[5].value = "a, a" }?.status == 400)
  }

  @Test func `refuses what is there twice, or not at all, and says what it wants instead`() {
    let another = WebSocketOffer.Refusal(
      status: 426, message: "Only a WebSocket is to be had here.", fields: ["Upgrade": "websocket"])
    #expect(Self.refusal { $0[1].value = "h2c" } == another && Self.refusal { $0.remove(at: 2) } == another)
    let version = WebSocketOffer.Refusal(
      status: 426, message: "WebSockets are spoken in version 13 only.",
      fields: ["Upgrade": "websocket", "Sec-WebSocket-Version": "13"])
    #expect(Self.refusal { $0.remove(at: 4) } == version)
    #expect(Self.refusal { $0.append(("Sec-WebSocket-Version", "13")) } == version)
    #expect(Self.refusal { $0.remove(at: 3) }?.status == 400)
    #expect(Self.refusal(method: "get") { _ in }?.fields == ["Allow": "GET"])
    #expect(Self.refusal { $0 += [("Origin", "http://localhost"), ("origin", "http://localhost")] }?.status == 403)
    #expect(Self.refusal { $0[5].value = "a" } == nil && Self.refusal { $0.remove(at: 5) } == nil)
    #expect(Self.refusal { $0.append(("Sec-WebSocket-Protocol", "CHAT")) } == nil)
    #expect(Self.refusal { $0.append(("Sec-WebSocket-Protocol", "chat")) }?.status == 400)
  }

  @Test func `takes no body, not even of one byte`() throws {
    for (bytes, isTaken) in [(0, true), (1, false)] {
      let offer = try? WebSocketOffer(method: "GET", fields: Self.fields, bodyBytes: bytes, origins: .none)
      #expect((offer != nil) == isTaken)
      #expect(offer?.origin == nil)
    }
    let origin = try WebSocketOffer(
      method: "GET", fields: Self.fields + [("ORIGIN", "http://a.example")], origins: .any
    ).origin
    #expect(origin == "http://a.example")
  }

  @Test(arguments: [
    ("http://localhost:1", true), ("http://localhost:65535", true), ("http://localhost:123456", false),
    ("http://localhost:12a", false), ("http://localhost:1\u{301}", false), ("http://localhost:٣", false),
    ("http://localhost/", false), ("ftp://localhost", false), ("http://127.0.0.1:80", true),
    ("http://127.0.0.2", false),
    ("http://[::1]", true), ("http://[::1]1", false), ("localhost", false), ("", false),
  ])
  func `has the ports of this machine in figures`(origin: String, isAllowed: Bool) {
    #expect(WebSocketOrigins.loopback.allows(origin) == isAllowed)
  }

  @Test(arguments: [
    ("http://localhost:3000", WebSocketOrigins.loopback, true), ("https://127.0.0.1", .loopback, true),
    ("http://[::1]:9", .loopback, true), ("http://localhost.evil.example", .loopback, false),
    ("http://localhost:80@evil.example", .loopback, false), ("http://localhost:", .loopback, false),
    ("null", .loopback, false), ("https://a.example", .listed(["https://a.example"]), true),
    ("https://\u{212A}.example", .listed(["https://K.example"]), false),
    ("https://a.example:1", .listed(["https://a.example"]), false), ("http://localhost", .none, false),
    ("https://evil.example", .any, true),
  ])
  func `is given to the pages it is meant for`(origin: String, rule: WebSocketOrigins, isAllowed: Bool) {
    #expect(rule.allows(origin) == isAllowed)
    #expect(rule.allows(nil))
    #expect((Self.refusal(origins: rule) { $0.append(("Origin", origin)) } == nil) == isAllowed)
  }
}
