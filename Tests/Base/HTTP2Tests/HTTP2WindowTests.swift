import HTTP
import Synchronization
import TestSupport
import Testing

@testable import HTTP2

extension `A session of HTTP/2 at its bounds` {
  /// By how many bytes frames open the window of each stream; that of the connection is 0.
  private func opened(_ frames: [HTTP2Frame]) -> [UInt32: UInt32] {
    frames.filter { $0.kind == .window }.reduce(into: [:]) { sums, frame in
      sums[frame.stream, default: 0] += frame.payload.reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  private var part: [UInt8] { HTTP2Frame.bytes(.data, stream: 1, [UInt8](repeating: 1, count: 16_000)) }

  @Test func `opens a window by what was read, each byte once`() async throws {
    let session = try session()
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1, isWhole: false))
    let stream = try #require(mailbox.takeOpened().first)
    // A window is opened again once half of it is used.
    for expected in [[:], [:], [0: 48_000, 1: 48_000]] as [[UInt32: UInt32]] {
      #expect(opened(frames(session, part)) == [:])
      #expect(try await stream.read()?.count == 16_000)
      #expect(opened(frames(session)) == expected)
    }
  }

  @Test func `takes what comes after a whole answer, and opens for it the window of the connection only`() throws {
    let session = try session()
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1, isWhole: false))
    let stream = try #require(mailbox.takeOpened().first)
    stream.answer([], [1], trailers: [])
    #expect(frames(session).contains { $0.endsStream && $0.stream == 1 })
    for expected in [[:], [:], [0: 48_000]] as [[UInt32: UInt32]] {
      #expect(opened(frames(session, part)) == expected)
    }
    #expect(stream.state.withLock { $0.received.isEmpty })
  }

  @Test func `ends a request with the trailers of the client, and begins no other with them`() async throws {
    let session = try session()
    let trailers = HTTP2Frame.bytes(
      .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1, HTTP2Frame.fields([("x-end", "1")]))
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1, isWhole: false) + trailers)
    let opened = mailbox.takeOpened()
    #expect(opened.map(\.number) == [1] && mailbox.running == 1)
    #expect(try await opened.first?.read() == nil && opened.first?.failure == nil)
    #expect(session.entries[1]?.stream === opened.first)
  }

  @Test(arguments: [true, false])
  func `resets at once what it has answered, before or after it stops`(stopsFirst: Bool) throws {
    let session = try session()
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1, isWhole: false))
    if stopsFirst { session.shutDown() }
    mailbox.takeOpened().first?.answer([], [1], trailers: [])
    #expect(resets(frames(session)) == (stopsFirst ? [1: 0] : [:]))
    session.shutDown()
    #expect(resets(frames(session)) == (stopsFirst ? [:] : [1: 0]))
  }

  @Test(arguments: [(3, false), (4, true)])
  func `lets so many frames wait that the client has not read`(count: Int, isOver: Bool) throws {
    let session = try session { ($0.streams, $0.waitingFrames) = (1, 2) }
    // The handler of the first request still runs, and so each other is refused with a frame.
    frames(session, HTTP2Frame.start() + HTTP2Frame.call("/a", stream: 1) + reset(1))
    let sent = frames(session, (0..<count).flatMap { HTTP2Frame.call("/a", stream: UInt32(2 * $0 + 3)) })
    #expect(sent.contains { $0.kind == .goAway && $0.code == calm } == isOver, "\(sent)")
  }

  @Test func `writes nothing where there is no room`() throws {
    let session = try session()
    HTTP2Frame.start().withUnsafeBytes { session.receive($0) }
    var sent: [UInt8] = []
    session.write(into: &sent, atMost: 0)
    #expect(sent.isEmpty)
    session.write(into: &sent, atMost: 1)
    let first = HTTP2Frame.all(in: sent).frames
    #expect(first.count == 1)
    session.write(into: &sent, atMost: .max)
    #expect(HTTP2Frame.all(in: sent).frames.count > 1)
  }
}

