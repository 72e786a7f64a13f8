import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTP2

/// The session without a socket, at the frame, at the byte and at the nanosecond of its bounds.
@Suite(.timeLimit(.minutes(1)))
struct `A session of HTTP/2 at its bounds` {
  let mailbox = HTTP2Mailbox()
  let calm: UInt32 = 11

  @Test func `has these where nobody says otherwise`() {
    let limits = HTTP2Limits()
    #expect(limits.streams == 100 && limits.headerListBytes == 16_384 && limits.fields == 100)
    #expect(limits.continuations == 4)
    #expect(limits.resets == HTTP2Limits.Allowance(burst: 200, perSecond: 20))
    #expect(limits.idleFrames == HTTP2Limits.Allowance(burst: 1_000, perSecond: 100))
    #expect(limits.idleFramesOfRequest == 16 && limits.waitingFrames == 256)
    #expect(limits.queuedBytes == 262_144 && limits.queuedBytesInAll == 67_108_864)
    #expect(limits.headerLimit == .seconds(10) && limits.stallLimit == .seconds(30))
    #expect(limits.answeredLimit == .seconds(1) && limits.idleLimit == .seconds(300))
    #expect(limits.pingInterval == .seconds(30) && limits.pongLimit == .seconds(20))
    #expect(limits.closeLimit == .seconds(5))
  }

  func session(_ change: (inout HTTP2Limits) -> Void = { _ in }) throws -> HTTP2Session {
    var limits = HTTP2Limits()
    change(&limits)
    return try HTTP2Session(limits: limits, mailbox: mailbox, at: 0)
  }

  /// The frames that a session has to send after it has read some.
  @discardableResult
  func frames(_ session: HTTP2Session, _ bytes: [UInt8] = []) -> [HTTP2Frame] {
    bytes.withUnsafeBytes { session.receive($0) }
    for stream in mailbox.takeNews().changed { session.attend(stream) }
    var sent: [UInt8] = []
    session.write(into: &sent, atMost: .max)
    return HTTP2Frame.all(in: sent).frames
  }

  func resets(_ frames: [HTTP2Frame]) -> [UInt32: UInt32] {
    Dictionary(
      frames.filter { $0.kind == .reset }.map { ($0.stream, $0.code ?? .max) }, uniquingKeysWith: { first, _ in first })
  }

  func reset(_ stream: UInt32) -> [UInt8] { HTTP2Frame.bytes(.reset, stream: stream, HTTP2Frame.number(8)) }

  private let ping = HTTP2Frame.bytes(.ping, [UInt8](repeating: 0, count: 8))

  /// What a budget gives at some times, one after the other.
  private func taken(_ budget: inout Budget, at times: UInt64...) -> [Bool] { times.map { budget.take(at: $0) } }

  @Test func `gives each second so many more, and keeps the rest of a second`() {
    var budget = Budget(.init(burst: 2, perSecond: 2), at: 1_000)
    var got = taken(&budget, at: 1_000, 1_000, 1_000, 500_000_999)
    #expect(got == [true, true, false, false])
    got = taken(&budget, at: 750_001_000, 750_001_000, 1_000_000_999, 1_000_001_000, 1_000_001_000)
    #expect(got == [true, false, false, true, false])
    // However long it was, it gives no more than at the beginning.
    let late: UInt64 = 100_000_000_000
    got = taken(&budget, at: late, late, late)
    #expect(got == [true, true, false])
    budget.give(1)
    got = taken(&budget, at: late, late)
    #expect(got == [true, false])
    budget.give(7)
    got = taken(&budget, at: late, late, late)
    #expect(got == [true, true, false])
    var none = Budget(.init(burst: 1, perSecond: 0), at: 0)
    got = taken(&none, at: 0, .max)
    #expect(got == [true, false])
    // A clock that is behind gives nothing.
    var ahead = Budget(.init(burst: 1, perSecond: 1), at: 5_000_000_000)
    got = taken(&ahead, at: 0, 0, 5_000_000_000, 6_000_000_000)
    #expect(got == [true, false, false, true])
  }

