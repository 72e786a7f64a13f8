import HTTPClient
import Testing
import WebSocket

@Suite struct `A client's handshake` {
  private let request = WebSocketRequest(
    protocols: ["chat"],
    fields: [("Authorization", "Bearer x"), ("Upgrade", "h2c"), ("sec-websocket-key", "other")],
    key: "dGhlIHNhbXBsZSBub25jZQ==")

  private var upgrade: UpgradeRequest {
    var fields = HTTPFields()
    for field in request.fields { fields.append(field.name, field.value) }
    return UpgradeRequest(target: "/chat?x", host: "server.example", fields: fields, name: "WebSocket")
  }

  /// The subprotocol and the number of bytes of an answer's head, as a client reads them.
  private func read(_ bytes: [UInt8]) throws -> (subprotocol: String?, byteCount: Int)? {
    guard let answer = try upgrade.answer(in: bytes) else { return nil }
    let fields = answer.fields.all.map { (name: $0.name, value: $0.value) }
    return (try request.subprotocol(in: fields), answer.byteCount)
  }

  private static let answer = """
    HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r
    Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n
    """

  /// The status of a refused answer; `nil` when it is taken.
  private func fault(of text: String) -> Int?? {
    do {
      _ = try read(Array(text.utf8))
      return nil
    } catch let error as UpgradeRequest.Refusal {
      return .some(error.status)
    } catch {
      return .some(101)
    }
  }

  @Test func `asks as the standard has it`() {
    #expect(
      String(decoding: upgrade.head, as: UTF8.self) == """
        GET /chat?x HTTP/1.1\r\nHost: server.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r
        Sec-WebSocket-Protocol: chat\r\nAuthorization: Bearer x\r\n\r\n
        """)
  }

  @Test func `takes the answer when it is whole`() throws {
    let bytes = Array((Self.answer + "\u{81}").utf8)
    for count in 0..<Self.answer.utf8.count { #expect(try read(Array(bytes.prefix(count))) == nil) }
    let answer = try #require(try read(bytes))
    #expect(answer.subprotocol == "chat")
    #expect(answer.byteCount == Self.answer.utf8.count)
  }

  @Test(arguments: [
    ("101 S", "403 S", 403), ("101 S", "200 S", 200), ("websocket", "h2c", 101), ("Connection: U", "X: U", 101),
    ("s3p", "S3p", 101), (": chat", ": other", 101), ("\r\n\r\n", "\r\nSec-WebSocket-Extensions: x\r\n\r\n", 101),
    ("HTTP/1.1", "HTTP/1.0", nil), ("HTTP/1.1", "SSH-2.0", nil), ("Upgrade: w", "Upgrade w", 101),
    ("101 S", "1x1 S", nil), ("\r\n\r\n", "\r\nUpgrade: websocket\r\n\r\n", 101),
  ])
  func `refuses an answer that is none`(part: String, other: String, status: Int?) throws {
    let refusal = try #require(fault(of: Self.answer.replacing(part, with: other, maxReplacements: 1)))
    #expect(refusal == status)
  }

  @Test func `waits for no header without end`() {
    #expect(fault(of: "HTTP/1.1 101 Switching\r\n" + String(repeating: "X: y\r\n", count: 5_000)) == .some(nil))
  }
}
