import JSON
import Testing
import WebSocket

@testable import DataConnectClient

@Suite
struct `A frame of a stream` {
  @Test func `Text has the frame in its result, bytes are the frame`() throws {
    let frame = #"{"requestId":"1","data":{"n":1},"dataEtag":"e","cancelled":true}"#
    let expected = StreamReply(
      requestID: "1", answer: DataResponse(data: ["n": 1], source: .server), etag: "e", isCancelled: true)
    #expect(try StreamReply(.text("{\"result\":\(frame)}")) == expected)
    #expect(try StreamReply(.binary(Array(frame.utf8))) == expected)
  }

  @Test func `An error of a frame says its code`() throws {
    let reply = try StreamReply(.text(#"{"error":{"requestId":"4","code":5,"message":"no"}}"#))
    #expect(reply.requestID == "4")
    #expect(reply.refusal == DataConnectFailure.Refusal(status: "NOT_FOUND", message: "no"))
  }

  @Test func `What ends with an error was refused, whatever its code`() throws {
    let error = #""errors":[{"message":"no","extensions":{"code":"ODD"}}]"#
    let ended = try StreamReply(.text(#"{"result":{"requestId":"4","cancelled":true,"data":null,\#(error)}}"#))
    #expect(ended.refusal == DataConnectFailure.Refusal(status: "ODD", message: "no"))
    #expect(try StreamReply(.text(#"{"result":{"requestId":"4","data":null,\#(error)}}"#)).refusal == nil)
  }

  @Test(arguments: ["", "[]", "3", "{\"result\":{\"data\":3}}", "{\"result\":{\"requestId\":\"1\",\"errors\":{}}}"])
  func `What is no frame is refused`(_ text: String) {
    #expect(throws: DataResponse.Misshapen.self) { try StreamReply(.text(text)) }
    #expect(throws: DataResponse.Misshapen.self) { try StreamReply(.ping([])) }
  }

  @Test func `A request that is a number is none`() throws {
    #expect(try StreamReply(.text(#"{"result":{"requestId":1,"data":{}}}"#)).requestID == nil)
  }
}
