import EventLoop
import Synchronization
import Testing

@testable import JSON
@testable import JSONRPC

@Suite(.timeLimit(.minutes(1))) struct `The meter of notifications` {
  private static let second: UInt64 = 1_000_000_000
  private static let limit = NotificationLimit(perSecond: 200, burst: 1000, grace: .seconds(30))

  @Test func `lets a burst through, and the sustained rate for ever`() {
    var meter = NotificationMeter(Self.limit)
    #expect(verdict(&meter, 1000, 0) == .proceed)
    for second in 1...100 { #expect(verdict(&meter, 200, UInt64(second) * Self.second) == .proceed) }
    #expect(verdict(&meter, 200, 101 * Self.second) == .proceed)
  }

  @Test func `rests until what came is paid for`() {
    var meter = NotificationMeter(Self.limit)
    _ = verdict(&meter, 1000, 0)
    #expect(verdict(&meter, 100, 0) == .rest(Self.second / 2 + 1))
    #expect(verdict(&meter, 0, Self.second / 2 + 1) == .proceed)
  }

  @Test func `ends a flood that goes on, and forgets one that paused`() {
    var meter = NotificationMeter(Self.limit)
    var now: UInt64 = 0
    var verdict = self.verdict(&meter, 1600, now)
    while case .rest(let time) = verdict {
      now += time
      verdict = self.verdict(&meter, 1000, now)
    }
    #expect(verdict == .flood)
    #expect(now > 30 * Self.second && now < 40 * Self.second)
    meter = NotificationMeter(Self.limit)
    for minute in 0..<10 { #expect(self.verdict(&meter, 2000, UInt64(minute) * 60 * Self.second) != .flood) }
  }

  @Test func `forgets after a pause that fills half a burst, and not one notification less`() {
    for (millis, isForgotten) in [(3_000, true), (2_995, false)] as [(UInt64, Bool)] {
      var meter = NotificationMeter(Self.limit)
      #expect(verdict(&meter, 1_100, 0) == .rest(Self.second / 2 + 1))
      let later = millis * 1_000_000
      #expect(verdict(&meter, 0, later) == .proceed)
      // 500 or 499 may come, and a hundred more do; then as many as are paid for, for 31 seconds after the first.
      #expect(verdict(&meter, isForgotten ? 600 : 599, later) == .rest(Self.second / 2 + 1))
      for second in 1...28 {
        let now = later + UInt64(second) * Self.second
        let isOver = now > 30 * Self.second && !isForgotten
        #expect(verdict(&meter, 200, now) == (isOver ? .flood : .rest(Self.second / 2 + 1)), "\(second)")
      }
    }
  }

  @Test func `ends a flood after its grace, and not at its last moment`() {
    for (late, expected) in [(0, NotificationMeter.Verdict.rest(90 * Self.second + 1)), (1, .flood)] {
      var meter = NotificationMeter(NotificationLimit(perSecond: 1, burst: 1, grace: .seconds(10)))
      #expect(verdict(&meter, 100, Self.second) == .rest(99 * Self.second + 1))
      #expect(verdict(&meter, 1, 11 * Self.second + UInt64(late)) == expected)
    }
  }

  private func verdict(_ meter: inout NotificationMeter, _ count: Int, _ now: UInt64) -> NotificationMeter.Verdict {
    meter.came(count, at: now)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A peer that sends too many notifications` {
  /// False when the connection was cut meanwhile.
  @discardableResult
  private static func flood(_ peer: RawPeer, _ count: Int) async -> Bool {
    let line = #"{"jsonrpc":"2.0","method":"note","params":[1]}"# + "\n"
    let chunk = Array(String(repeating: line, count: 1000).utf8)
    for _ in 0..<(count / 1000) {
      guard await peer.send(chunk) else { return false }
    }
    return true
  }

  @Test func `is read slowly, and cut off when it goes on`() async throws {
    // So few that a busy machine gets far above it.
    let limit = NotificationLimit(perSecond: 1000, burst: 1000, grace: .milliseconds(200))
    let reason = try await RawPeer.with(.init(notifications: limit)) { peer in
      #expect(await Self.flood(peer, 1_000_000) == false)
      // Most of the million waited on the peer's side.
      #expect(peer.handler.heard.withLock { $0.notifications.count } < 100_000)
    }
    #expect(reason == .notificationFlood(limit))
    #expect(reason.errorObject.data?["reason"] == "notificationFlood")
  }

  @Test func `is served all the same when it is a burst`() async throws {
    let limit = NotificationLimit(perSecond: 10_000, burst: 1000, grace: .seconds(30))
    let reason = try await RawPeer.with(.init(notifications: limit)) { peer in
      await Self.flood(peer, 5000)
      try await peer.settle()
      #expect(peer.handler.heard.withLock { $0.notifications.count } == 5000)
    }
    #expect(reason == .peerClosed)
  }

  /// One more would have to wait for a second, and as many again for longer than this test may take.
  @Test(arguments: [
    #"{"jsonrpc":"2.0","method":"note","params":[1]}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"z"}}"#,
  ])
  func `is read at once as long as it sends no more than a burst, whatever it is about`(line: String) async throws {
    let limit = NotificationLimit(perSecond: 1, burst: 100, grace: .seconds(300))
    let reason = try await RawPeer.with(.init(notifications: limit)) { peer in
      await peer.send(String(repeating: line + "\n", count: 100))
      try await peer.settle()
    }
    #expect(reason == .peerClosed)
  }

  static let counted = [
    #"{"jsonrpc":"2.0","method":"note","params":[1]}"#, #"{"jsonrpc":"2.0","id":ID}"#, "{]",
    #"{"jsonrpc":"2.0","id":1,"method":"wait"}"#, #"{"jsonrpc":"2.0","id":ID,"method":"wait"}"#,
    #"{"jsonrpc":"2.0","id":ID,"method":"nothing"}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"z"}}"#,
    #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"progress":ID}}"#,
    #"{"jsonrpc":"2.0","method":"$/stream/open"}"#,
    #"{"jsonrpc":"2.0","method":"$/stream/end","params":{"streamID":"xID"}}"#,
  ]

  /// Refused requests are counted, too: the first of one id, or the first two of more, are none of these.
  @Test(arguments: counted) func `is read no more for a while, whatever it sends`(line: String) async throws {
    let limit = NotificationLimit(perSecond: 1, burst: 10, grace: .seconds(300))
    try await RawPeer.with(.init(maximumInFlight: 2, notifications: limit)) { peer in
      await peer.send((1...20).map { line.replacing("ID", with: "\($0)") + "\n" }.joined())
      while await !peer.connection.isResting, !Task.isCancelled { await Task.yield() }
      #expect(await peer.connection.isResting == true)
      peer.connection.shutDown(.finished)
    }
  }

  @Test func `is read no more for a while when it has got that far with a call too often`() async throws {
    let limit = NotificationLimit(perSecond: 1, burst: 10, grace: .seconds(300))
    try await RawPeer.with(.init(notifications: limit)) { peer in
      async let refusal = peer.connection.refusal(onProgress: { _ in })
      _ = await peer.line()
      let reports = (1...20).map { #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"progress":\#($0)}}"# }
      await peer.send(reports.map { $0 + "\n" }.joined())
      while await !peer.connection.isResting, !Task.isCancelled { await Task.yield() }
      #expect(await peer.connection.isResting == true)
      peer.connection.shutDown(.finished)
      #expect(await refusal?.code == ErrorObject.peerExitedCode)
    }
  }

  @Test func `has what it sends left on its side while it is not read`() async throws {
    let line = #"{"jsonrpc":"2.0","method":"note","params":[1]}"# + "\n"
    // Nineteen too many, at twenty a second: long enough to be seen on a busy machine.
    try await RawPeer.with(.init(notifications: .init(perSecond: 20, burst: 1, grace: .seconds(300)))) { peer in
      await peer.send(String(repeating: line, count: 20))
      while await !peer.connection.isResting, !Task.isCancelled { await Task.yield() }
      // A request has it rest no longer.
      await peer.send(#"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"# + "\n")
      var reading = await peer.connection.reading
      while reading.isResting {
        if reading.bytes != 20 * line.utf8.count { break }
        reading = await peer.connection.reading
      }
      #expect(!reading.isResting, "\(reading.bytes) bytes were read")
      #expect(await peer.line() == #"{"jsonrpc":"2.0","id":1,"result":4}"#)
    }
  }

  @Test func `fails a call at once when the peer has exited, whatever it left to be read`() async throws {
    let limit = NotificationLimit(perSecond: 1, burst: 10, grace: .seconds(300))
    try await RawPeer.with(.init(notifications: limit)) { peer in
      await Self.flood(peer, 3000)
      async let refusal = peer.connection.refusal()
      peer.hangUp()
      await peer.connection.peerHasExited()
      #expect(await refusal?.code == ErrorObject.peerExitedCode)
    }
  }
}

extension Connection {
  /// What a call that nobody answers fails with.
  fileprivate func refusal(onProgress: (@Sendable (CallProgress) -> Void)? = nil) async -> ErrorObject? {
    do {
      _ = try await call(
        "a/b", [Int](), returning: JSONValue.self, deadline: .seconds(300), onProgress: onProgress)
      return nil
    } catch {
      return error
    }
  }

  /// Whether it is not read for a moment, and what has been read.
  fileprivate var reading: (isResting: Bool, bytes: Int) { (isResting, Int(bytesReceived)) }
}
