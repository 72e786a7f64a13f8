import HTTP2
import TestSupport
import Testing

/// The attacks on servers of HTTP/2 that have names, with frames that no client sends.
@Suite(.timeLimit(.minutes(1)))
struct `An HTTP/2 connection with a hostile client` {
  private static let calm: UInt32 = 11

  private static func expectEnd(_ pair: ServedPair, code: UInt32? = nil, _ name: String) async {
    let frames = await pair.framesToEnd()
    let last = frames.last { $0.kind == .goAway }
    #expect(code == nil || last?.code == code, "\(name): \(frames.suffix(5))")
  }

  /// CVE-2023-44487: requests that are reset at once cost a handler each.
  @Test func `is ended when requests are reset as fast as they come`() async throws {
    try await ServedPair.run {
      $0.resets = HTTP2Limits.Allowance(burst: 10, perSecond: 1)
    } _: { pair in
      var bytes = HTTP2Frame.start()
      for number in stride(from: UInt32(1), to: 400, by: 2) {
        bytes +=
          HTTP2Frame.call("/wait", stream: number) + HTTP2Frame.bytes(.reset, stream: number, HTTP2Frame.number(8))
      }
      await pair.send(bytes)
      await Self.expectEnd(pair, "rapid reset")
      #expect(pair.begun <= 20)
    }
  }

  /// CVE-2025-8671: the client breaks a rule, so that the server is the one that resets.
  @Test func `is ended when it has to reset requests as fast as they come`() async throws {
    try await ServedPair.run {
      $0.resets = HTTP2Limits.Allowance(burst: 10, perSecond: 1)
    } _: { pair in
      var bytes = HTTP2Frame.start()
      for number in stride(from: UInt32(1), to: 400, by: 2) {
        bytes +=
          HTTP2Frame.call("/wait", stream: number) + HTTP2Frame.bytes(.window, stream: number, HTTP2Frame.number(0))
      }
      await pair.send(bytes)
      await Self.expectEnd(pair, "made you reset")
      #expect(pair.begun <= 20)
    }
  }

  static let floods: [(String, [UInt8])] = [
    ("SETTINGS", HTTP2Frame.bytes(.settings)),
    ("PING", HTTP2Frame.bytes(.ping, [UInt8](repeating: 0, count: 8))),
    ("PRIORITY", HTTP2Frame.bytes(.priority, stream: 1, HTTP2Frame.number(0) + [1])),
    ("WINDOW_UPDATE", HTTP2Frame.bytes(.window, HTTP2Frame.number(1))),
    ("empty DATA", HTTP2Frame.bytes(.data, stream: 1)),
  ]

