@testable import JSON
import Testing

@testable import JSONRPC

/// What is written as this project writes it takes a short way through the parser; it must lead to the same place.
@Suite(.timeLimit(.minutes(1))) struct `The envelope of a message` {
  /// Those that take the short way.
  static let canonical = [
    #"{"jsonrpc":"2.0","id":0,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":123456789012345678,"method":"widget/performUpdate","params":{"a":[1,{"b":"}"}]}}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"a","params": [1] }"#.replacing(" ", with: ""),
    #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":1}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":null}"#,
    #"{"jsonrpc":"2.0","id":7,"result":-1.5}"#,
    #"{"jsonrpc":"2.0","id":7,"result":"a\"b"}"#,
  ]

  /// Those that do not, although they begin alike.
  static let others = [
    #"{"jsonrpc":"2.0","id":7,"result":{},"more":1}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{},"id":7}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{},"error":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{} }"#,
    #"{"jsonrpc":"2.0","id":7,"result":{}}}"#,
    #"{"jsonrpc":"2.0","id":7,"result":{}"#,
    #"{"jsonrpc":"2.0","id":7,"result":"#,
    #"{"jsonrpc":"2.0","id":7,"result":}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"a","params":1}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"a","params":{},"more":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"a"}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"\u0061","params":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"method":"é","params":{}}"#,
    #"{"jsonrpc":"2.0","id":07,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":-7,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":7.0,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":1234567890123456789,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":"7","method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":null,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","id":,"method":"a","params":{}}"#,
    #"{"jsonrpc":"2.0","result":{}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}"#,
    #"{"jsonrpc":"2.0","#,
    #"{"jsonrpc":"2.0"}"#,
    "",
  ]

  @Test(arguments: canonical) func `is read the short way as the long way`(text: String) throws {
    let short = try #require(envelope(text, by: { Envelope.canonical($0, maximumDepth: 8) }))
    #expect(try parse(text) == short)
    #expect(try parse(" " + text) == moved(short))
  }

  @Test(arguments: others) func `is read the long way when anything is unusual`(text: String) {
    #expect(envelope(text, by: { Envelope.canonical($0, maximumDepth: 8) }) == nil)
  }

  @Test(arguments: canonical + others) func `of a message cut anywhere is the same both ways`(text: String) {
    for length in 0...text.utf8.count {
      let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
      let short = Result { try parse(part) }.map { moved($0) }
      let long = Result { try parse(" " + part) }
      #expect((try? short.get()) == (try? long.get()), "\(part)")
    }
  }

  @Test func `has members that may be written with escapes, each once`() throws {
    for (id, method) in [
      (#"\u0069d"#, "method"), ("id", #"m\u0065thod"#), (#"\u0069\u0064"#, #"\u006D\u0065\u0074\u0068\u006f\u0064"#),
    ] {
      let text = #"{"jsonrpc":"2.0","\#(id)":7,"\#(method)":"a"}"#
      #expect(try parse(text) == .request(.number(7), method: "a", params: nil), "\(text)")
    }
    for text in [
      #"{"jsonrpc":"2.0","id":7,"\u0069d":8,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":7,"method":"a","m\u0065thod":"b"}"#,
    ] {
      if case .request? = try? parse(text) { Issue.record("\(text) is taken") }
    }
  }

  @Test(arguments: [1, 2, 12, 13, 40]) func `has other members too, each once`(count: Int) throws {
    let start = #"{"jsonrpc":"2.0","id":7,"method":"a""#
    let others = (0..<count).map { #","x\#($0)":[\#($0)]"# }
    #expect(try parse(start + others.joined() + "}") == .request(.number(7), method: "a", params: nil))
    for place in Set([0, count / 2, count - 1]) {
      for name in ["x\(place)", #"\u0078\#(place)"#] {
        let text = start + others.joined() + #","\#(name)":1}"#
        let error = #expect(throws: JSONError.self, "\(text)") { try parse(text) }
        guard case .duplicateKey("x\(place)")? = error?.reason else {
          Issue.record("\(text): \(String(describing: error))")
          continue
        }
      }
    }
    // What stands in a member is another object.
    #expect(try parse(start + #","x":{"x":1},"y":{"x":2}}"#) == .request(.number(7), method: "a", params: nil))
  }

  @Test func `refuses nesting at the same depth both ways`() {
    for depth in 6...9 {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let text = #"{"jsonrpc":"2.0","id":7,"result":"# + value + "}"
      #expect((try? parse(text)) == nil ? (try? parse(" " + text)) == nil : (try? parse(" " + text)) != nil, "\(depth)")
    }
  }

  private func parse(_ text: String) throws -> Envelope {
    try envelope(text) { bytes in try Envelope.parse(bytes, maximumDepth: 8) }
  }

  private func envelope<Result>(_ text: String, by parse: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
  {
    try Array(text.utf8).withUnsafeBytes { try parse($0) }
  }

  /// The same envelope in a text that begins one byte later.
  private func moved(_ envelope: Envelope) -> Envelope {
    func later(_ range: Range<Int>) -> Range<Int> { range.lowerBound + 1..<range.upperBound + 1 }
    switch envelope {
    case .request(let id, let method, let params): return .request(id, method: method, params: params.map(later))
    case .notification(let method, let params): return .notification(method: method, params: params.map(later))
    case .result(let id, let range): return .result(id, later(range))
    case .failure(let id, let range): return .failure(id, later(range))
    case .invalid: return envelope
    }
  }
}
