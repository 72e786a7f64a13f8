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

  @Test func `say which rule is broken`() {
    func fault(_ fields: [(String, String)]) -> String? {
      MessageRules.fault(of: fields.map { ServerField($0.0, $0.1) })
    }
    #expect(fault([("A b", "c")]) == "The request has a field whose name is not a token.")
    #expect(fault([("A", "b"), ("B", "\u{7F}")]) == "The request has a field with a control character.")
    for fields in [
      [("Content-Length", "4"), ("Content-Length", "5")], [("Content-Length", "4"), ("Transfer-Encoding", "chunked")],
      [("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")],
    ] { #expect(fault(fields) == "The request has two lengths.") }
    for length in ["", "-1", "1 ", "1,1", "0x1", "٤", "1e1", "1/", "1:"] {
      #expect(fault([("Content-Length", length)]) == "The length of the request is not a number.")
    }
    for coding in ["", "gzip", "chunked, chunked", "chunked ", "chun\u{212A}ed"] {
      let found = fault([("Transfer-Encoding", coding)])
      #expect(found == "The transfer coding of the request is not chunked.")
    }
    #expect(fault([("Transfer-Encoding", "Chunked")]) == nil && fault([("content-length", "0123456789")]) == nil)
    #expect(fault([]) == nil)
  }

  @Test func `say nothing of an ordinary message`() {
    let fields = [ServerField("Host", "localhost"), ServerField("Content-Length", "4"), ServerField("X-A", "é\tb")]
    #expect(MessageRules.fault(of: fields) == nil)
  }
}
