import EventLoop
import Synchronization
import TestSupport
import Testing

@testable import JSON
@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The member _meta` {
  private static let trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

  private func find(_ text: String) -> MessageMeta? {
    Array(text.utf8).withUnsafeBytes { MessageMeta.find(in: $0, maximumDepth: 64)?.meta }
  }

  @Test func `is read wherever it stands`() {
    let text = #"""
      {"a_b":{"_meta":{"requestID":"wrong"}},"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "tracestate":"v=1","deadlineMs":1500,"progressToken":7,"requestID":"r1","later":[{}]},"z":1}
      """#
    let meta = find(text)
    #expect(meta?.trace?.traceID == Self.trace?.traceID)
    #expect(meta?.trace?.state == "v=1")
    #expect(meta?.deadlineMs == 1500)
    #expect(meta?.progressToken == .number(7))
    #expect(meta?.requestID == "r1")
  }

  static let others = [
    #"{}"#, #"[{"_meta":{}}]"#, #"{"a":"_meta"}"#, #"{"a":"\"_meta\""}"#, #"{"_meta":5}"#, #"{"_meta":null}"#,
    #"{"_meta":{"#, #"{"_met_":{},"_":1}"#, #"{"a":"_meta"#,
  ]

  @Test(arguments: others) func `is not found where there is none`(text: String) { #expect(find(text) == nil) }

  @Test(arguments: [
    #"{"_meta":{"traceparent":"nonsense","deadlineMs":"5","progressToken":[],"requestID":5}}"#,
    #"{"_meta":{"deadlineMs":1.5,"progressToken":1e99}}"#, #"{"_meta":{}}"#,
  ])
  func `is a hint: what has another shape is left out`(text: String) { #expect(find(text) == MessageMeta()) }

  @Test func `has a token of at most 64 bytes`() {
    for (token, isTaken) in [
      (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
      (String(repeating: "é", count: 32), true), (String(repeating: "é", count: 33), false), ("", true),
    ] {
      let meta = find(#"{"_meta":{"progressToken":"\#(token)"}}"#)
      #expect(meta != nil && meta?.progressToken == (isTaken ? .string(token) : nil))
    }
    #expect(find(#"{"_meta":{"progressToken":-5,"deadlineMs":-1}}"#)?.progressToken == .number(-5))
    #expect(find(#"{"_meta":{"deadlineMs":-1}}"#)?.deadlineMs == -1)
  }

  @Test func `is looked for by its name, wherever that stands in the text`() async {
    func has(_ text: [UInt8]) -> Bool { text.withUnsafeBytes { MessageMeta.hasName($0) } }
    let name = Array(#""_meta""#.utf8)
    #expect(has(name) && !has(Array(name.dropLast())) && !has(Array(name.dropFirst())) && !has([]))
    let failure = await RandomSteps.failure(seeds: 1...100, steps: 100) { steps in
      for step in steps {
        var chance = RandomSteps.Chance(step)
        // Parts of the name, over and over.
        var text: [UInt8] = []
        for _ in 0..<chance.number(0...6) { text += name.dropFirst(chance.number(0...7)).prefix(chance.number(0...7)) }
        if has(text) != (text.firstRange(of: name) != nil) { return String(decoding: text, as: UTF8.self) }
      }
      return nil
    }
    #expect(failure == nil)
  }

  @Test func `has a state and a token that is a text, where there are such`() {
    var meta = MessageMeta(
      trace: TraceContext(traceparent: TraceContext.root().traceparent, tracestate: "v=1"), deadlineMs: -3)
    meta.progressToken = .string("t\"")
    let text = inserted(meta, "{}")
    #expect(text.contains(#","tracestate":"v=1","deadlineMs":-3,"progressToken":"t\"""#) && find(text) == meta)
    #expect(inserted(MessageMeta(requestID: "r"), #"{"a":1}"#) == #"{"_meta":{"requestID":"r"},"a":1}"#)
    #expect(!meta.isEmpty && MessageMeta().isEmpty && !MessageMeta(deadlineMs: 0).isEmpty)
  }

  @Test func `goes with notifications, and belongs to a request within another`() async throws {
    try await RawPeer.with { peer in
      try await peer.connection.notify("a", JSONValue.object([:]))
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"a","params":{}}"#)
      try await MessageMeta.withRequest("outer") {
        let outer = try #require(MessageMeta.current?.trace)
        try await MessageMeta.withRequest("inner") {
          let inner = try #require(MessageMeta.current?.trace)
          #expect(inner.traceID == outer.traceID && inner.spanID != outer.spanID)
          try await peer.connection.notify("a", JSONValue.object([:]))
          let header = inner.traceparent
          #expect(
            await peer.line()
              == #"{"jsonrpc":"2.0","method":"a","params":{"_meta":{"traceparent":"\#(header)","requestID":"inner"}}}"#)
        }
        #expect(MessageMeta.current?.requestID == "outer" && MessageMeta.current?.trace == outer)
      }
    }
  }

  @Test func `says nothing of the time and the reports of the request that it is sent within`() async throws {
    try await RawPeer.with { peer in
      var meta = MessageMeta(deadlineMs: 5, requestID: "r")
      meta.progressToken = .number(9)
      try await MessageMeta.$carried.withValue(CarriedMeta(meta)) {
        let params = #""params":{"_meta":{"requestID":"r"}}}"#
        try await peer.connection.notify("a", JSONValue.object([:]))
        #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"a","# + params)
        async let call = peer.connection.call("a", JSONValue.object([:]), returning: Int.self, deadline: nil)
        #expect(await peer.line() == #"{"jsonrpc":"2.0","id":1,"method":"a","# + params)
        await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
        #expect(try await call == 5)
      }
    }
  }

  @Test func `says how long the caller waits in all`() async throws {
    try await RawPeer.with { peer in
      let limits: [(Duration?, Duration?, JSONValue?)] = [
        (.seconds(50), .seconds(70), 70_000), (.seconds(50), nil, 50_000), (nil, .seconds(70), 70_000), (nil, nil, nil),
        (Duration.seconds(50) + .microseconds(1_999), nil, 50_001),
      ]
      for (number, (deadline, hard, expected)) in limits.enumerated() {
        async let call = peer.connection.call(
          "a", JSONValue.object([:]), returning: Int.self, deadline: deadline, hardDeadline: hard, onProgress: { _ in })
        let meta = try await peer.value()?["params"]?["_meta"]
        #expect(meta?["deadlineMs"] == expected && meta?["progressToken"] == .integer(Int64(number + 1)))
        #expect(meta?["requestID"] == nil && meta?["traceparent"] == nil)
        await peer.send(#"{"jsonrpc":"2.0","id":\#(number + 1),"result":5}"# + "\n")
        #expect(try await call == 5)
      }
    }
  }

  @Test func `is put in front of the params, if they are an object`() {
    var meta = MessageMeta(trace: Self.trace, deadlineMs: 5, requestID: "r")
    meta.progressToken = .number(3)
    let text =
      #"{"_meta":{"traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01","deadlineMs":5,"#
      + #""progressToken":3,"requestID":"r"}"#
    #expect(inserted(meta, #"{"a":1}"#) == text + #","a":1}"#)
    #expect(inserted(meta, "{}") == text + "}")
    #expect(inserted(meta, "[1]") == "[1]")
    #expect(inserted(MessageMeta(), "{}") == "{}")
    #expect(find(inserted(meta, #"{"a":1}"#)) == meta)
  }

  private func inserted(_ meta: MessageMeta, _ params: String) -> String {
    var writer = OutgoingFrame.writer()
    for byte in params.utf8 { writer.byte(byte) }
    writer.insert(meta)
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `carries a trace from call to call, and says what the caller waits for`() async throws {
    try await RawPeer.with { peer in
      try await MessageMeta.withRequest("r9") {
        let root = try #require(MessageMeta.current?.trace)
        async let call = peer.connection.call("a", JSONValue.object([:]), returning: Int.self, deadline: .seconds(5))
        let request = try await peer.value()
        let meta = request?["params"]?["_meta"]
        let header = try #require(meta?["traceparent"]?.stringValue)
        #expect(TraceContext(traceparent: header)?.traceID == root.traceID)
        #expect(TraceContext(traceparent: header)?.spanID != root.spanID)
        #expect(meta?["deadlineMs"] == 5000)
        #expect(meta?["requestID"] == "r9")
        await peer.send(#"{"jsonrpc":"2.0","id":1,"result":5}"# + "\n")
        #expect(try await call == 5)
      }
      #expect(MessageMeta.current == nil)
    }
  }

  @Test func `is what a handler works for, and its own calls say so`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = Connection.pair(on: loop)
    let asker = AskingBack()
    let peer = Peer()
    async let first = near.run(handler: asker)
    async let second = far.run(handler: peer)
    let trace = try #require(Self.trace)
    let seen = try await MessageMeta.$carried.withValue(CarriedMeta(MessageMeta(trace: trace))) {
      try await far.call("ask", [String: String](), returning: String.self, deadline: .seconds(5))
    }
    #expect(TraceContext(traceparent: seen)?.traceID == trace.traceID)
    await near.close(.finished)
    await far.close(.finished)
    _ = await (first, second)
    await near.closeDescriptors()
    await far.closeDescriptors()
  }
}

/// Answers with the trace that its task works for.
private struct AskingBack: MessageHandler {
  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    MessageWork { Reply.encoding(MessageMeta.current?.trace?.traceparent ?? "none") }
  }
}