  /// CVE-2019-9512, 9515 and 9518 and their kin.
  @Test(arguments: floods)
  func `is ended by a flood of frames that bring nothing`(name: String, frame: [UInt8]) async throws {
    try await ServedPair.run {
      $0.idleFrames = HTTP2Limits.Allowance(burst: 50, perSecond: 1)
    } _: { pair in
      let start = HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1, isWhole: false)
      await pair.send(start + Array((0..<200).map { _ in frame }.joined()))
      await Self.expectEnd(pair, code: Self.calm, name)
    }
  }

  @Test func `takes so many of them as the requests pay for`() async throws {
    try await ServedPair.run {
      $0.idleFrames = HTTP2Limits.Allowance(burst: 20, perSecond: 1)
    } _: { pair in
      await pair.send(HTTP2Frame.start())
      for number in stride(from: UInt32(1), to: 41, by: 2) {
        let pings = (0..<10).flatMap { _ in HTTP2Frame.bytes(.ping, [UInt8](repeating: 0, count: 8)) }
        await pair.send(pings + HTTP2Frame.call("/echo", stream: number))
        let (_, isEnded) = await pair.frames { $0.endsStream && $0.stream == number }
        #expect(!isEnded)
      }
    }
  }

  /// CVE-2024-27316: a header without an end.
  @Test func `is ended by a flood of CONTINUATION frames`() async throws {
    try await ServedPair.run { pair in
      var bytes = HTTP2Frame.start() + HTTP2Frame.bytes(.headers, stream: 1, HTTP2Frame.request("/wait"))
      for place in 0..<100 {
        bytes += HTTP2Frame.bytes(.continuation, stream: 1, HTTP2Frame.fields([("x-\(place)", "y")]))
      }
      await pair.send(bytes)
      await Self.expectEnd(pair, "CONTINUATION")
      #expect(pair.begun == 0)
    }
  }

  static let headers: [(String, [(String, String)])] = [
    ("many fields", (0..<120).map { ("x-\($0)", "y") }),
    ("long fields", (0..<15).map { ("x-\($0)", String(repeating: "y", count: 1_100)) }),
  ]

  @Test(arguments: headers)
  func `refuses a header that is too large, and serves the next`(
    name: String, fields: [(String, String)]
  ) async throws {
    try await ServedPair.run { pair in
      let header = HTTP2Frame.request("/wait", more: fields)
      var bytes = HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: 1, stream: 1, Array(header.prefix(16_000)))
      bytes += HTTP2Frame.bytes(.continuation, flags: HTTP2Frame.endHeaders, stream: 1, Array(header.dropFirst(16_000)))
      await pair.send(bytes + HTTP2Frame.call("/echo", stream: 3))
      let (frames, isEnded) = await pair.frames { $0.endsStream && $0.stream == 3 }
      #expect(!isEnded && frames.contains { $0.kind == .reset && $0.stream == 1 }, "\(name): \(frames)")
      #expect(pair.begun == 1)
    }
  }

  @Test func `refuses more requests than it announced, also while cancelled handlers still run`() async throws {
    try await ServedPair.run {
      $0.streams = 4
    } _: { pair in
      await pair.send(HTTP2Frame.start())
      await pair.send((0..<6).flatMap { HTTP2Frame.call("/wait", stream: UInt32(2 * $0 + 1)) })
      let (frames, _) = await pair.frames { $0.kind == .reset || $0.kind == .goAway }
      #expect(frames.contains { $0.kind == .reset && $0.code == 7 && $0.stream == 9 }, "\(frames)")
      try await pair.until { $0.begun == 4 }
    }
  }

  @Test func `resets an answer whose window is never opened`() async throws {
    try await ServedPair.run {
      $0.stallLimit = .milliseconds(100)
    } _: { pair in
      await pair.send(HTTP2Frame.start([(4, 0)]) + HTTP2Frame.call("/big", stream: 1))
      let (frames, _) = await pair.frames { $0.kind == .reset }
      #expect(frames.last?.code == 8 && !frames.contains { $0.kind == .data }, "\(frames)")
    }
  }

  @Test func `ends a client that reads nothing of what is sent`() async throws {
    try await ServedPair.run {
      $0.stallLimit = .milliseconds(100)
    } _: { pair in
      let window = HTTP2Frame.bytes(.window, HTTP2Frame.number(1 << 30))
      await pair.send(
        HTTP2Frame.start([(4, 1 << 30)]) + window + (0..<8).flatMap { HTTP2Frame.call("/big", stream: 2 * $0 + 1) })
      // More is waiting than a socket holds, and whoever reads would let it go on.
      try await pair.until { $0.isOver }
      #expect(pair.begun == 8)
      let bytes = await pair.framesToEnd().reduce(0) { $0 + $1.payload.count }
      #expect(bytes < 8 << 20)
    }
  }

  static let slow: [(String, [UInt8])] = [
    ("no byte", []), ("half a preface", Array(HTTP2Frame.preface.prefix(10))), ("no SETTINGS", HTTP2Frame.preface),
    ("half a header", HTTP2Frame.start() + HTTP2Frame.bytes(.headers, stream: 1, HTTP2Frame.request("/wait"))),
  ]

  @Test(arguments: slow)
  func `ends a client that does not go on with its beginning`(name: String, bytes: [UInt8]) async throws {
    try await ServedPair.run {
      $0.headerLimit = .milliseconds(100)
    } _: { pair in
      await pair.send(bytes)
      await Self.expectEnd(pair, name)
      #expect(pair.begun == 0)
    }
  }

  @Test func `asks a silent client whether it is there, and ends one that does not answer`() async throws {
    try await ServedPair.run {
      ($0.pingInterval, $0.pongLimit) = (.milliseconds(50), .milliseconds(100))
    } _: { pair in
      await pair.send(HTTP2Frame.start() + HTTP2Frame.call("/wait", stream: 1))
      let frames = await pair.framesToEnd()
      #expect(frames.contains { $0.kind == .ping })
      try await pair.until { $0.cancelled == 1 }
    }
  }

  @Test func `ends a client that has asked for nothing in a long time`() async throws {
    try await ServedPair.run {
      $0.idleLimit = .milliseconds(100)
    } _: { pair in
      await pair.send(HTTP2Frame.start())
      await Self.expectEnd(pair, code: 0, "idle")
    }
  }

  @Test(arguments: [
    HTTP2Frame.preface.map { $0 ^ 1 }, Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8),
    HTTP2Frame.start() + HTTP2Frame.bytes(.data, stream: 0, [1]),
    HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: 4, stream: 2, [0]),
    HTTP2Frame.start() + HTTP2Frame.bytes(.settings, [1]),
    HTTP2Frame.start() + HTTP2Frame.bytes(.push, flags: 4, stream: 1, [0, 0, 0, 2]),
  ])
  func `is ended by what is no HTTP/2`(bytes: [UInt8]) async throws {
    try await ServedPair.run { pair in
      await pair.send(bytes)
      await Self.expectEnd(pair, "no HTTP/2")
      #expect(pair.begun == 0)
    }
  }
}