  private func add(_ header: inout HTTP2Header, _ name: String, _ value: [UInt8], _ limits: HTTP2Limits) -> Bool {
    Array(name.utf8).withUnsafeBufferPointer { name in
      value.withUnsafeBufferPointer { header.add(name, $0, limits) }
    }
  }

  @Test(arguments: [true, false]) func `reads fields up to the last one, and up to the last byte`(isRequest: Bool) {
    var limits = HTTP2Limits()
    limits.fields = 2
    var header = HTTP2Header(1, isRequest: isRequest, since: 0)
    let taken = (0..<3).map { _ in add(&header, "a", [98], limits) }
    #expect(taken == [true, true, false])
    limits.headerListBytes = 2 * 32 + 2 + 4
    for (more, isTaken) in [(0, true), (1, false)] {
      var header = HTTP2Header(1, isRequest: isRequest, since: 0)
      let both = [
        add(&header, "a", Array("é".utf8), limits),
        add(&header, "bc", [UInt8](repeating: 100, count: 1 + more), limits),
      ]
      #expect(both == [true, isTaken])
    }
  }

  @Test func `keeps what a request says, and nothing that is no text`() {
    var header = HTTP2Header(1, isRequest: true, since: 7)
    let limits = HTTP2Limits()
    for (name, value) in [
      (":method", "PUT"), (":path", "/é"), (":authority", "h"), (":scheme", "http"), ("a", "1"), ("b", "2"), ("a", "3"),
    ] {
      let isTaken = add(&header, name, Array(value.utf8), limits)
      #expect(isTaken)
    }
    let isTaken = add(&header, "c", [0xFF], limits)
    #expect(!isTaken)
    let fields = [HTTPField("a", "1"), HTTPField("b", "2"), HTTPField("a", "3")]
    #expect(header.request == HTTP2Request(method: "PUT", path: "/é", authority: "h", fields: fields))
    #expect(header.request.field("a") == "1" && header.request.field("c") == nil)
    var trailers = HTTP2Header(1, isRequest: false, since: 7)
    let isSkipped = add(&trailers, "a", [0xFF], limits)
    #expect(isSkipped && trailers.request == HTTP2Request())
  }

  /// A client that resets a request ends its stream, but not the work on it.
  @Test func `takes so many requests as handlers may run, those of reset requests among them`() throws {
    let session = try session { $0.streams = 3 }
    let calls = [1, 3].flatMap { HTTP2Frame.call("/a", stream: $0) + reset($0) }
    frames(session, HTTP2Frame.start() + calls)
    #expect(session.entries.isEmpty && mailbox.running == 2)
    let sent = frames(session, HTTP2Frame.call("/a", stream: 5) + HTTP2Frame.call("/a", stream: 7))
    #expect(resets(sent) == [7: 7] && mailbox.running == 3)
    mailbox.returned()
    #expect(resets(frames(session, HTTP2Frame.call("/a", stream: 9))) == [:] && mailbox.running == 3)
    #expect(mailbox.takeOpened().map(\.number) == [1, 3, 5, 9])
    #expect(mailbox.takeOpened().isEmpty)
  }

  @Test func `takes requests while as many bytes wait as may, and none while there is one more`() throws {
    let session = try session { $0.queuedBytesInAll = 10 }
    // Without a window everything waits.
    frames(session, HTTP2Frame.start([(4, 0)]) + HTTP2Frame.call("/a", stream: 1))
    mailbox.takeOpened().first?.answer([], [UInt8](repeating: 1, count: 10), trailers: [])
    #expect(mailbox.queued == 10)
    #expect(resets(frames(session, HTTP2Frame.call("/a", stream: 3))) == [:])
    mailbox.takeOpened().first?.answer([], [1], trailers: [])
    #expect(resets(frames(session, HTTP2Frame.call("/a", stream: 5))) == [5: 7])
    // What was reset waits no longer.
    frames(session, reset(1))
    #expect(mailbox.queued == 1)
    #expect(resets(frames(session, HTTP2Frame.call("/a", stream: 7))) == [:])
  }

