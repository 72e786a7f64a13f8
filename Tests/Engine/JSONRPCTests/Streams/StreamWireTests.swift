import JSON
import EventLoop
import JSONRPC
import Testing

@Suite(.timeLimit(.minutes(1))) struct `On the wire a stream` {
  @Test func `is sent exactly so`() async throws {
    try await RawPeer.with { peer in
      let stream = try peer.connection.openStream()
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"$/stream/open","params":{"streamID":"s1"}}"#)
      async let sending: Void = stream.send([1, 2, 3, 4])
      await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":3}"#)
      #expect(
        await peer.line()
          == #"{"jsonrpc":"2.0","method":"$/stream/data","params":{"streamID":"s1","seq":1,"data":"AQID"}}"#)
      await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":3}"#)
      #expect(
        await peer.line()
          == #"{"jsonrpc":"2.0","method":"$/stream/data","params":{"streamID":"s1","seq":2,"data":"BA=="}}"#)
      try await sending
      stream.finish(ErrorObject(code: 5, message: "m"))
      #expect(
        await peer.line()
          == #"{"jsonrpc":"2.0","method":"$/stream/end","params":{"streamID":"s1","error":{"code":5,"message":"m"}}}"#)
      // Credit that crossed the end is no mistake.
      await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":3}"#)
      await peer.notify("$/stream/drop", #"{"streamID":"s1"}"#)
      try await peer.settle()
      #expect(peer.events == [])
    }
  }

  @Test func `is read exactly so`() async throws {
    try await RawPeer.with(.init(streamWindow: 6)) { peer in
      let reading = try peer.connection.incomingStream("up/1")
      await peer.notify("$/stream/open", #"{"streamID":"up/1"}"#)
      #expect(
        await peer.line() == #"{"jsonrpc":"2.0","method":"$/stream/ack","params":{"streamID":"up/1","credit":6}}"#)
      await peer.notify("$/stream/data", #"{"streamID":"up/1","seq":1,"data":"AQID"}"#)
      await peer.notify("$/stream/data", #"{"streamID":"up/1","seq":2,"value":[]}"#)
      var iterator = reading.makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first == .bytes([1, 2, 3]))
      #expect(
        await peer.line() == #"{"jsonrpc":"2.0","method":"$/stream/ack","params":{"streamID":"up/1","credit":3}}"#)
      let second = try await iterator.next()
      #expect(second == .value([]))
      await peer.notify("$/stream/end", #"{"streamID":"up/1","error":null}"#)
      let third = try await iterator.next()
      #expect(third == nil)
      #expect(peer.events == [])
    }
  }

  @Test func `is sent in pieces of 48 KiB, and a value of 64 KiB whole`() async throws {
    try await RawPeer.with { peer in
      let stream = try peer.connection.openStream()
      _ = await peer.line()
      await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":200000}"#)
      let most = 48 << 10
      for (number, count) in [(1, most), (2, most + 1)] {
        try await stream.send([UInt8](repeating: 0, count: count))
        let first = try await peer.value()?["params"]
        #expect(first?["seq"] == .integer(Int64(number)) && first?["data"]?.stringValue?.utf8.count == 64 << 10)
      }
      let last = try await peer.value()?["params"]
      #expect(last?["seq"] == 3 && last?["data"] == "AA==")
      // Two of the bytes are quotes.
      for (text, isSent) in [
        (String(repeating: "x", count: 65_534), true), (String(repeating: "x", count: 65_535), false),
        (String(repeating: "é", count: 32_767), true), (String(repeating: "é", count: 32_768), false),
      ] {
        if isSent {
          await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":65536}"#)
          try await stream.send(value: .string(text))
          #expect(try await peer.value()?["params"]?["value"] == .string(text))
        } else {
          let error = await #expect(throws: ErrorObject.self) { try await stream.send(value: .string(text)) }
          #expect(error?.code == ErrorObject.frameTooLargeCode)
        }
      }
    }
  }

  @Test func `is not open when its opening does not fit, and takes nobody's place`() async throws {
    try await RawPeer.with(.init(maximumOutgoingBytes: 100)) { peer in
      // More than a socket takes.
      try await peer.connection.notify("a", Text(text: String(repeating: "x", count: 2 << 20)))
      for _ in 0..<70 {
        let error = #expect(throws: ErrorObject.self) { try peer.connection.openStream() }
        #expect(error?.message.hasSuffix("bytes wait to be sent; the limit is 100.") == true)
      }
      #expect(await peer.line()?.utf8.count ?? 0 > 2 << 20)
      while peer.connection.outgoingBytes > 0 { await Task.yield() }
      _ = try peer.connection.openStream()
      #expect(await peer.line() == #"{"jsonrpc":"2.0","method":"$/stream/open","params":{"streamID":"s71"}}"#)
    }
  }

  @Test func `waits while the queue is full of other messages, for the time in which it may stand still`() async throws
  {
    for (stall, isCancelled) in [(Duration.seconds(3_600), false), (.seconds(3_600), true), (.milliseconds(10), false)]
    {
      try await RawPeer.with(.init(maximumOutgoingBytes: 100, streamStall: stall)) { peer in
        let stream = try peer.connection.openStream()
        _ = await peer.line()
        await peer.notify("$/stream/ack", #"{"streamID":"s1","credit":9}"#)
        try await peer.settle()
        try await peer.connection.notify("a", Text(text: String(repeating: "x", count: 2 << 20)))
        let sending = Task { try await stream.send([1]) }
        if isCancelled || stall < .seconds(1) {
          if isCancelled { sending.cancel() }
          let error = await #expect(throws: ErrorObject.self) { try await sending.value }
          #expect(error?.code == (isCancelled ? ErrorObject.cancelledCode : ErrorObject.queueFullCode))
        } else {
          #expect(await peer.line()?.utf8.count ?? 0 > 2 << 20)
          let data = #"{"jsonrpc":"2.0","method":"$/stream/data","params":{"streamID":"s1","seq":1,"data":"AQ=="}}"#
          #expect(await peer.line() == data)
          try await sending.value
        }
      }
    }
  }

  @Test(arguments: ["open", "data", "ack", "end", "drop"]) func `without params is reported`(kind: String) async throws
  {
    try await RawPeer.with { peer in
      await peer.send(#"{"jsonrpc":"2.0","method":"$/stream/\#(kind)"}"# + "\n")
      try await peer.settle()
      guard case .notificationFailed("$/stream/\(kind)", let error) = peer.events.first, peer.events.count == 1 else {
        Issue.record("\(peer.events)")
        return
      }
      #expect(error.code == ErrorObject.invalidParamsCode)
    }
  }

  static let strays: [(String, String, WireEvent)] = [
    ("data", #"{"streamID":"x","seq":1,"data":"AQID"}"#, .unknownStream("x")),
    ("end", #"{"streamID":"x"}"#, .unknownStream("x")),
    ("ack", #"{"streamID":"x","credit":5}"#, .unknownStream("x")),
    ("ack", #"{"streamID":"s1","credit":5}"#, .unknownStream("s1")),
    ("drop", #"{"streamID":"s1"}"#, .unknownStream("s1")),
    ("data", #"{"streamID":"x","seq":1}"#, .streamViolation("x", why: "A message has neither data nor a value.")),
    ("data", #"{"streamID":"x","seq":1,"data":""}"#, .streamViolation("x", why: "A message has no bytes.")),
  ]

  @Test(arguments: strays) func `of which nobody knows is counted`(
    kind: String, params: String, event: WireEvent
  ) async throws {
    try await RawPeer.with { peer in
      await peer.notify("$/stream/\(kind)", params)
      await until { peer.events == [event] }
    }
  }

  @Test(arguments: [
    #"{"streamID":1,"seq":1,"data":"AQID"}"#, #"{"seq":1,"data":"AQID"}"#, #"{"streamID":"x","seq":1,"data":"AQI"}"#,
    #"{"streamID":"x","seq":"1","data":"AQID"}"#, #"{"streamID":"x","streamID":"x"}"#, "[]",
  ])
  func `of another shape is reported as a notification that failed`(params: String) async throws {
    try await RawPeer.with { peer in
      await peer.notify("$/stream/data", params)
      await until { !peer.events.isEmpty }
      guard case .notificationFailed("$/stream/data", _) = peer.events[0] else {
        Issue.record("\(peer.events)")
        return
      }
    }
  }

  @Test func `tells the sender of an unknown one once`() async throws {
    try await RawPeer.with { peer in
      for number in 1...3 { await peer.notify("$/stream/data", #"{"streamID":"x","seq":\#(number),"data":"AQID"}"#) }
      let drop = try await peer.value()
      #expect(drop?["method"] == "$/stream/drop")
      #expect(drop?["params"]?["error"]?["code"] == -32009)
      try await peer.settle()
      #expect(peer.events == [.unknownStream("x")])
    }
  }

  @Test func `with more data than credit is dropped, and its reader told`() async throws {
    try await RawPeer.with(.init(streamWindow: 2)) { peer in
      let reading = try peer.connection.incomingStream("x")
      await peer.notify("$/stream/open", #"{"streamID":"x"}"#)
      _ = await peer.line()
      await peer.notify("$/stream/data", #"{"streamID":"x","seq":1,"data":"AQID"}"#)
      let error = await #expect(throws: ErrorObject.self) { try await reading.bytes(atMost: 10) }
      #expect(error?.code == ErrorObject.protocolViolationCode)
      #expect(try await peer.value()?["method"] == "$/stream/drop")
    }
  }

  @Test func `is refused when 64 are open, and costs nothing while nobody reads it`() async throws {
    try await RawPeer.with { peer in
      for number in 0..<65 { await peer.notify("$/stream/open", #"{"streamID":"n\#(number)"}"#) }
      let drop = try await peer.value()
      #expect(drop?["params"]?["streamID"] == "n64")
      #expect(drop?["params"]?["error"]?["code"] == -32005)
      await peer.notify("$/stream/data", #"{"streamID":"n0","seq":1,"data":"AQID"}"#)
      #expect(try await peer.value()?["params"]?["streamID"] == "n0")
      #expect(peer.events.count == 1)
    }
  }
}

extension RawPeer {
  func notify(_ method: String, _ params: String) async {
    await send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"# + "\n")
  }

  /// Waits until everything that was sent has been dealt with.
  func settle() async throws {
    await send(#"{"jsonrpc":"2.0","id":"settled","method":"number","params":[1]}"# + "\n")
    #expect(try await value()?["id"] == "settled")
  }
}
