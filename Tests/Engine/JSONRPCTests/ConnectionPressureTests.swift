import CLinux
import EventLoop
import JSON
import Synchronization
import Testing

@testable import JSONRPC

extension OutgoingFrame {
  fileprivate static func ofBytes(_ count: Int) -> OutgoingFrame {
    var writer = JSONWriter(capacity: count)
    [UInt8](repeating: 1, count: count).withUnsafeBytes { writer.bytes($0) }
    return OutgoingFrame(writer)
  }
}

/// What happens in one turn of the loop, so that no time passes between its parts.
extension Connection {
  /// Takes bytes as if the peer had sent them.
  fileprivate func takes(_ text: String) throws {
    let free = unsafe decoder.prepare()
    unsafe free.copyBytes(from: text.utf8)
    decoder.received(text.utf8.count)
    var completed = false
    while case .frame = try decoder.next() { completed = true }
    noteProgress(completed)
  }

  /// Something waits that nobody takes, and the connection has come to a good end.
  fileprivate func postsAndFinishes() throws {
    try post("a", String(repeating: "x", count: 2 << 20))
    shutDown(.finished)
  }

  /// A message begins, and ends in no time.
  fileprivate func takesWhole() throws { for part in ["{", "}\n"] { try takes(part) } }

  /// A message begins, and reading stops; the timer that was set.
  fileprivate func stops(isPaused: Bool) throws -> TimerToken? {
    try takes("{")
    (self.isPaused, isResting) = (isPaused, !isPaused)
    return timers.partial
  }

  fileprivate func goesOn() { (isPaused, isResting) = (false, false) }

  /// Whether the message at hand keeps its time, whether reading has stopped, and the mark, once reading goes on.
  fileprivate func resumed(isPaused: Bool, mark: Int) throws -> String {
    try takes("{")
    (timers.partialSince, self.isPaused, pauseMark) = (5, isPaused, mark)
    resumeReading()
    return "\(timers.partialSince == 5) \(self.isPaused) \(pauseMark)"
  }

  fileprivate func exits() -> String {
    timers.rest = loop.schedule(after: .seconds(3_600)) {}
    (isPaused, isResting) = (true, true)
    peerHasExited()
    // What waits to be sent stops nothing any more.
    resumeReading()
    return "\(isPaused) \(isResting) \(pauseMark == .max) \(timers.rest == nil) \(meter == nil)"
  }

  fileprivate func pauses(at count: Int, mark: Int) -> Bool {
    shared.withLock { shared in
      shared.dropOutbox()
      shared.outbox.append(.ofBytes(count))
    }
    pauseMark = mark
    return shouldPause()
  }

  fileprivate func fillOutput() {
    for size in [64 << 10, 1] {
      let bytes = [UInt8](repeating: 1, count: size)
      while bytes.withUnsafeBytes({ clinux_write(output, $0.baseAddress, $0.count) }) > 0 {}
    }
  }

  /// Whether reading goes on once the descriptor is said to take more, and whether the peer took something.
  fileprivate func becomesWritable(with count: Int) -> String {
    shared.withLock { shared in
      shared.dropOutbox()
      shared.outbox.append(.ofBytes(count))
      shared.awaitsWritable = true
    }
    isPaused = true
    timers.progress = 0
    inputReady(.writing)
    return "\(!isPaused) \(timers.progress == loop.now)"
  }

  /// More is sent than a socket takes; whether the peer's time begins now.
  fileprivate func stalls() throws -> Bool {
    try post("a", String(repeating: "x", count: 2 << 20))
    return timers.progress == loop.now && timers.stall != nil
  }

  /// The same, and all of it is taken at once.
  fileprivate func stallsAndIsTaken() throws -> Bool {
    defer { shared.withLock { $0.awaitsWritable = false } }
    return try stalls()
  }

  fileprivate func sends(_ count: Int) -> CloseReason? {
    send(.ofBytes(count))
    return closeReason
  }
}

/// An end of a pair that does not run, and the other one.
private func withConnection(
  _ configuration: Connection.Configuration = .init(),
  _ body: (_ connection: Connection, _ other: Connection) async throws -> Void
) async throws {
  let loop = EventLoop.onThread(name: "test")
  defer { loop.stop() }
  let (connection, other) = Connection.pair(on: loop, configuration: configuration)
  try await body(connection, other)
  await connection.closeDescriptors()
  await other.closeDescriptors()
}