  @Test(arguments: [(4, true), (5, false)]) func `reads a header in so many parts`(parts: Int, isRead: Bool) throws {
    let session = try session()
    var bytes = HTTP2Frame.start() + HTTP2Frame.bytes(.headers, flags: 1, stream: 1, HTTP2Frame.request("/a"))
    for part in 1...parts {
      bytes += HTTP2Frame.bytes(
        .continuation, flags: part == parts ? HTTP2Frame.endHeaders : 0, stream: 1, HTTP2Frame.fields([("x", "y")]))
    }
    frames(session, bytes)
    #expect(mailbox.takeOpened().map(\.number) == (isRead ? [1] : []))
    #expect(session.isOver == !isRead)
  }

  @Test func `takes so many frames that bring nothing, and more as time goes by and requests are answered`() throws {
    let session = try session {
      $0.idleFrames = .init(burst: 3, perSecond: 1)
      $0.idleFramesOfRequest = 2
    }
    func isCalm(_ bytes: [UInt8]) -> Bool { frames(session, bytes).contains { $0.kind == .goAway && $0.code == calm } }
    #expect(!session.hasSettings)
    #expect(!isCalm(HTTP2Frame.start() + ping + ping))
    #expect(session.hasSettings)
    session.now = 1_000_000_000
    #expect(!isCalm(ping))
    #expect(!isCalm(HTTP2Frame.call("/a", stream: 1)))
    mailbox.takeOpened().first?.answer([], [], trailers: [])
    #expect(!isCalm([]))
    #expect(!isCalm(ping + ping))
    #expect(isCalm(ping))
  }

  @Test func `takes so many resets, and none for what was answered`() throws {
    let session = try session { $0.resets = .init(burst: 2, perSecond: 0) }
    frames(session, HTTP2Frame.start())
    for number in [1, 3, 5] as [UInt32] {
      frames(session, HTTP2Frame.call("/a", stream: number))
      mailbox.takeOpened().first?.answer([], [1], trailers: [])
      #expect(frames(session).contains { $0.endsStream && $0.stream == number })
      mailbox.returned()
    }
    for number in [7, 9] as [UInt32] { frames(session, HTTP2Frame.call("/a", stream: number) + reset(number)) }
    #expect(!session.isOver && session.entries.isEmpty)
    frames(session, HTTP2Frame.call("/a", stream: 11) + reset(11))
    #expect(session.isOver)
  }

  @Test func `resets an answer of which nothing was taken since a time, and not one that goes on`() throws {
    let session = try session()
    frames(session, HTTP2Frame.start([(4, 0)]) + HTTP2Frame.call("/a", stream: 1))
    #expect(session.oldestWait == nil)
    session.now = 100
    mailbox.takeOpened().first?.answer([], [1, 2, 3], trailers: [])
    frames(session)
    #expect(session.oldestWait == 100)
    session.now = 200
    frames(session, HTTP2Frame.bytes(.window, stream: 1, HTTP2Frame.number(1)))
    #expect(session.oldestWait == 200)
    session.resetStalled(since: 199)
    #expect(resets(frames(session)) == [:])
    session.resetStalled(since: 200)
    #expect(session.oldestWait == nil, "the reset waits for the client too")
    #expect(resets(frames(session)) == [1: 8] && mailbox.queued == 0)
    // One of which everything was taken waits for nobody.
    frames(session, HTTP2Frame.bytes(.settings, [0, 4] + HTTP2Frame.number(9)) + HTTP2Frame.call("/a", stream: 3))
    let stream = try #require(mailbox.takeOpened().first)
    stream.respond()
    #expect(stream.offer([1]))
    frames(session)
    #expect(session.oldestWait == nil && session.entries.count == 1)
  }

