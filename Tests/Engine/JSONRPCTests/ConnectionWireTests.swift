import EventLoop
import JSON
import JSONRPC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `On the wire a connection` {
  @Test func `writes a request exactly so`() async throws {
    try await RawPeer.with { peer in
      async let call = peer.connection.call("a/b", Text(text: "x"), returning: Int.self, deadline: .seconds(5))
      #expect(await peer.line() == #"{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"text":"x"}}"#)
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      let result = try await call
      #expect(result == 5)
    }
  }

  @Test func `writes a block with an exact header`() async throws {
    try await RawPeer.with(.init(framing: .contentLength)) { peer in
      try await peer.connection.notify("n", [1])
      #expect(await peer.line() == "Content-Length: 43\r")
    }
  }

  static let answers: [(String, String)] = [
    (#"{"jsonrpc":"2.0","id":"a","method":"number","params":[4]}"#, #"{"jsonrpc":"2.0","id":"a","result":4}"#),
    (#"{"method":"number","params":[4],"id":-9,"jsonrpc":"2.0"}"#, #"{"jsonrpc":"2.0","id":-9,"result":4}"#),
    (
      #"{"jsonrpc":"2.0","id":"\u0031\"","method":"number","params":[4],"more":[{}]}"#,
      #"{"jsonrpc":"2.0","id":"1\"","result":4}"#
    ),
  ]

  @Test(arguments: answers) func `answers with the id as it came`(request: String, answer: String) async throws {
    try await RawPeer.with { peer in
      await peer.send(request + "\n")
      #expect(await peer.line() == answer)
    }
  }

  static let refused: [(String, JSONValue, Int)] = [
    ("{", .null, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":[4}"#, .null, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":[01]}"#, 1, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":[1e400]}"#, 1, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"wait","params":{"a":1,"a":2}}"#, 1, -32700),
    (#"{"jsonrpc":"2.0","id":1,"id":2,"method":"wait"}"#, .null, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":["\ud800"]}"#, 1, -32700),
    (#"[{"jsonrpc":"2.0","id":1,"method":"number","params":[1]}]"#, .null, -32600),
    (#"{"id":1,"method":"number","params":[1]}"#, 1, -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"number","params":[1]}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"number"}"#, .null, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"number"}"#, .null, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":5}"#, 1, -32600),
    ("print", .null, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":5}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1}"#, 1, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"number","params":{"a":1}}"#, 1, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"number"}"#, 1, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"#, 1, -32601),
    // Whether a message is valid does not depend on its handler.
    (#"{"jsonrpc":"2.0","id":1,"method":"nothing","params":[01]}"#, 1, -32700),
    (#"{"jsonrpc":"2.0","id":1,"method":"note","params":[1]}"#, 1, -32603),
  ]

  @Test(arguments: refused) func `refuses what is no request`(line: String, id: JSONValue, code: Int) async throws {
    try await RawPeer.with { peer in
      await peer.send(line + "\n")
      let answer = try await peer.value()
      #expect(answer?["id"] == id)
      #expect(answer?["error"]?["code"]?.integerValue == Int64(code))
    }
  }

  @Test func `says what it took for no message`() async throws {
    try await RawPeer.with { peer in
      await peer.send("print it\r\n")
      let message = #"\"print it\" is not a JSON-RPC message."#
      #expect(
        await peer.line() == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"\#(message)"}}"#)
      #expect(peer.events == [.noise(Noise(count: 10, beginning: "print it\r\n"))])
    }
  }

  @Test func `takes the id of a request again that was refused`() async throws {
    try await RawPeer.with(.init(maximumInFlight: 1)) { peer in
      for _ in 0..<3 {
        await peer.send(#"{"jsonrpc":"2.0","id":1,"method":"nothing"}"# + "\n")
        let refusal = try await peer.value()
        #expect(refusal?["error"]?["code"] == -32601)
        await peer.send(#"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"# + "\n")
        let answer = try await peer.value()
        #expect(answer?["result"] == 4)
      }
      #expect(peer.events == [])
    }
  }

  @Test func `reports a notification with params that nobody reads and that are not valid`() async throws {
    try await RawPeer.with { peer in
      await peer.notify("wait", #"{"a":1,"a":2}"#)
      await peer.notify("nothing", "{}")
      try await peer.settle()
      #expect(peer.events.count == 2)
      guard case .notificationFailed("wait", let error) = peer.events.first else {
        Issue.record("\(peer.events)")
        return
      }
      #expect(error.code == ErrorObject.parseErrorCode)
      #expect(peer.events.last == .notificationFailed(method: "nothing", .methodNotFound("nothing")))
      #expect(peer.handler.gate.count == 0)
    }
  }

  @Test func `writes the name of any method, and counts the bytes of its text`() async throws {
    try await RawPeer.with { peer in
      let long = String(repeating: "m", count: 300)
      try await peer.connection.notify("a\"é", ["é"])
      try await peer.connection.notify(long, [1])
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"a\"é","params":["é"]}"#)
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"\#(long)","params":[1]}"#)
    }
    try await RawPeer.with(.init(framing: .contentLength)) { peer in
      try await peer.connection.notify("n", ["é"])
      #expect(await peer.line() == "Content-Length: 46\r")
    }
  }

  @Test func `sends messages up to the limit of bytes, and not one more`() async throws {
    // 200 bytes, with 52 around them, the line end among these.
    let text = Text(text: String(repeating: "é", count: 100))
    for (limit, isSent) in [(252, true), (251, false)] {
      try await RawPeer.with(.init(maximumFrameBytes: limit)) { peer in
        if isSent {
          try peer.connection.post("n", text)
          #expect(await peer.line()?.utf8.count == 251)
        } else {
          let error = #expect(throws: ErrorObject.self) { try peer.connection.post("n", text) }
          #expect(error == .frameTooLarge("A message of 252 bytes is over the limit of 251."))
        }
        try await peer.connection.notify("b", [1])
        #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"b","params":[1]}"#)
      }
    }
  }

  @Test func `cancels a call at the peer once, and takes no answer for it but that it was cancelled`() async throws {
    try await RawPeer.with(.init(cancellationGrace: .milliseconds(20))) { peer in
      let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
      let ignored = Task { try await peer.connection.call("a", [0], returning: Int.self, deadline: nil) }
      _ = await peer.line()
      ignored.cancel()
      #expect(await peer.line() == cancel)
      await #expect(throws: ErrorObject.cancelled()) { try await ignored.value }
      try await peer.connection.notify("b", [1])
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"b","params":[1]}"#, "it was cancelled before")
    }
    try await RawPeer.with(.init(cancellationGrace: .seconds(50))) { peer in
      let answered = Task { try await peer.connection.attempt("a", [0], returning: Int.self, deadline: nil) }
      _ = await peer.line()
      answered.cancel()
      _ = await peer.line()
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      let failure = await #expect(throws: CallFailure.self) { try await answered.value }
      guard case .found(let object) = failure, object == .cancelled() else {
        Issue.record("\(String(describing: failure))")
        return
      }
      // Its answer came in time.
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      await until { peer.events == [.duplicateResponse(.number(1))] }
    }
  }

  @Test(arguments: ["{}", "5", #"{"code":"1","message":"m"}"#, #"{"code":1}"#])
  func `takes an error that is none for a wrong answer`(error: String) async throws {
    try await RawPeer.with { peer in
      let call = Task { try await peer.connection.attempt("a", [0], returning: Int.self, deadline: .seconds(40)) }
      _ = await peer.line()
      await peer.send(#"{"jsonrpc":"2.0","id":1,"error":\#(error)}"# + "\n")
      let failure = await #expect(throws: CallFailure.self) { try await call.value }
      guard case .misanswered(let object) = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(object.code == ErrorObject.protocolViolationCode)
    }
  }

  @Test(arguments: Framing.allCases) func `shows each message to its tap, in either direction`(framing: Framing)
    async throws
  {
    let seen = Mutex<[String]>([])
    var configuration = Connection.Configuration(framing: framing)
    configuration.tap = FrameTap { direction, bytes in
      seen.withLock { $0.append("\(direction) \(String(decoding: bytes, as: UTF8.self))") }
    }
    let request = #"{"jsonrpc":"2.0","id":7,"method":"number","params":[4]}"#
    try await RawPeer.with(configuration) { peer in
      await peer.send(framing == .lines ? request + "\n" : "Content-Length: \(request.utf8.count)\r\n\r\n" + request)
      await until { seen.withLock { $0.count } == 2 }
    }
    #expect(
      seen.withLock { $0 } == ["incoming \(request)", #"outgoing {"jsonrpc":"2.0","id":7,"result":4}"#])
  }

  @Test func `survives 100,000 nested arrays, a byte order mark, NUL and broken UTF-8`() async throws {
    try await RawPeer.with { peer in
      await peer.send(String(repeating: "[", count: 100_000) + "\n")
      try await #expect(peer.value()?["error"]?["code"] == -32700)
      await peer.send([0xEF, 0xBB, 0xBF] + Array("{}\n".utf8))
      try await #expect(peer.value()?["error"]?["code"] == -32700)
      await peer.send([0x7B, 0x00, 0x7D, 0x0A])
      try await #expect(peer.value()?["error"]?["code"] == -32700)
      await peer.send([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D, 0x0A])
      try await #expect(peer.value()?["error"]?["code"] == -32700)
      await peer.send(#"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"# + "\n")
      try await #expect(peer.value()?["result"] == 4)
    }
  }

  static let strayResponses: [(String, WireEvent)] = [
    (#"{"jsonrpc":"2.0","id":99,"result":1}"#, .unknownResponse(.number(99))),
    (#"{"jsonrpc":"2.0","id":"1","result":1}"#, .unknownResponse(.string("1"))),
    (#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}"#, .anonymousError(.init(code: 1, message: "m"))),
    (#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#, .invalid("A response has a result or an error, not both.")),
    (#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"z"}}"#, .unknownCancellation(.string("z"))),
    (#"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#, .unknownCancellation(nil)),
    ("Hello, world!", .noise(Noise(count: 14, beginning: "Hello, world!\n"))),
  ]

  @Test(arguments: strayResponses) func `never gives a stray response to a caller`(
    line: String, event: WireEvent
  ) async throws {
    try await RawPeer.with { peer in
      async let call = peer.connection.call("a", [0], returning: Int.self, deadline: .seconds(20))
      _ = await peer.line()
      await peer.send(line + "\n")
      await until { !peer.events.isEmpty }
      #expect(peer.events == [event])
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n" + #"{"jsonrpc":"2.0","id":1,"result":6}"# + "\n")
      let result = try await call
      #expect(result == 5)
      await until { peer.events.count == 2 }
      #expect(peer.events.last == .duplicateResponse(.number(1)))
    }
  }

  /// Whole and broken off, with the id at the beginning and at the end.
  static let brokenAnswers = [
    #"{"jsonrpc":"2.0","id":1,"result":{"a":tru}}"#, #"{"jsonrpc":"2.0","result":{"a":tru},"id":1}"#,
    #"{"result":"a\nb"  , "id" : 1 }"#, #"{"jsonrpc":"2.0","id":1,"result":"a"#,
    "{\"jsonrpc\":\"2.0\",\"result\":\"\u{7}\",\"id\":1}",
  ].map { $0.replacing(#"\n"#, with: "\u{1}") }

  @Test(arguments: [Framing.lines, .contentLength], brokenAnswers)
  func `fails the call of a broken answer at once, wherever its id stands`(framing: Framing, answer: String)
    async throws
  {
    try await RawPeer.with(.init(framing: framing)) { peer in
      async let call = peer.connection.call("a", [0], returning: Int.self, deadline: .seconds(40))
      _ = await peer.line()
      await peer.send(framing == .lines ? answer + "\n" : "Content-Length: \(answer.utf8.count)\r\n\r\n" + answer)
      do {
        let result = try await call
        Issue.record("\(result)")
      } catch let error as ErrorObject {
        #expect(error.code == -32010, "\(error)")
      }
    }
  }

  /// Another id, and what is no answer.
  @Test(arguments: [
    #"{"id":2,"result":tru,"id":1}"#, #"{"method":"b","x":tru,"id":1}"#,
  ])
  func `fails no call that a broken message may not be for`(message: String) async throws {
    try await RawPeer.with { peer in
      async let call = peer.connection.call("a", [0], returning: Int.self, deadline: .seconds(40))
      _ = await peer.line()
      await peer.send(message + "\n" + #"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      let result = try await call
      #expect(result == 5)
    }
  }

  @Test func `counts an answer after the deadline as late`() async throws {
    try await RawPeer.with { peer in
      let error = await #expect(throws: ErrorObject.self) {
        try await peer.connection.call("a", [0], returning: Int.self, deadline: .milliseconds(10))
      }
      #expect(error?.code == ErrorObject.deadlineExceededCode)
      _ = await peer.line()
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
      await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
      await until { peer.events == [.lateResponse(.number(1))] }
    }
  }

  @Test func `keeps the order of notifications`() async throws {
    try await RawPeer.with { peer in
      var text = ""
      for index in 0..<5000 { text += #"{"jsonrpc":"2.0","method":"note","params":[\#(index)]}"# + "\n" }
      await peer.send(text)
      await until { peer.handler.heard.withLock { $0.notifications.count } == 5000 }
      #expect(peer.handler.heard.withLock { $0.notifications } == Array(0..<5000))
    }
  }

  @Test func `cancels the handler that the peer names, and answers once`() async throws {
    try await RawPeer.with { peer in
      await peer.send(#"{"jsonrpc":"2.0","id":"w","method":"wait"}"# + "\n")
      await until { peer.handler.gate.count == 1 }
      await peer.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"w"}}"# + "\n")
      let answer = try await peer.value()
      #expect(answer?["id"] == "w")
      #expect(answer?["error"]?["code"]?.integerValue == -32800)
      await peer.send(#"{"jsonrpc":"2.0","id":2,"method":"number","params":[4]}"# + "\n")
      try await #expect(peer.value()?["id"] == 2)
    }
  }

  @Test func `cancels a request that came in the same chunk`() async throws {
    try await RawPeer.with { peer in
      await peer.send(
        #"{"jsonrpc":"2.0","id":1,"method":"wait"}"# + "\n"
          + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + "\n")
      try await #expect(peer.value()?["error"]?["code"]?.integerValue == -32800)
    }
  }

  @Test func `ignores a request with an id in use, and refuses too many at once`() async throws {
    try await RawPeer.with(.init(maximumInFlight: 2)) { peer in
      for id in [1, 1, 2, 3] { await peer.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"wait"}"# + "\n") }
      let answer = try await peer.value()
      #expect(answer?["id"] == 3)
      #expect(answer?["error"]?["code"]?.integerValue == -32005)
      #expect(peer.events == [.duplicateRequest(.number(1)), .tooManyRequests(.number(3))])
      peer.handler.gate.open()
      try await #expect(Set([peer.value()?["id"], peer.value()?["id"]]) == [1, 2])
    }
  }
}
