import HTTPServer
import Testing

/// What the library underneath may let pass, now or in another version.
@Suite(.timeLimit(.minutes(1)))
struct `The rules of messages` {
  @Test(
    arguments: [
      [("Content-Length", "4"), ("Content-Length", "4")], [("content-length", "4"), ("Transfer-Encoding", "chunked")],
      [("Transfer-Encoding", "chunked"), ("transfer-encoding", "chunked")], [("Content-Length", "+4")],
      [("Content-Length", "")], [("Transfer-Encoding", "xchunked")], [("X-A ", "b")], [("", "b")],
      [("X-A", "b\rContent-Length: 4")], [("X-A", "b\u{0}")],
    ])
  func `leave a message one meaning`(fields: [(String, String)]) {
    #expect(MessageRules.fault(of: fields.map { ServerField($0.0, $0.1) }) != nil)
  }

  @Test func `say nothing of an ordinary message`() {
    let fields = [ServerField("Host", "localhost"), ServerField("Content-Length", "4"), ServerField("X-A", "é\tb")]
    #expect(MessageRules.fault(of: fields) == nil)
  }
}
