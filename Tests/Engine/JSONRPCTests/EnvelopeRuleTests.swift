@testable import JSON
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The rules of an envelope` {
  private static let version = "The member jsonrpc must be \"2.0\"."
  private static let unusable = "An id is a whole number or a string of at most 64 bytes."

  /// What a message of some members is, as `Envelope` has it.
  private func parse(_ members: String) throws -> Envelope {
    try Array("{\(members)}".utf8).withUnsafeBytes { try Envelope.parse($0, maximumDepth: 8) }
  }

  static let invalid: [(String, RequestID?, String, Bool)] = [
    ("", nil, version, true), (#""id":1,"method":"a""#, .number(1), version, true),
    (#""jsonrpc":2.0,"id":1,"method":"a""#, .number(1), version, true),
    (#""jsonrpc":"2.00","id":"x","method":"a""#, .string("x"), version, true),
    (#""jsonrpc":"2.0","id":true,"method":"a""#, nil, unusable, true),
    (#""jsonrpc":"2.0","id":1.0,"method":"a""#, nil, unusable, true),
    (#""jsonrpc":"2.0","id":[1],"result":1"#, nil, unusable, false),
    (#""jsonrpc":"2.0","id":9223372036854775808,"method":"a""#, nil, unusable, true),
    (#""jsonrpc":"2.0","id":1,"method":null"#, .number(1), "The member method must be a string.", true),
    (
      #""jsonrpc":"2.0","id":1,"method":"a","result":1"#, .number(1), "A message has a method or a result, not both.",
      false
    ),
    (
      #""jsonrpc":"2.0","method":"a","error":{}"#, nil, "A message has a method or a result, not both.", false
    ),
    (
      #""jsonrpc":"2.0","id":1,"method":"a","params":"b""#, .number(1),
      "The member params must be an object or an array.", true
    ),
    (#""jsonrpc":"2.0","id":null,"method":"a""#, nil, "The id of a request must not be null.", true),
    (#""jsonrpc":"2.0","result":1"#, nil, "A result needs an id.", false),
    (#""jsonrpc":"2.0","id":null,"result":1"#, nil, "A result needs an id.", false),
    (#""jsonrpc":"2.0","error":{}"#, nil, "An error needs an id, or null.", false),
    (#""jsonrpc":"2.0","id":1"#, .number(1), "A message needs a method, a result or an error.", true),
    (
      #""jsonrpc":"2.0","id":1,"result":1,"error":{}"#, .number(1), "A response has a result or an error, not both.",
      false
    ),
  ]

  @Test(arguments: invalid) func `say what is no message, and whether it wants an answer`(
    members: String, id: RequestID?, reason: String, expectsAnswer: Bool
  ) throws {
    #expect(try parse(members) == .invalid(id, reason: reason, expectsAnswer: expectsAnswer))
  }

  @Test func `let every form of a message through`() throws {
    let start = #""jsonrpc":"2.0","#
    #expect(
      try parse(start + #""id":9223372036854775807,"method":"a""#)
        == .request(.number(.max), method: "a", params: nil))
    #expect(
      try parse(start + #""id":-9223372036854775808,"method":"""#) == .request(.number(.min), method: "", params: nil))
    #expect(try parse(start + #""method":"a""#) == .notification(method: "a", params: nil))
    #expect(try parse(start + #""method":"a","params":[]"#) == .notification(method: "a", params: 39..<41))
    #expect(try parse(start + #""id":"","result":1"#) == .result(.string(""), 34..<35))
    #expect(try parse(start + #""id":null,"error":{}"#) == .failure(nil, 35..<37))
    #expect(try parse(start + #""id":5,"error":1"#) == .failure(.number(5), 32..<33))
  }

  @Test func `bound an id by bytes, not by characters`() throws {
    for (text, isUsable) in [
      (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
      (String(repeating: "é", count: 32), true), (String(repeating: "é", count: 33), false),
    ] {
      let envelope = try parse(#""jsonrpc":"2.0","id":"\#(text)","method":"a""#)
      let expected = isUsable ? Envelope.request(.string(text), method: "a", params: nil) : nil
      #expect(envelope == expected ?? .invalid(nil, reason: Self.unusable, expectsAnswer: true))
    }
    #expect(RequestID.maximumStringBytes == 64)
  }

  @Test(arguments: ["1", "null", "\"a\"", "[]", "[{}]"]) func `take other values for no message`(text: String) throws {
    let envelope = try Array(text.utf8).withUnsafeBytes { try Envelope.parse($0, maximumDepth: 8) }
    let reason =
      text.hasPrefix("[") ? "Batches are not supported: send one message at a time." : "A message is a JSON object."
    #expect(envelope == .invalid(nil, reason: reason, expectsAnswer: true))
  }

  @Test func `count the values of params that are read`() throws {
    /// What the body says of some params, whether they were read, and how many values they have.
    func noted(_ text: String?, _ body: (borrowing RawParams) throws -> Bool) rethrows -> String {
      var reading = ParamsReading()
      let isRight = try Array((text ?? "").utf8).withUnsafeBytes { bytes in
        try withUnsafeMutablePointer(to: &reading) { reading in
          try body(RawParams(text == nil ? nil : bytes, maximumDepth: 8, reading: reading))
        }
      }
      return "\(isRight) \(reading.wasRead) \(reading.values)"
    }
    #expect(noted("[1,2]") { $0.isPresent && $0.count == 5 } == "true false 0")
    #expect(try noted("[1,2]") { try $0.value() == [1, 2] } == "true true 3")
    #expect(try noted("[1,2]") { try $0.decode(JSONValue.self) == [1, 2] } == "true true 3")
    #expect(try noted(nil) { try !$0.isPresent && $0.count == 0 && $0.value() == nil } == "true true 0")
    #expect(try noted(nil) { try $0.decode([String: Int].self) == [:] } == "true true 0")
    #expect(noted("[1") { (try? $0.value()) == nil } == "true true 0")
  }

  static let broken: [(String, RequestID?)] = [
    (#"{"id":1,"result":tru}"#, .number(1)), (#"{"id":"a","result":tru}"#, .string("a")),
    ("\r\n " + #"{"id":1,"result":tru}"#, .number(1)), (#"{"result":tru,"id":120}"#, .number(120)),
    (#"{"result":tru,"id":  7 }  "#, .number(7)),
    (#"{"result":tru , "id" : 1234567890123456"# + "78\t}\r\n", .number(123_456_789_012_345_678)),
    (#"{"result":tru,"id":1234567890123456789}"#, nil), (#"{"result":tru,"id":-7}"#, nil),
    (#"{"result":tru,"id":"7"}"#, nil), (#"{"result":tru,"id":}"#, nil), (#"{"result":tru,"ix":7}"#, nil),
    (#"{"result":tru,"xd":7}"#, nil), (#"{"result":tru;"id":7}"#, nil), (#"{"result":tru,'id":7}"#, nil),
    (#"{"result":tru,"id";7}"#, nil), (#"{"result":tru,"id":7"#, nil), ("", nil), ("}", nil), ("7}", nil),
    // Of two ids neither can be known, and what calls something answers nothing.
    (#"{"id":1,"id":1,"result":1}"#, nil), (#"{"id":1,"method":"a","params":tru}"#, nil),
    (#"{"method":"a","params":tru,"id":1}"#, nil), (#"{"id":1,"result":1,"result":2}"#, .number(1)),
  ]

  @Test(arguments: broken) func `find the id of an answer that is broken`(text: String, id: RequestID?) {
    let found = Array(text.utf8).withUnsafeBytes { Envelope.idAnswered(byBroken: $0, maximumDepth: 8) }
    #expect(found == id)
  }
}
