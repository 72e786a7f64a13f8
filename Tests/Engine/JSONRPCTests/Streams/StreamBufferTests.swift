@testable import JSON
import Testing

@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `What waits for the reader of a stream` {
  private func bytes(_ count: Int, _ byte: UInt8 = 1) -> StreamChunk {
    .bytes([UInt8](repeating: byte, count: count))
  }

  /// The next piece in short: the number of its bytes or its value, and its cost.
  private func take(_ buffer: inout StreamBuffer) -> String {
    guard let (chunk, cost) = buffer.take() else { return "nothing" }
    return switch chunk {
    case .bytes(let bytes): "\(bytes.count) bytes for \(cost)"
    case .value(let value): "\(JSONCoding.text(of: value)) for \(cost)"
    }
  }

  @Test func `is joined up to 64 KiB, and never across a value`() {
    var buffer = StreamBuffer()
    for _ in 0..<2 {
      #expect(buffer.isEmpty && take(&buffer) == "nothing" && buffer.weight == 0)
      buffer.append(bytes(65_535), cost: 65_535)
      buffer.append(bytes(1), cost: 1)
      buffer.append(bytes(1), cost: 1)
      buffer.append(.value([]), cost: 2)
      buffer.append(bytes(3), cost: 3)
      buffer.append(bytes(4), cost: 4)
      buffer.append(.value(7), cost: 1)
      #expect(buffer.weight == 65_544 + 2 * JSONValue.bytesOfValue)
      #expect(take(&buffer) == "65536 bytes for 65536" && buffer.weight == 8 + 2 * JSONValue.bytesOfValue)
      #expect(take(&buffer) == "1 bytes for 1" && take(&buffer) == "[] for 2")
      #expect(!buffer.isEmpty && buffer.weight == 7 + JSONValue.bytesOfValue)
      // What was taken is not added to.
      #expect(take(&buffer) == "7 bytes for 7" && take(&buffer) == "7 for 1")
    }
    buffer.append(bytes(2, 5), cost: 2)
    #expect(take(&buffer) == "2 bytes for 2" && take(&buffer) == "nothing")
  }

  @Test func `comes in order, however much of it there is`() {
    var buffer = StreamBuffer()
    var (next, last) = (0, 0)
    for round in 1...6 {
      for _ in 0..<50 * round {
        buffer.append(.value(.integer(Int64(last))), cost: 1)
        last += 1
      }
      for _ in 0..<40 * round {
        #expect(take(&buffer) == "\(next) for 1")
        next += 1
      }
      #expect(buffer.weight == (last - next) * JSONValue.bytesOfValue)
    }
    while next < last {
      #expect(take(&buffer) == "\(next) for 1")
      next += 1
    }
    #expect(buffer.isEmpty && buffer.weight == 0 && take(&buffer) == "nothing")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A message of a stream` {
  private func read(_ text: String) throws -> StreamMessage {
    try Array(text.utf8).withUnsafeBytes { try StreamMessage($0, maximumDepth: 8) }
  }

  @Test func `has an id of 1 to 64 bytes`() throws {
    for (id, isUsable) in [
      ("", false), ("x", true), (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
      (String(repeating: "é", count: 32), true), (String(repeating: "é", count: 33), false),
    ] {
      #expect((try? read(#"{"streamID":"\#(id)"}"#))?.streamID == (isUsable ? id : nil), "\(id)")
    }
    #expect(throws: JSONError.self) { try read("{}") }
    #expect(throws: JSONError.self) { try read(#"{"streamID":"x"} 1"#) }
  }

  @Test func `costs its bytes, or the text of its value`() throws {
    let data = try read(#"{"streamID":"x","seq":9,"data":"AQID","later":[{}]}"#)
    #expect(data.chunk == .bytes([1, 2, 3]) && data.cost == 3 && data.sequence == 9 && data.error == nil)
    let value = try read(#"{"streamID":"x","value": [ "é" ] ,"credit":5}"#)
    #expect(value.chunk == .value(["é"]) && value.cost == #"[ "é" ]"#.utf8.count && value.credit == 5)
    let empty = try read(#"{"streamID":"x"}"#)
    #expect(empty.chunk == nil && empty.cost == 0 && empty.sequence == 0 && empty.credit == 0)
  }

  @Test func `has the error of its end, also one that cannot be read`() throws {
    #expect(try read(#"{"streamID":"x","error":null}"#).error == nil)
    let error = ErrorObject(code: 7, message: "m", data: [1])
    #expect(try read(#"{"streamID":"x","error":{"code":7,"message":"m","data":[1]}}"#).error == error)
    let other = ErrorObject.handlerFailed("The stream ended with an error that cannot be read.")
    for text in ["5", "{}", "[]", #"{"code":7}"#] {
      #expect(try read(#"{"streamID":"x","error":\#(text)}"#).error == other)
    }
  }

  @Test func `is of the kind that its method names`() {
    for kind in [StreamMessage.Kind.open, .data, .ack, .end, .drop] {
      #expect(StreamMessage.Kind(method: kind.method) == kind && kind.method == "$/stream/\(kind.rawValue)")
    }
    for method in ["$/stream/", "$/stream/opens", "stream/open", "open", "$/stream"] {
      #expect(StreamMessage.Kind(method: method) == nil)
    }
  }
}
