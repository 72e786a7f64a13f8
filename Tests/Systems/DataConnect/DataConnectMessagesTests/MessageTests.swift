import DataConnectMessages
import JSON
import ProtocolBuffers
import Testing

/// Against bytes that the Python library of protocol buffers has made of the same messages.
@Suite(.timeLimit(.minutes(1)))
struct `The messages of Data Connect` {
  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  private static let variables =
    "1a350a330a0161122e322c0a0911000000000000f03f0a031a01780a0208000a0220010a122a100a0e0a016212091100000000000004c0"
  private static let call = OperationMessage(operation: "Get", variables: ["a": [1, "x", .null, true, ["b": -2.5]]])

  @Test func `are read and written as another library does`() throws {
    let request = Self.bytes("0a016e1203476574" + Self.variables)
    var expected = Self.call
    expected.connector = "n"
    #expect(try OperationMessage(request[...]) == expected)
    #expect(expected.bytes == request)
    let stream = Self.bytes("0a016e1201311a3c1203476574" + Self.variables + "42016552080a03782d61120162")
    var message = StreamRequestMessage(.subscribe(Self.call), request: "1", connector: "n")
    (message.headers, message.etag) = (["x-a": "b"], "e")
    #expect(try StreamRequestMessage(stream[...]) == message)
    #expect(message.bytes == stream)
    #expect(try StreamRequestMessage(Self.bytes("1201312a00")[...]) == StreamRequestMessage(.resume, request: "1"))
    #expect(try StreamRequestMessage(Self.bytes("1201313200")[...]) == StreamRequestMessage(.cancel, request: "1"))
    #expect(try StreamRequestMessage([]) == StreamRequestMessage(nil))
  }

  private static let response: JSONValue = [
    "data": ["m": ["n": .null, "t": "ä", "y": 1_999]],
    "errors": [["message": "no", "path": ["m", 0], "extensions": ["code": "INVALID_ARGUMENT"]]],
    "extensions": ["dataConnect": [["path": ["m"], "entityId": "i"], ["path": ["l"], "entityIds": ["a", "b"]]]],
    "dataEtag": "e", "cancelled": true,
  ]

  @Test func `answer with the bytes of another library`() {
    let data = "2d0a2b0a016d12262a240a070a016e120208000a090a017412041a02c3a40a0e0a017912091100000000003c9f40"
    let error = "1a0a026e6f1a100a031a016d0a0911000000000000000022021003"
    let notes = "1b0a0a0a050a031a016d1201690a0d0a050a031a016c1a01611a0162"
    #expect(ResponseMessage.unary(Self.response) == Self.bytes("0a\(data)12\(error)1a\(notes)"))
    #expect(
      ResponseMessage.stream(Self.response, request: "1")
        == Self.bytes("0a013112\(data)1a\(error)220165280132\(notes)"))
    #expect(ResponseMessage.unary(["data": .null]).isEmpty)
  }

  @Test func `tell places and details of errors`() {
    let error: JSONValue = [
      "message": "no", "locations": [["line": 3, "column": 5], ["line": 300, "column": -1]],
      "extensions": ["code": "INVALID_ARGUMENT", "debugDetails": "d"],
    ]
    #expect(
      ResponseMessage.unary(["errors": [error]])
        == Self.bytes("12160a026e6f120408031005120308ac02220510031a0164"))
    let bare: JSONValue = ["message": "no", "extensions": ["debugDetails": "d"]]
    #expect(ResponseMessage.unary(["errors": [bare]]) == Self.bytes("12090a026e6f22031a0164"))
  }

  @Test func `are put together of parts`() throws {
    let (one, two) = (
      OperationMessage(operation: "A", variables: ["a": 1]), OperationMessage(operation: "B", variables: ["b": 2])
    )
    #expect(try OperationMessage((one.bytes + two.bytes)[...]).variables == ["a": 1, "b": 2])
  }

  @Test func `have no more header fields than a hundred`() throws {
    var message = StreamRequestMessage(nil)
    for place in 0..<100 { message.headers["x-\(place)"] = "" }
    #expect(try StreamRequestMessage(message.bytes[...]).headers.count == 100)
    message.headers["y"] = ""
    #expect(throws: ProtobufError.self) { try StreamRequestMessage(message.bytes[...]) }
  }
}
