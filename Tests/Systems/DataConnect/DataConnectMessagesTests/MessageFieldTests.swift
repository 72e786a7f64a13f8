import DataConnectMessages
import JSON
import ProtocolBuffers
import Testing

/// Fields that are absent, that come twice, and that nobody knows.
@Suite(.timeLimit(.minutes(1)))
struct `A field of a message` {
  /// The bytes of a field with text or of a message within a message.
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  private static func field(_ number: UInt8, _ text: String) -> [UInt8] { field(number, Array(text.utf8)) }

  @Test func `that is absent is empty or none`() throws {
    let none = try OperationMessage([])
    #expect(none.connector == "" && none.operation == "" && none.variables == [:])
    #expect(none == OperationMessage(operation: "") && none.bytes == [])
    #expect(OperationMessage(operation: "ä").bytes == Self.field(2, "ä"))
    #expect(OperationMessage(connector: "c", operation: "").bytes == Self.field(1, "c"))
    let stream = try StreamRequestMessage([])
    #expect(stream.connector == nil && stream.request == nil && stream.etag == nil && stream.action == nil)
    #expect(stream.headers == [:] && stream.bytes == [])
  }

  @Test func `that is an empty text is none in a stream`() throws {
    let bytes = Self.field(1, "") + Self.field(2, "") + Self.field(8, "")
    #expect(try StreamRequestMessage(bytes[...]) == StreamRequestMessage(nil))
    let later = Self.field(2, "a") + Self.field(1, "b") + Self.field(8, "c") + bytes
    #expect(try StreamRequestMessage(later[...]) == StreamRequestMessage(nil))
  }

