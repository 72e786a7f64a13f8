import JSON
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `An error object` {
  private func text(_ error: ErrorObject) throws -> String {
    String(decoding: try JSONCoding.encode(error), as: UTF8.self)
  }

  private func read(_ text: String) throws -> ErrorObject {
    try JSONCoding.decode(ErrorObject.self, from: Array(text.utf8))
  }

  @Test(
    arguments: [
      (nil, #"{"code":-7,"message":"é"}"#), (.null, #"{"code":-7,"message":"é","data":null}"#),
      (["a": 1], #"{"code":-7,"message":"é","data":{"a":1}}"#),
    ] as [(JSONValue?, String)])
  func `is written with its data or without, and read back so`(data: JSONValue?, expected: String) throws {
    let error = ErrorObject(code: -7, message: "é", data: data)
    #expect(try text(error) == expected)
    #expect(try read(expected) == error)
    let frame = OutgoingFrame.failure(nil, error, .lines)
    let line = frame.withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(line == #"{"jsonrpc":"2.0","id":null,"error":\#(expected)}"# + "\n")
  }

  @Test(arguments: [#"{"message":"m"}"#, #"{"code":1}"#, #"{"code":"1","message":"m"}"#, "[]", "null"])
  func `has a code and a message`(text: String) { #expect(throws: (any Error).self) { try read(text) } }

  @Test func `is described by its message, its code and its data`() {
    #expect("\(ErrorObject(code: 1, message: "M."))" == "M. (1)")
    #expect("\(ErrorObject(code: 1, message: "M.", data: .null))" == "M. (1, null)")
    #expect(ErrorObject(code: 1, message: "é").weight == 2)
    #expect(ErrorObject(code: 1, message: "é", data: 7).weight == 2 + JSONValue.bytesOfValue)
  }

  private struct Named: ErrorObjectConvertible {
    var errorObject: ErrorObject { ErrorObject(code: 5, message: "Named.") }
  }

  private struct Other: Error, CustomStringConvertible { let description = "Other" }

  @Test func `is what a handler has thrown, in its own words where it has some`() {
    #expect(ErrorObject(thrownByHandler: ErrorObject(code: 3, message: "m")) == ErrorObject(code: 3, message: "m"))
    #expect(ErrorObject(thrownByHandler: CancellationError()) == .cancelled())
    #expect(ErrorObject(thrownByHandler: Named()) == ErrorObject(code: 5, message: "Named."))
    #expect(ErrorObject(thrownByHandler: Other()) == .handlerFailed("Other"))
    #expect(ErrorObject(decodingParams: Named()) == ErrorObject(code: 5, message: "Named."))
    #expect(ErrorObject(decodingParams: Other()) == .invalidParams("Other"))
    let missing = JSONError(.missingMember("a"), at: 1)
    #expect(ErrorObject(decodingParams: missing) == .invalidParams(missing.description))
    let mismatch = JSONError(.mismatch(expected: "a"), at: 1)
    #expect(ErrorObject(decodingParams: mismatch) == .invalidParams(mismatch.description))
    let end = JSONError(.unexpectedEnd, at: 1)
    #expect(ErrorObject(decodingParams: end) == .parseError("In the params: \(end)"))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The codes of errors` {
  @Test func `are these`() {
    let errors: [(ErrorObject, Int)] = [
      (.parseError("m"), -32700), (.invalidRequest("m"), -32600), (.methodNotFound("m"), -32601),
      (.invalidParams("m"), -32602), (.internalError("m"), -32603), (.handlerFailed("m"), -32000),
      (.peerExited("m"), -32001), (.frameTooLarge("m"), -32004), (.queueFull("m"), -32005),
      (.deadlineExceeded("m"), -32006), (.responseUnserialisable("m"), -32008), (.streamUnknown("m"), -32009),
      (.protocolViolation("m"), -32010), (.cancelled("m"), -32800),
    ]
    for (error, code) in errors { #expect(error.code == code && error.data == nil, "\(code)") }
    #expect(errors.count { $0.0.message == "m" } == 13 && errors[2].0.message == "There is no method m.")
    #expect(ErrorObject.invalidParams("m", data: 1).data == 1 && ErrorObject.peerExited("m", data: 2).data == 2)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `An id of a request` {
  @Test(
    arguments: [
      (.number(1), "1"), (.number(.min), "\(Int64.min)"), (.string("1"), #""1""#), (.string(""), #""""#),
    ] as [(RequestID, String)])
  func `is written as it came, and described so`(id: RequestID, text: String) throws {
    #expect(String(decoding: try JSONCoding.encode([id]), as: UTF8.self) == "[\(text)]")
    #expect(try JSONCoding.decode([RequestID].self, from: Array("[\(text)]".utf8)) == [id])
    #expect("\(id)" == text)
  }

  @Test(arguments: ["null", "true", "1.5", "[]", "{}"]) func `is a number or a string`(text: String) {
    #expect(throws: (any Error).self) { try JSONCoding.decode([RequestID].self, from: Array("[\(text)]".utf8)) }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The reason why a connection ended` {
  static let reasons: [(CloseReason, String, Bool)] = [
    (.finished, "finished", true), (.cancelled, "cancelled", false), (.peerClosed, "peerClosed", true),
    (.protocolViolation(.duplicateLength), "protocolViolation", false),
    (.partialMessage(.seconds(1)), "partialMessage", false), (.writeStalled(.seconds(1)), "writeStalled", false),
    (.outgoingQueueFull(limit: 1), "outgoingQueueFull", false),
    (.notificationFlood(NotificationLimit()), "notificationFlood", false),
    (.ledgerExceeded(.init(held: 2, ceiling: 1)), "ledgerExceeded", false),
    (.readFailed(errno: 5), "readFailed", false), (.writeFailed(errno: 5), "writeFailed", false),
  ]

  @Test(arguments: reasons) func `has a word, and says whether something may still be sent`(
    reason: CloseReason, name: String, allowsSending: Bool
  ) {
    #expect(reason.name == name && reason.allowsSending == allowsSending)
    let error = reason.errorObject
    #expect(error.code == ErrorObject.peerExitedCode && error.data == ["reason": .string(name)])
    #expect(error.message == reason.description)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The limits of a connection` {
  @Test func `are these unless others are given`() {
    let limits = Connection.Configuration()
    #expect(limits.framing == .lines && limits.maximumFrameBytes == 4 << 20 && limits.maximumDepth == 64)
    #expect(limits.maximumOutgoingBytes == 8 << 20 && limits.maximumInFlight == 64 && limits.maximumHeldBytes == .max)
    #expect(limits.writeStall == .seconds(5) && limits.partialMessage == .seconds(10))
    #expect(limits.cancellationGrace == .seconds(2) && limits.streamStall == .seconds(30))
    #expect(limits.streamWindow == 256 << 10 && limits.notifications == nil && limits.tap == nil)
    #expect(limits.malformed == .reply)
    #expect(Connection.maximumNotifications == 1_024 && Connection.highWater == 1 << 20)
    #expect(AnonymousErrorLimit.burst == 16 && AnonymousErrorLimit.interval == 250_000_000)
    #expect(ProgressMeter.interval == 100_000_000 && StreamTable.limit == 64)
  }

  @Test func `let one notification a second through at least`() {
    #expect(NotificationLimit() == NotificationLimit(perSecond: 200, burst: 1_000, grace: .seconds(30)))
    let least = NotificationLimit(perSecond: 0, burst: -1)
    #expect(least.perSecond == 1 && least.burst == 1)
  }
}