  @Test func `resets a request that goes on after its whole answer, from a time on`() throws {
    let session = try session()
    session.now = 50
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1, isWhole: false))
    mailbox.takeOpened().first?.answer([], [1], trailers: [])
    #expect(session.oldestAnswer == nil)
    frames(session)
    #expect(session.oldestAnswer == 50)
    session.resetAnswered(since: 49)
    #expect(resets(frames(session)) == [:])
    session.resetAnswered(since: 50)
    #expect(session.oldestAnswer == nil && resets(frames(session)) == [1: 0])
  }

  @Test func `says once that it stops, and then refuses`() throws {
    let session = try session()
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1))
    for round in 0..<2 {
      session.shutDown()
      #expect(frames(session).count { $0.kind == .goAway && $0.code == 0 } == (round == 0 ? 1 : 0))
    }
    #expect(mailbox.takeOpened().count == 1 && session.entries.count == 1)
    frames(session, HTTP2Frame.call("/a", stream: 3))
    #expect(mailbox.takeOpened().isEmpty && session.entries.count == 1)
  }

  @Test func `hears of the answer to each ping`() throws {
    let session = try session()
    frames(session, HTTP2Frame.start())
    for _ in 0..<2 {
      session.ping()
      #expect(frames(session).contains { $0.kind == .ping } && !session.isPonged)
      frames(session, HTTP2Frame.bytes(.ping, flags: 1, [UInt8](repeating: 0, count: 8)))
      #expect(session.isPonged)
    }
  }
}

/// The handler's end of a stream, without a connection.
@Suite(.timeLimit(.minutes(1)))
struct `A stream of HTTP/2` {
  let mailbox = HTTP2Mailbox()

  func stream(limit: Int = 10) -> HTTP2Stream { HTTP2Stream(1, HTTP2Request(), mailbox, limit: limit) }

  func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 7, count: count) }

  @Test func `takes bytes up to its limit, and one write however large it is`() {
    let stream = stream()
    #expect(stream.offer(bytes(4)) && stream.offer(bytes(6)) && !stream.offer(bytes(1)))
    #expect(mailbox.queued == 10)
    let large = self.stream()
    #expect(large.offer(bytes(11)) && !large.offer(bytes(1)) && !large.offer(bytes(0)))
    #expect(mailbox.queued == 21)
    large.end(nil)
    #expect(mailbox.queued == 10 && !large.offer(bytes(1)))
    stream.finish()
    #expect(!stream.offer(bytes(0)) && mailbox.queued == 10)
  }

  @Test func `gives its body in the order of its parts, then its end, and tells what was not read`() async throws {
    let stream = stream()
    stream.deliver([1])
    stream.deliver([2, 3])
    #expect(try await stream.read() == [1, 2, 3])
    stream.deliver([4])
    stream.complete()
    #expect(try await stream.read() == [4])
    for _ in 0..<2 { #expect(try await stream.read() == nil) }
    let (isAnswered, unread) = stream.end(HTTP2Failure(.lost, "a"))
    #expect(!isAnswered && unread == 4)
    #expect(stream.end(HTTP2Failure(.stopping, "b")).unread == 0)
    // The first reason stays.
    let error = await #expect(throws: HTTP2Failure.self) { try await stream.write([1]) }
    #expect(error?.kind == .lost)
  }

  @Test func `ends its reader with the reason, but not before what has come`() async throws {
    let stopped = stream()
    stopped.deliver([1])
    stopped.stop()
    #expect(try await stopped.read() == [1])
    let stop = await #expect(throws: HTTP2Failure.self) { try await stopped.read() }
    #expect(stop?.kind == .stopping)
    let lost = stream()
    lost.end(HTTP2Failure(.lost, "a"))
    let loss = await #expect(throws: HTTP2Failure.self) { try await lost.read() }
    #expect(loss?.kind == .lost)
  }

  @Test func `has one header and one end`() {
    let stream = stream()
    stream.respond(201, [HTTPField("a", "b")])
    stream.respond(202)
    stream.answer([], bytes(3), trailers: [])
    #expect(stream.state.withLock { $0.header } == [HTTPField(":status", "201"), HTTPField("a", "b")])
    #expect(mailbox.queued == 0)
    stream.finish(trailers: [HTTPField("c", "d")])
    stream.finish()
    #expect(stream.state.withLock { $0.trailers } == [HTTPField("c", "d")])
    #expect(stream.end(nil).isAnswered)
  }

  @Test func `waits for room, and goes on once there is some`() async throws {
    let stream = stream()
    #expect(stream.offer(bytes(10)))
    let writing = Task { try await stream.write([1]) }
    stream.state.withLock { state in
      state.pieces = []
      state.queuedBytes = 0
    }
    stream.sent(10)
    try await writing.value
    #expect(stream.state.withLock { $0.queuedBytes } == 1 && mailbox.queued == 1)
  }
}