@Suite(.timeLimit(.minutes(1))) struct `A message that was begun` {
  private static let limit = Duration.milliseconds(20)

  @Test(arguments: [true, false]) func `has all the time in which this side does not read`(isPaused: Bool) async throws
  {
    try await withConnection(.init(partialMessage: Self.limit)) { connection, _ in
      let first = try await connection.stops(isPaused: isPaused)
      #expect(first != nil)
      while await connection.timers.partial == first, !Task.isCancelled { await Task.yield() }
      #expect(connection.closeReason == nil)
      await connection.goesOn()
      await until { connection.closeReason != nil }
      #expect(connection.closeReason == .partialMessage(Self.limit))
    }
  }

  @Test func `has its time also after one that kept its own`() async throws {
    try await withConnection(.init(partialMessage: Self.limit)) { connection, _ in
      try await connection.takesWhole()
      #expect(await connection.timers.partialSince == nil)
      while await connection.timers.partial != nil, !Task.isCancelled { await Task.yield() }
      #expect(connection.closeReason == nil)
      try await connection.takes("{")
      await until { connection.closeReason != nil }
      #expect(connection.closeReason == .partialMessage(Self.limit))
    }
  }

  @Test func `has its time anew when reading goes on that had stopped, and not otherwise`() async throws {
    let mark = Connection.highWater
    try await withConnection { connection, _ in
      for (isPaused, before, expected) in [
        (false, 77, "true false \(mark)"), (true, 77, "false false \(mark)"), (true, .max, "false false \(Int.max)"),
      ] {
        let found = try await connection.resumed(isPaused: isPaused, mark: before)
        #expect(found == expected)
      }
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The reading of a connection` {
  @Test func `stops for nothing once the peer has exited`() async throws {
    try await withConnection(.init(notifications: NotificationLimit())) { connection, _ in
      #expect(await connection.exits() == "false false true true true")
    }
  }

  @Test func `stops when one byte more than the mark waits`() async throws {
    let mark = Connection.highWater
    try await withConnection { connection, _ in
      #expect(await connection.pauses(at: mark, mark: mark) == false)
      #expect(await connection.pauses(at: mark + 1, mark: mark) == true)
      #expect(await connection.pauses(at: mark + 1, mark: mark + 1) == false)
      #expect(await connection.pauses(at: 0, mark: 0) == false)
    }
  }

  @Test func `goes on a little for a peer that takes nothing, as far as the queue allows`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    // With five bytes that wait: the next mark is allowed, is not, and is not needed.
    let mark = Connection.highWater
    let pairs = [mark + 5, mark + 4, mark + 5].map {
      Connection.pair(on: loop, configuration: .init(maximumOutgoingBytes: $0))
    }
    let connections = pairs.map(\.0)
    let seen: [String] = await withCheckedContinuation { continuation in
      loop.execute {
        for (number, connection) in connections.enumerated() {
          connection.assumeIsolated { connection in
            connection.shared.withLock { $0.outbox.append(.ofBytes(5)) }
            connection.pauseReading()
            if number == 2 { connection.timers.progress &+= 1 }
          }
        }
        // It fires after theirs, which were set before.
        _ = loop.schedule(after: .milliseconds(250)) {
          let states = connections.map { $0.assumeIsolated { "\($0.isPaused) \($0.pauseMark)" } }
          connections[1].shared.withLock { $0.dropOutbox() }
          continuation.resume(returning: states)
        }
      }
    }
    #expect(seen == ["false \(mark + 5)", "true \(mark)", "true \(mark)"])
    // Both are looked at again.
    for connection in connections {
      while await connection.isPaused, !Task.isCancelled { await Task.yield() }
      #expect(await connection.isPaused == false)
    }
    for (near, far) in pairs {
      await near.closeDescriptors()
      await far.closeDescriptors()
    }
  }

  @Test func `goes on when less than half of the limit waits`() async throws {
    let half = Connection.highWater / 2
    try await withConnection { connection, other in
      await connection.fillOutput()
      #expect(await connection.becomesWritable(with: half) == "false false")
      #expect(await connection.becomesWritable(with: half - 1) == "true false")
      var buffer = [UInt8](repeating: 0, count: 100_000)
      #expect(buffer.withUnsafeMutableBytes { clinux_read(other.output, $0.baseAddress, $0.count) } > 0)
      #expect(await connection.becomesWritable(with: 8 << 20) == "false true")
    }
  }

  @Test func `begins with the run`() async throws {
    let request = #"{"jsonrpc":"2.0","id":1,"method":"number","params":[4]}"# + "\n"
    try await withConnection { connection, other in
      #expect(Array(request.utf8).withUnsafeBytes { clinux_write(other.output, $0.baseAddress, $0.count) } > 0)
      // More than a socket takes: the loop writes the rest of it, and hears that something is there to be read.
      try connection.post("a", String(repeating: "x", count: 2 << 20))
      func line() async -> String {
        var taken: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while taken.last != 0x0A, !Task.isCancelled {
          let count = buffer.withUnsafeMutableBytes { clinux_read(other.output, $0.baseAddress, $0.count) }
          if count > 0 { taken += buffer[..<count] } else { await Task.yield() }
        }
        return String(decoding: taken, as: UTF8.self)
      }
      let first = await line()
      #expect(first.utf8.count > 2 << 20)
      #expect(await connection.bytesReceived == 0)
      let end = Task { await connection.run(handler: Peer()) }
      let answer = await line()
      #expect(answer == #"{"jsonrpc":"2.0","id":1,"result":4}"# + "\n")
      #expect(await connection.bytesReceived == UInt64(request.utf8.count))
      #expect(connection.bytesSent == UInt64(first.utf8.count + answer.utf8.count))
      connection.shutDown(.finished)
      #expect(await end.value == .finished)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The writing of a connection` {
  private static let limit = Duration.milliseconds(20)

  @Test func `ends when the peer has taken nothing for the whole limit, and not a moment before`() async throws {
    for (quiet, isCut) in [(20_000_000, true), (19_999_999, false)] as [(UInt64, Bool)] {
      try await withConnection(.init(writeStall: Self.limit)) { connection, _ in
        let reason: CloseReason? = await withCheckedContinuation { continuation in
          connection.loop.execute {
            connection.assumeIsolated { connection in
              // Of equal times the first that was set is the first that comes.
              let due = connection.loop.now + 20_000_000
              _ = connection.loop.schedule(at: due) {
                connection.assumeIsolated { $0.timers.progress = $0.loop.now - quiet }
              }
              _ = try? connection.stalls()
              _ = connection.loop.schedule(at: due) { continuation.resume(returning: connection.closeReason) }
            }
          }
        }
        #expect(reason == (isCut ? .writeStalled(Self.limit) : nil), "\(quiet)")
      }
    }
  }

  @Test func `is timed from when it stops, and again after it went on`() async throws {
    try await withConnection(.init(writeStall: Self.limit)) { connection, _ in
      let isTimed = try await connection.stallsAndIsTaken()
      #expect(isTimed)
      while await connection.timers.stall != nil, !Task.isCancelled { await Task.yield() }
      #expect(connection.closeReason == nil)
      let isTimedAgain = try await connection.stalls()
      #expect(isTimedAgain)
      await until { connection.closeReason != nil }
      #expect(connection.closeReason == .writeStalled(Self.limit))
    }
  }

  @Test(arguments: [true, false]) func `is given up after a good end, too, when nobody takes what waits`(hangsUp: Bool)
    async throws
  {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let (near, far) = try Pipes.crossed()
    let connection = Connection(
      on: loop, input: near.input, output: near.output,
      configuration: .init(writeStall: hangsUp ? .seconds(3_600) : Self.limit))
    async let end = connection.run(handler: NoHandler())
    try await connection.postsAndFinishes()
    if hangsUp {
      #expect(connection.outgoingBytes > 0)
      far.closeInput()
    }
    #expect(await end == .finished)
    #expect(connection.outgoingBytes == 0)
    if !hangsUp { far.closeInput() }
    far.closeOutput()
    near.closeBoth()
  }

  @Test func `ends with one byte of answers more than both limits allow`() async throws {
    for (count, reason) in [(1_400, nil), (1_401, .outgoingQueueFull(limit: 1_000))] as [(Int, CloseReason?)] {
      try await withConnection(.init(maximumFrameBytes: 200, maximumOutgoingBytes: 1_000)) { connection, _ in
        #expect(await connection.sends(count) == reason)
      }
    }
  }
}

/// Says when it is gone.
private final class Leaving: MessageHandler {
  private let leave: @Sendable () -> Void

  init(_ leave: @escaping @Sendable () -> Void) { self.leave = leave }

  deinit { leave() }

  func accept(_ message: borrowing IncomingMessage, on connection: Connection) throws(ErrorObject) -> MessageWork? {
    nil
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A connection that has ended` {
  @Test func `lets go of its handler`() async throws {
    try await withConnection { connection, _ in
      let (gone, leave) = AsyncStream.makeStream(of: Void.self)
      connection.shutDown(.finished)
      #expect(await connection.run(handler: Leaving { leave.finish() }) == .finished)
      for await _ in gone {}
      #expect(connection.closeReason == .finished)
    }
  }
}