extension `A session of HTTP/2 at its bounds` {
  @Test func `sends no field that would break a header, and all others`() {
    func count(_ fields: HTTPField...) -> Int32 { HTTP2FieldList(fields).withFields { _, count in Int32(count) } }
    let good = HTTPField("A-b", "1")
    #expect(count() == 0 && count(good) == 1 && count(HTTPField(":status", "200"), good, HTTPField("c", "")) == 3)
    for field in [
      HTTPField("a b", "1"), HTTPField("", "1"), HTTPField("é", "1"), HTTPField("a", "b\r\nc"), HTTPField("a", "\0"),
    ] {
      #expect(count(field) == 0 && count(good, field, good) == 2, "\(field)")
    }
  }
}

extension `A stream of HTTP/2` {
  @Test func `that is over keeps nothing of an answer that comes too late`() {
    let stream = stream()
    stream.end(HTTP2Failure(.reset, "a"))
    stream.answer([], bytes(3), trailers: [])
    #expect(mailbox.queued == 0 && stream.state.withLock { $0.pieces.isEmpty })
    stream.end(nil)
    #expect(mailbox.queued == 0 && stream.failure?.kind == .reset)
  }

  @Test func `gives back what was queued once, however often it ends`() {
    let (stream, other) = (stream(), self.stream())
    #expect(stream.offer(bytes(4)) && other.offer(bytes(5)))
    for _ in 0..<2 {
      stream.end(nil)
      #expect(mailbox.queued == 5)
    }
  }

  @Test func `is reset with the first code, and not once its answer is whole`() {
    let stream = stream()
    stream.reset(.refused)
    stream.reset(.internalError)
    #expect(stream.state.withLock { $0.resetCode } == .refused)
    let ended = self.stream()
    ended.finish()
    ended.reset(.internalError)
    #expect(ended.state.withLock { $0.resetCode } == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The mailbox of an HTTP/2 connection` {
  private let mailbox = HTTP2Mailbox()

  private func stream(_ number: Int32) -> HTTP2Stream { HTTP2Stream(number, HTTP2Request(), mailbox, limit: 10) }

  @Test func `wakes the loop once for all that is new, and again when that was taken`() {
    let wakes = Mutex(0)
    mailbox.attach { wakes.withLock { $0 += 1 } }
    let (first, second) = (stream(1), stream(3))
    for stream in [first, first, second, first] { mailbox.announce(stream) }
    #expect(wakes.withLock { $0 } == 1)
    #expect(mailbox.takeNews().changed.map(\.number) == [1, 3, 1])
    #expect(mailbox.takeNews().changed.isEmpty)
    mailbox.announce(second)
    #expect(wakes.withLock { $0 } == 2)
    #expect(mailbox.takeNews().changed.map(\.number) == [3])
  }

  @Test func `tells of the last handler that has returned, if the connection ends`() {
    let wakes = Mutex(0)
    mailbox.attach { wakes.withLock { $0 += 1 } }
    mailbox.open(stream(1))
    mailbox.returned()
    #expect(wakes.withLock { $0 } == 0 && mailbox.running == 0)
    for number in [3, 5] as [Int32] { mailbox.open(stream(number)) }
    mailbox.stop()
    #expect(wakes.withLock { $0 } == 1 && mailbox.takeNews().isStopping)
    mailbox.returned()
    #expect(wakes.withLock { $0 } == 1 && mailbox.running == 1)
    mailbox.returned()
    #expect(wakes.withLock { $0 } == 2)
  }

  @Test func `gives the requests that came before its end, and then wakes nobody`() async {
    let wakes = Mutex(0)
    mailbox.attach { wakes.withLock { $0 += 1 } }
    for number in [1, 3] as [Int32] { mailbox.open(stream(number)) }
    mailbox.finish()
    for number in [1, 3, nil, nil] as [Int32?] { #expect(await mailbox.next()?.number == number) }
    mailbox.announce(stream(5))
    #expect(wakes.withLock { $0 } == 0 && mailbox.takeNews().changed.isEmpty)
  }
}
