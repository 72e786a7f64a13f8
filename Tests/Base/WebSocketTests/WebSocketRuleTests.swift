import Testing
import WebSocket

@Suite(.timeLimit(.minutes(1))) struct `The codes and sizes of WebSocket frames` {
  @Test(
    arguments: [
      (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false), (1007, true),
      (1014, true), (1015, false), (2999, false), (3000, true), (4999, true), (5000, false), (65_535, false),
    ] as [(UInt16, Bool)])
  func `are those of the registry`(code: UInt16, isSendable: Bool) {
    #expect(WebSocketCode.isSendable(code) == isSendable)
  }

  @Test func `are counted by bytes`() {
    #expect(WebSocketMessage.text("é").byteCount == 2 && WebSocketMessage.binary([1, 2, 3]).byteCount == 3)
    #expect(WebSocketMessage.ping([1]).byteCount == 1 && WebSocketMessage.pong([]).byteCount == 0)
    #expect(WebSocketMessage.close(code: nil, reason: "").byteCount == 0)
    #expect(WebSocketMessage.close(code: 1000, reason: "é").byteCount == 4)
  }

  @Test func `are at most 125 bytes in a control frame, and 123 of them a reason`() {
    for (count, left) in [(124, 124), (125, 125), (126, 125), (1_000, 125)] {
      let bytes = [UInt8](repeating: 7, count: count)
      #expect(WebSocketWriter.frame(.ping(bytes), mask: nil) == [0x89, UInt8(left)] + bytes.prefix(left))
      #expect(WebSocketWriter.frame(.pong(bytes), mask: nil) == [0x8A, UInt8(left)] + bytes.prefix(left))
    }
    for (reason, left) in [
      (String(repeating: "x", count: 122), 122), (String(repeating: "x", count: 123), 123),
      (String(repeating: "x", count: 124), 123), ("x" + String(repeating: "é", count: 61), 123),
      ("x" + String(repeating: "é", count: 62), 123), (String(repeating: "€", count: 42), 123),
      ("x" + String(repeating: "€", count: 41), 121), (String(repeating: "👋", count: 31), 120),
    ] {
      let frame = WebSocketWriter.frame(.close(code: 1001, reason: reason), mask: nil)
      #expect(frame == [0x88, UInt8(left + 2), 0x03, 0xE9] + Array(reason.utf8.prefix(left)), "\(left)")
    }
    #expect(WebSocketWriter.frame(.close(code: nil, reason: "lost"), mask: nil) == [0x88, 0])
  }

  @Test func `are these unless others are given`() {
    let limits = WebSocketLimits()
    #expect(limits.frameBytes == 1 << 20 && limits.messageBytes == 1 << 20 && limits.fragments == 1_024)
    #expect(limits.queuedBytes == 256 << 10 && limits.receivedBytes == 256 << 10 && limits.idleLimit == nil)
    #expect(limits.pingInterval == .seconds(20) && limits.pongLimit == .seconds(20))
    #expect(limits.stallLimit == .seconds(30) && limits.closeLimit == .seconds(5))
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The handshake of a client` {
  private static let request = WebSocketRequest(
    protocols: ["chat", "other"],
    fields: [
      ("CONNECTION", "close"), ("Sec-WebSocket-Extensions", "x"), ("sec-websocket-version", "8"), ("Cookie", "a"),
      ("Sec-WebSocket", "kept"),
    ], key: "dGhlIHNhbXBsZSBub25jZQ==")
  private static let answer: WebSocketHandshake.Fields = [
    ("upgrade", "WebSocket"), ("Connection", "keep-alive, UPGRADE"),
    ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
  ]

  @Test func `has its own fields, and of others none that belong to it`() {
    #expect(
      Self.request.fields.map { "\($0.name): \($0.value)" } == [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: chat, other", "Cookie: a", "Sec-WebSocket: kept",
      ])
    #expect(WebSocketRequest(key: "k").fields.map(\.name).contains("Sec-WebSocket-Protocol") == false)
  }

  @Test func `takes an answer with a subprotocol that was offered, or without one`() throws {
    #expect(try Self.request.subprotocol(in: Self.answer) == nil)
    for name in ["chat", "other"] {
      #expect(try Self.request.subprotocol(in: Self.answer + [("sec-websocket-protocol", name)]) == name)
    }
    #expect(try Self.request.subprotocol(in: Self.answer + [("Sec-WebSocket-Extensions", " , ")]) == nil)
  }

  static let wrong: [(WebSocketHandshake.Fields, String)] = [
    ([("Upgrade", "websocket")], "switched to something that is not a WebSocket"),
    ([("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")], "gave the answer to another key"),
    ([("Sec-WebSocket-Extensions", "x")], "chose an extension that was not offered"),
    ([("Sec-WebSocket-Protocol", "Chat")], "chose a subprotocol that was not offered"),
    ([("Sec-WebSocket-Protocol", "chat, other")], "chose a subprotocol that was not offered"),
    ([("Sec-WebSocket-Protocol", "")], "chose a subprotocol that was not offered"),
    (
      [("Sec-WebSocket-Protocol", "chat"), ("Sec-WebSocket-Protocol", "chat")],
      "chose a subprotocol that was not offered"
    ),
  ]

  @Test(arguments: wrong) func `takes no answer with more than belongs to it`(
    fields: WebSocketHandshake.Fields, message: String
  ) {
    let error = #expect(throws: WebSocketRequest.Refusal.self) {
      try Self.request.subprotocol(in: Self.answer + fields)
    }
    #expect(error?.message == message)
  }

  @Test func `takes no subprotocol that only looks like one that was offered`() throws {
    let request = WebSocketRequest(protocols: ["K"], key: Self.request.key)
    #expect(try request.subprotocol(in: Self.answer + [("Sec-WebSocket-Protocol", "K")]) == "K")
    // The Kelvin sign.
    let error = #expect(throws: WebSocketRequest.Refusal.self) {
      try request.subprotocol(in: Self.answer + [("Sec-WebSocket-Protocol", "\u{212A}")])
    }
    #expect(error?.message == "chose a subprotocol that was not offered")
  }

  @Test func `takes no answer that lacks what belongs to it`() {
    for index in Self.answer.indices {
      var fields = Self.answer
      fields.remove(at: index)
      let error = #expect(throws: WebSocketRequest.Refusal.self) { try Self.request.subprotocol(in: fields) }
      let message = index == 2 ? "gave the answer to another key" : "switched to something that is not a WebSocket"
      #expect(error?.message == message)
    }
  }
}