  @Test func `that comes twice counts as it came last`() throws {
    let call = Self.field(1, "a") + Self.field(2, "b") + Self.field(1, "c") + Self.field(2, "d")
    #expect(try OperationMessage(call[...]) == OperationMessage(connector: "c", operation: "d"))
    let actions = Self.field(5, "") + Self.field(6, "") + Self.field(4, Self.field(2, "x"))
    #expect(try StreamRequestMessage(actions[...]).action == .execute(OperationMessage(operation: "x")))
    #expect(
      try StreamRequestMessage((actions + Self.field(3, ""))[...]).action == .subscribe(OperationMessage(operation: ""))
    )
    #expect(try StreamRequestMessage((actions + Self.field(5, ""))[...]).action == .resume)
    #expect(try StreamRequestMessage((actions + Self.field(6, ""))[...]).action == .cancel)
  }

  @Test func `that nobody knows is passed over`() throws {
    let unknown: [UInt8] = [0x70, 0x01] + Self.field(15, "x") + [0x3D, 1, 2, 3, 4]
    let call = unknown + Self.field(2, "b") + unknown
    #expect(try OperationMessage(call[...]) == OperationMessage(operation: "b"))
    let stream = unknown + Self.field(2, "1") + Self.field(7, "x") + Self.field(9, "y") + Self.field(6, "")
    #expect(try StreamRequestMessage(stream[...]) == StreamRequestMessage(.cancel, request: "1"))
    let header = unknown + Self.field(1, "N") + Self.field(2, "v") + unknown
    #expect(try StreamRequestMessage(Self.field(10, header)[...]).headers == ["n": "v"])
  }

  @Test func `of another type or cut off is an error`() {
    for bytes: [UInt8] in [
      [0x08, 0x01], [0x10, 0x01], [0x18, 0x01], [0x0A, 0x02, 0x61], [0x12, 0x01, 0xFF], [0x12],
    ] {
      #expect(throws: ProtobufError.self, "\(bytes)") { try OperationMessage(bytes[...]) }
      #expect(throws: ProtobufError.self, "\(bytes)") { try StreamRequestMessage(bytes[...]) }
    }
    for bytes: [UInt8] in [[0x20, 0x01], [0x40, 0x01], [0x50, 0x01], Self.field(4, [0x10, 0x01])] {
      #expect(throws: ProtobufError.self, "\(bytes)") { try StreamRequestMessage(bytes[...]) }
    }
  }

  @Test func `of a header is known by its name in any case`() throws {
    let one = Self.field(10, Self.field(1, "X-A") + Self.field(2, "1"))
    let two = Self.field(10, Self.field(2, "2") + Self.field(1, "x-a"))
    let bare = Self.field(10, Self.field(1, "É")) + Self.field(10, "")
    #expect(try StreamRequestMessage((one + two + bare)[...]).headers == ["x-a": "2", "é": "", "": ""])
    var message = StreamRequestMessage(.cancel)
    message.headers = ["b": "2", "a": "1", "c": ""]
    #expect(
      message.bytes == [0x32, 0x00]
        + ["a1", "b2"].flatMap { text in
          Self.field(10, Self.field(1, String(text.prefix(1))) + Self.field(2, String(text.suffix(1))))
        } + Self.field(10, Self.field(1, "c") + Self.field(2, "")))
  }

  @Test func `of a header counts once however often it comes`() throws {
    var bytes: [UInt8] = []
    for number in 0..<100 { bytes += Self.field(10, Self.field(1, "x\(number)")) }
    let again = bytes + Self.field(10, Self.field(1, "X0") + Self.field(2, "new"))
    let message = try StreamRequestMessage(again[...])
    #expect(message.headers.count == 100 && message.headers["x0"] == "new" && message.headers["x1"] == "")
    let more = again + Self.field(10, Self.field(1, "x100"))
    #expect(throws: ProtobufError("The message has too many header fields.")) {
      try StreamRequestMessage(more[...])
    }
  }

  @Test func `of a call comes back as it went, in each kind of message`() throws {
    let call = OperationMessage(connector: "c", operation: "é", variables: ["a": [.null, 1, "ß", ["b": false]]])
    #expect(try OperationMessage(call.bytes[...]) == call)
    for action: StreamRequestMessage.Action? in [.subscribe(call), .execute(call), .resume, .cancel, nil] {
      var message = StreamRequestMessage(action, request: "1", connector: "k")
      message.etag = "e"
      message.headers = ["a": "1"]
      #expect(try StreamRequestMessage(message.bytes[...]) == message)
    }
  }

  @Test func `of an answer is left out where there is nothing`() {
    #expect(ResponseMessage.unary(.null) == [] && ResponseMessage.unary([:]) == [])
    #expect(ResponseMessage.unary(["data": [:]]) == Self.field(1, ""))
    #expect(ResponseMessage.unary(["data": [], "errors": [], "extensions": [:]]) == [])
    #expect(ResponseMessage.unary(["extensions": ["dataConnect": []]]) == Self.field(3, ""))
    #expect(ResponseMessage.stream([:], request: nil) == [])
    #expect(ResponseMessage.stream([:], request: "") == Self.field(1, ""))
    #expect(ResponseMessage.stream(["cancelled": false, "dataEtag": .null], request: "1") == Self.field(1, "1"))
    #expect(ResponseMessage.stream(["cancelled": "true", "dataEtag": ""], request: nil) == Self.field(4, ""))
    #expect(ResponseMessage.stream(["cancelled": true], request: nil) == [0x28, 0x01])
    #expect(ResponseMessage.unary(["cancelled": true, "dataEtag": "e"]) == [])
  }

  @Test func `of an error is left out where there is nothing`() {
    func error(_ value: JSONValue) -> [UInt8] { ResponseMessage.unary(["errors": [value]]) }
    #expect(error([:]) == Self.field(2, "") && error(["message": ""]) == Self.field(2, Self.field(1, "")))
    #expect(error(["extensions": [:], "locations": [], "message": 1]) == Self.field(2, ""))
    #expect(error(["extensions": ["code": "NO_SUCH_CODE"]]) == Self.field(2, ""))
    #expect(error(["extensions": ["code": "NOT_FOUND"]]) == Self.field(2, Self.field(4, [0x10, 0x05])))
    #expect(error(["extensions": ["debugDetails": ""]]) == Self.field(2, Self.field(4, Self.field(3, ""))))
    #expect(error(["path": []]) == Self.field(2, Self.field(3, "")))
    #expect(
      ResponseMessage.unary(["errors": [["message": "a"], ["message": "b"]]])
        == Self.field(2, Self.field(1, "a")) + Self.field(2, Self.field(1, "b")))
  }

  @Test func `of a place is a number above zero of thirty-two bits`() {
    func place(_ line: JSONValue, _ column: JSONValue = .null) -> [UInt8] {
      ResponseMessage.unary(["errors": [["locations": [["line": line, "column": column]]]]])
    }
    func expected(_ bytes: [UInt8]) -> [UInt8] { Self.field(2, Self.field(2, bytes)) }
    #expect(place(1, 2) == expected([0x08, 0x01, 0x10, 0x02]))
    #expect(place(0, 1) == expected([0x10, 0x01]) && place(-1, 0) == expected([]))
    #expect(place(2_147_483_647) == expected([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0x07]))
    #expect(place(2_147_483_648) == expected([]) && place("1") == expected([]))
  }

  @Test func `of a row has its name or those of its rows`() {
    func note(_ value: JSONValue) -> [UInt8] { ResponseMessage.unary(["extensions": ["dataConnect": [value]]]) }
    #expect(note([:]) == Self.field(3, Self.field(1, "")))
    #expect(note(["entityId": ""]) == Self.field(3, Self.field(1, Self.field(2, ""))))
    #expect(
      note(["entityIds": ["a", .null, "b"], "entityId": 1])
        == Self.field(3, Self.field(1, Self.field(3, "a") + Self.field(3, "") + Self.field(3, "b"))))
    #expect(note(["path": []]) == Self.field(3, Self.field(1, Self.field(1, ""))))
  }
}
