import HTTP
import HTTP2
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `An HTTP/2 connection` {
  @Test func `answers with a header, a body and trailers`() async throws {
    try await ServedPair.run { pair in
      await pair.send(
        HTTP2Frame.start() + HTTP2Frame.call("/echo", stream: 1, isWhole: false)
          + HTTP2Frame.bytes(.data, stream: 1, Array("one ".utf8))
          + HTTP2Frame.bytes(.data, flags: HTTP2Frame.endStream, stream: 1, Array("two".utf8)))
      let (frames, _) = await pair.frames { $0.endsStream }
      let own = frames.filter { $0.stream == 1 }
      #expect(own.first?.kind == .headers && own.last?.kind == .headers)
      #expect(own.filter { $0.kind == .data }.flatMap(\.payload) == Array("one two".utf8))
    }
  }

  @Test func `carries many requests at one time, and one after the other`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start())
      for round in 0..<3 {
        for place in 0..<20 { await pair.send(HTTP2Frame.call("/echo", stream: UInt32(40 * round + 2 * place + 1))) }
        let last = UInt32(40 * round + 39)
        let (frames, isEnded) = await pair.frames { $0.endsStream && $0.stream == last }
        #expect(!isEnded && frames.contains { $0.stream == last })
      }
      try await pair.until { $0.begun == 60 }
    }
  }

  @Test func `opens the window as bytes are read, and only then`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/echo", stream: 1, isWhole: false))
      let part = [UInt8](repeating: 1, count: 16_000)
      for _ in 0..<4 { await pair.send(HTTP2Frame.bytes(.data, stream: 1, part)) }
      let (frames, isEnded) = await pair.frames { $0.kind == .window && $0.stream == 1 }
      #expect(!isEnded && frames.contains { $0.kind == .window })
    }
  }

  @Test func `gives the window back for what nobody reads`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start())
      for number in stride(from: UInt32(1), to: 41, by: 2) {
        let body = HTTP2Frame.bytes(
          .data, flags: HTTP2Frame.endStream, stream: number, [UInt8](repeating: 1, count: 10_000))
        await pair.send(HTTP2Frame.call("/refuse", stream: number, isWhole: false) + body)
        let (frames, isEnded) = await pair.frames { $0.endsStream && $0.stream == number }
        #expect(!isEnded && !frames.contains { $0.kind == .goAway }, "\(number): \(frames)")
      }
    }
  }

  @Test func `lets a request end that was answered before, and resets one that does not end`() async throws {
    try await ServedPair.run {
      $0.answeredLimit = .seconds(60)
    } _: { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/refuse", stream: 1, isWhole: false))
      let (first, _) = await pair.frames { $0.endsStream && $0.stream == 1 }
      let rest = HTTP2Frame.bytes(.data, flags: HTTP2Frame.endStream, stream: 1, [1, 2, 3])
      await pair.send(rest + HTTP2Frame.call("/echo", stream: 3))
      let (second, isEnded) = await pair.frames { $0.endsStream && $0.stream == 3 }
      #expect(!isEnded && !(first + second).contains { $0.kind == .reset }, "\(first) \(second)")
    }
    try await ServedPair.run {
      $0.answeredLimit = .milliseconds(50)
    } _: { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/refuse", stream: 1, isWhole: false))
      let (frames, isEnded) = await pair.frames { $0.kind == .reset }
      #expect(!isEnded && frames.last?.code == 0, "\(frames)")
    }
  }

  @Test func `sends no more than the window takes, and goes on when it opens`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start([(4, 100)]) + HTTP2Frame.call("/big", stream: 1))
      let (first, _) = await pair.frames { $0.kind == .data }
      #expect(first.filter { $0.kind == .data }.reduce(0) { $0 + $1.payload.count } == 100)
      let open =
        HTTP2Frame.bytes(.window, stream: 1, HTTP2Frame.number(1 << 21))
        + HTTP2Frame.bytes(.window, HTTP2Frame.number(1 << 21))
      await pair.send(open)
      let (rest, _) = await pair.frames { $0.endsStream }
      #expect(rest.filter { $0.kind == .data }.reduce(0) { $0 + $1.payload.count } == (1 << 20) - 100)
    }
  }

  @Test func `cancels the handler whose request is reset, and no other`() async throws {
    try await ServedPair.run { pair in
      await pair.send(
        HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1) + HTTP2Frame.call("/echo", stream: 3, isWhole: false))
      try await pair.until { $0.begun == 2 }
      await pair.send(HTTP2Frame.bytes(.reset, stream: 1, HTTP2Frame.number(8)))
      try await pair.until { $0.cancelled == 1 }
      await pair.send(HTTP2Frame.bytes(.data, flags: HTTP2Frame.endStream, stream: 3, [1]))
      #expect(!(await pair.frames { $0.endsStream && $0.stream == 3 }).isEnded)
    }
  }

  @Test func `asks a silent client again and again, and does not end one that answers`() async throws {
    try await ServedPair.run {
      ($0.pingInterval, $0.pongLimit) = (.milliseconds(20), .seconds(5))
    } _: { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1))
      for _ in 0..<3 {
        let (_, isEnded) = await pair.frames { $0.kind == .ping && $0.flags == 0 }
        #expect(!isEnded)
        await pair.send(HTTP2Frame.bytes(.ping, flags: 1, [UInt8](repeating: 0, count: 8)))
      }
      #expect(pair.seen.withLock { $0.cancelled } == 0)
    }
  }

  @Test func `ends a client without requests so long after its last one, not after its beginning`() async throws {
    let idle = Duration.seconds(2)
    try await ServedPair.run {
      ($0.idleLimit, $0.pingInterval, $0.pongLimit) = (idle, .milliseconds(60), .seconds(50))
    } _: { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1))
      // Some time goes by with a request that is open.
      for _ in 0..<5 {
        _ = await pair.frames { $0.kind == .ping && $0.flags == 0 }
        await pair.send(HTTP2Frame.bytes(.ping, flags: 1, [UInt8](repeating: 0, count: 8)))
      }
      let last = ContinuousClock.now
      let reset = HTTP2Frame.bytes(.reset, stream: 1, HTTP2Frame.number(8))
      await pair.send(reset + HTTP2Frame.call("/echo", stream: 3))
      let frames = await pair.framesToEnd()
      #expect(frames.contains { $0.kind == .goAway && $0.code == 0 })
      #expect(ContinuousClock.now - last >= idle)
    }
  }

  @Test func `cancels all handlers when the client is gone`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1) + HTTP2Frame.call("/wait", stream: 3))
      try await pair.until { $0.begun == 2 }
      await pair.send(
        HTTP2Frame.bytes(.goAway, HTTP2Frame.number(0) + HTTP2Frame.number(0)) + [UInt8](repeating: 255, count: 64))
      try await pair.until { $0.cancelled == 2 }
    }
  }

  @Test func `ends in order: what is open is answered, and told that the server stops`() async throws {
    try await ServedPair.run { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/echo", stream: 1, isWhole: false))
      try await pair.until { $0.begun == 1 }
      pair.connection.beginClose()
      let frames = await pair.framesToEnd()
      #expect(frames.contains { $0.kind == .goAway && $0.code == 0 })
      try await pair.until { $0.failures == [.stopping] }
    }
  }

  @Test func `answers the same whatever pieces the bytes come in`() {
    let bytes =
      HTTP2Frame.start() + HTTP2Frame.call("/echo", stream: 1)
      + HTTP2Frame.bytes(.ping, [UInt8](repeating: 1, count: 8))
    func run(_ step: Int) -> (requests: [HTTP2Request], sent: [UInt8], isOver: Bool) {
      HTTP2Replay.run(bytes, by: step) { $0.answer([HTTPField("a", "b")], [1, 2], trailers: [HTTPField("c", "d")]) }
    }
    let (whole, single) = (run(bytes.count), run(1))
    #expect(whole.requests == single.requests && whole.requests.map(\.path) == ["/echo"])
    #expect(!whole.isOver && !single.isOver)
    #expect(HTTP2Frame.all(in: single.sent).frames.contains { $0.kind == .data && $0.payload == [1, 2] })
  }
}
