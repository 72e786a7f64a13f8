import Foundation
import Testing

@testable import HTTPClient

/// The request that asks to go on with another protocol.
@Suite(.timeLimit(.minutes(1)))
struct `An order for another protocol` {
  private func lines(_ url: String, _ headers: HTTPFields = [:]) throws -> [String] {
    let order = try UpgradeOrder(
      url: url, headers: headers, name: "WebSocket", allowedReaches: nil, configuration: HTTPClient.Configuration())
    return String(decoding: order.request.head, as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test(arguments: [
    ("ws://a.example", "a.example"), ("ws://a.example:80/", "a.example"), ("ws://a.example:443/", "a.example:443"),
    ("wss://a.example/", "a.example"), ("wss://a.example:443/", "a.example"), ("wss://a.example:80/", "a.example:80"),
    ("WSS://A.example:444/", "a.example:444"), ("http://a.example:81/", "a.example:81"),
    ("https://a.example:443", "a.example"), ("ws://[::1]:90/", "[::1]:90"),
  ])
  func `names the host, and the port where it is not that of the scheme`(url: String, host: String) throws {
    #expect(try lines(url)[1] == "Host: \(host)")
  }

  @Test(arguments: [
    ("ws://a.example", "/"), ("ws://a.example/", "/"), ("ws://a.example?b=c", "/?b=c"), ("ws://a.example#d", "/"),
    ("ws://a.example/b/c?d#e", "/b/c?d"), ("ws://a.example/~!", "/~!"), ("ws://a.example//b", "//b"),
  ])
  func `has path and query, and no fragment`(url: String, target: String) throws {
    #expect(try lines(url)[0] == "GET \(target) HTTP/1.1")
  }

  @Test(arguments: [
    "", "ws", "ws:a.example", "ws:/a.example", "ws://", "ws://u@a.example/", "ws://a.example/ b", "ws://a.example/é",
    "ws://a.example/\u{7F}", "ws://a.example/\u{301}b", "ws://a.example?\u{301}", "ftp://a.example/",
    "wsx://a.example/",
  ])
  func `is not made for what is no such URL`(url: String) {
    let error = #expect(throws: HTTPUpgradeError.self) { try lines(url) }
    #expect(error?.cause.kind == .invalidURL)
  }

  @Test func `is not made with fields that would be another request`() {
    for headers in [["A": "b\r\nC: d"], ["A b": "c"], ["": "c"]] as [HTTPFields] {
      let error = #expect(throws: HTTPUpgradeError.self) { try lines("ws://a.example", headers) }
      #expect(error?.cause.kind == .invalidRequest && error?.status == nil)
    }
  }

  @Test func `names the program unless it is named`() throws {
    let standard = try lines("ws://a.example").filter { $0.hasPrefix("User-Agent: ") }
    #expect(standard == ["User-Agent: \(HTTPClient.Configuration().userAgent)"])
    let named = try lines("ws://a.example", ["user-agent": "x"]).filter { $0.lowercased().hasPrefix("user-agent: ") }
    #expect(named.count == 1 && named[0].hasSuffix(": x"))
  }

  @Test func `has the fields that were given, but none of the host and of a body`() throws {
    let given = try lines(
      "ws://a.example", ["Upgrade": "websocket", "Host": "b", "Content-Length": "1", "transfer-encoding": "chunked"])
    #expect(given.contains("Upgrade: websocket"))
    #expect(given.count { $0.lowercased().hasPrefix("host:") } == 1 && !given.contains("Host: b"))
    #expect(!given.contains { $0.lowercased().hasPrefix("content-length") || $0.lowercased().hasPrefix("transfer-") })
    #expect(given.suffix(2) == ["", ""])
  }
}

/// What a server answers to such a request.
@Suite(.timeLimit(.minutes(1)))
struct `An answer to an order for another protocol` {
  private let request = UpgradeRequest(target: "/", host: "a", fields: [:], name: "WebSocket")

  private func refusal(_ text: String) -> UpgradeRequest.Refusal? {
    do throws(UpgradeRequest.Refusal) {
      _ = try request.answer(in: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func `is read once its head is whole, and what follows is left`() throws {
    let head = "HTTP/1.1 101 Switching\r\nUpgrade:  websocket \r\nA: b:c\r\n\r\n"
    for count in 0..<head.utf8.count { #expect(try request.answer(in: Array(head.utf8.prefix(count))) == nil) }
    for rest in ["", "rest"] {
      let answer = try #require(try request.answer(in: Array((head + rest).utf8)))
      #expect(answer.byteCount == head.utf8.count)
      #expect(answer.fields["upgrade"] == "websocket" && answer.fields["A"] == "b:c")
    }
    #expect(try request.answer(in: Array("HTTP/1.1 101\r\n\r\n".utf8))?.byteCount == 16)
  }

  @Test(arguments: [
    "HTTP/1.0 101 a\r\n\r\n", "HTTP/2", "hello", "HTTP/1.1 99 a\r\n\r\n", "HTTP/1.1 099 a\r\n\r\n",
    "HTTP/1.1 1011 a\r\n\r\n", "HTTP/1.1 x\r\n\r\n", "HTTP/1.1\r\n\r\n",
  ])
  func `is HTTP`(text: String) {
    #expect(refusal(text) == .init(status: nil, message: "does not speak HTTP/1.1"))
  }

  @Test(arguments: [100, 200, 404, 999]) func `says with its status that it does not`(status: Int) {
    let refusal = refusal("HTTP/1.1 \(status) a\r\nno field\r\n\r\n")
    #expect(refusal == .init(status: status, message: "answered with status \(status), not with a WebSocket"))
  }

  @Test(arguments: ["no field", ": a", "a b: c"]) func `has fields`(line: String) {
    #expect(refusal("HTTP/1.1 101 a\r\n\(line)\r\n\r\n")?.status == 101)
  }

  @Test func `has a head of 16 KiB, and of no byte more`() throws {
    func answer(_ count: Int) -> String {
      let first = "HTTP/1.1 101 a\r\nb: "
      return first + String(repeating: "c", count: count - first.utf8.count - 4) + "\r\n\r\n"
    }
    #expect(try request.answer(in: Array(answer(16 << 10).utf8))?.byteCount == 16 << 10)
    #expect(refusal(answer((16 << 10) + 1))?.message == "sent a header without end")
    // Bytes, not characters: a line end is one of these.
    func cut(_ count: Int) -> String { String(decoding: answer(20_000).utf8.prefix(count), as: UTF8.self) }
    #expect(refusal(cut(16_383)) == nil)
    #expect(refusal(cut(16_384))?.message == "sent a header without end")
  }
}
