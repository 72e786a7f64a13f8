import ConfigurationFiles
import HTTPClient
import JSON
import Testing

@testable import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `The answer of a redirect` {
  private static let issuer = "https://id.example"

  /// - Parameter naming: what the server says of whether its redirects name it; nil where it says nothing.
  private func endpoints(naming: JSONValue?) throws -> ServerMetadata {
    var body: JSONObject = ["issuer": .string(Self.issuer), "token_endpoint": "https://id.example/token"]
    body["authorization_response_iss_parameter_supported"] = naming
    let configuration = try IdentityConfiguration(authority: Self.issuer, clientID: "client", kind: .openIDConnect)
    return try ServerMetadata(ServerReply(status: 200, body: .object(body)), configuration: configuration)
  }

  private func answer(_ query: String?, naming: JSONValue? = nil) throws -> RedirectAnswer {
    RedirectAnswer(query: query, state: Secret("s"), endpoints: try endpoints(naming: naming), server: "id.example")
  }

  private func kind(_ answer: RedirectAnswer) -> AuthError.Kind? {
    if case .refused(let error) = answer { error.kind } else { nil }
  }

  @Test(arguments: [nil, false, .null, "true", 1] as [JSONValue?])
  func `need not name a server that does not say that it does`(naming: JSONValue?) throws {
    #expect(try answer("code=c&state=s", naming: naming) == .code(Secret("c")))
  }

  @Test func `has to name a server that says that it does`() throws {
    #expect(kind(try answer("code=c&state=s", naming: true)) == .invalidAnswer)
    #expect(try answer("code=c&state=s&iss=https%3A%2F%2Fid.example", naming: true) == .code(Secret("c")))
  }

  @Test(arguments: [nil, true] as [JSONValue?])
  func `never names another server`(naming: JSONValue?) throws {
    for other in ["https%3A%2F%2Fevil.example", "", "https%3A%2F%2Fid.example%2F", "HTTPS%3A%2F%2Fid.example"] {
      #expect(kind(try answer("code=c&state=s&iss=\(other)", naming: naming)) == .invalidAnswer)
      // An error of another server is no more believed than its code.
      #expect(kind(try answer("error=access_denied&state=s&iss=\(other)", naming: naming)) == .invalidAnswer)
    }
  }

  @Test(arguments: [
    nil, "", "code=c", "code=c&state=", "code=c&state=S", "code=c&state=s%20", "code=c&state=s&state=s",
    "code=c&code=d&state=s", "code=c&state=s&x=%", "code=c&state=s&x=%F",
  ])
  func `is somebody else's without the state of this sign-in`(query: String?) throws {
    #expect(try answer(query) == .foreign)
  }

  @Test func `has a code of at most 8,192 bytes in a query of at most 16,384`() throws {
    let code = String(repeating: "é", count: 4_096)
    #expect(try answer("code=\(code)&state=s") == .code(Secret(code)))
    #expect(kind(try answer("code=\(code)c&state=s")) == .invalidAnswer)
    #expect(kind(try answer("code=&state=s")) == .invalidAnswer)
    let fill = { (count: Int) in "code=c&state=s&x=" + String(repeating: "é", count: (count - 17) / 2) }
    #expect(fill(16_384).utf8.count == 16_383)
    #expect(try answer(fill(16_384) + "x") == .code(Secret("c")))
    #expect(try answer(fill(16_384) + "xx") == .foreign)
  }

  @Test(arguments: [(127, 127), (128, 128), (129, 128), (4_000, 128)])
  func `has an error of at most 128 characters`(count: Int, kept: Int) throws {
    guard case .refused(let error) = try answer("error=\(String(repeating: "x", count: count))&state=s") else {
      Issue.record("It is not refused.")
      return
    }
    #expect(error.serverError == String(repeating: "x", count: kept))
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The reply of an identity server` {
  private func reply(_ object: JSONObject) -> ServerReply { ServerReply(status: 200, body: .object(object)) }

  @Test func `has texts up to a number of bytes, without control characters`() {
    let reply = reply(["a": "éé", "b": "é\u{7F}", "c": "a\nb", "d": "", "e": 5, "f": .null])
    #expect(reply.text("a", most: 4) == "éé" && reply.text("a", most: 3) == nil)
    #expect(reply.text("b") == nil && reply.text("c") == nil && reply.text("d") == nil && reply.text("e") == nil)
    #expect(reply.text("f") == nil && reply.text("g") == nil)
    #expect(reply.paragraph("c", most: 3) == "a\nb" && reply.paragraph("c", most: 2) == nil)
    #expect(reply.paragraph("d", most: 3) == nil)
  }

  @Test func `has whole numbers within bounds, and texts of them`() {
    let reply = reply([
      "a": 5, "b": "6", "c": 7.9, "d": -1, "e": 1e300, "f": "x", "g": .null, "h": "nan", "i": "inf", "j": true, "k": 2,
      "l": 10,
    ])
    let values = "abcdefghijklm".map { reply.integer(String($0), in: 2...10) }
    #expect(values == [5, 6, 7, 2, 10, nil, nil, nil, nil, nil, 2, 10, nil])
  }

  @Test func `is a success from 200 to 299`() {
    for (status, isSuccess) in [(199, false), (200, true), (299, true), (300, false)] {
      #expect(ServerReply(status: status, body: .empty).isSuccess == isSuccess)
    }
  }

  @Test func `has lists up to a number of elements, without those of another kind`() {
    let many = JSONValue.array((0..<20).map { .integer($0) })
    let reply = reply(["a": ["x", 1, "y", "z"], "b": many, "c": [1, "2", 3.0, 1e300], "d": [["k": 1], 2], "e": "x"])
    #expect(reply.strings("a", most: 3) == ["x", "y"] && reply.strings("e") == [] && reply.strings("f") == [])
    #expect(reply.integers("b") == Array(0..<16) && reply.integers("e") == [])
    #expect(reply.integers("c") == [1, 3])
    #expect(reply.objects("d") == [["k": 1]] && reply.objects("e") == nil && reply.objects("f") == nil)
  }

  @Test func `tells kinds of bodies by their first byte`() {
    func body(_ text: String) -> ServerReply.Body {
      ServerReply(HTTPResponse(status: 200, body: Array(text.utf8), url: "https://s")).body
    }
    #expect(body("") == .empty && body(" \t\r\n") == .empty)
    #expect(body(" \r\n<html>") == .webPage)
    #expect(body("\n{\"a\":1}") == .object(["a": 1]))
    #expect(body("[1]") == .other && body("x") == .other && body("{") == .other)
    let deep = String(repeating: "[", count: 15) + String(repeating: "]", count: 15)
    #expect(body("{\"a\":\(deep)}") != .other)
    #expect(body("{\"a\":[\(deep)]}") == .other)
  }

  @Test func `hides what is in it`() {
    let reply = reply(["access_token": "a-secret", "device_code": "d-secret", "refresh_token": "", "id_token": 5])
    #expect(reply.secrets == [Secret("a-secret"), Secret("d-secret")])
    #expect(!"\(reply)".contains("secret") && !String(reflecting: reply).contains("secret"))
  }
}
