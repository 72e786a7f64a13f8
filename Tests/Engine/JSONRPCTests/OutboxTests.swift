import CLinux
import TestSupport
import Testing

@testable import JSON
@testable import JSONRPC

/// A frame of so many bytes, all of them the same.
private func frame(_ count: Int, _ byte: UInt8 = 1) -> OutgoingFrame {
  var writer = JSONWriter(capacity: count)
  [UInt8](repeating: byte, count: count).withUnsafeBytes { writer.bytes($0) }
  return OutgoingFrame(writer)
}

@Suite(.timeLimit(.minutes(1))) struct `What waits to be sent` {
  /// Two ends of a socket, which are closed afterwards.
  private func withSocket<Value>(_ body: (_ writing: Int32, _ reading: Int32) async throws -> Value) async throws
    -> Value
  {
    var (first, second): (Int32, Int32) = (-1, -1)
    try #require(clinux_stream_pair(&first, &second) == 0)
    defer { for descriptor in [first, second] { clinux_close(descriptor) } }
    return try await body(first, second)
  }

  private static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    let found = buffer.withUnsafeMutableBytes { clinux_read(descriptor, $0.baseAddress, $0.count) }
    return Array(buffer.prefix(max(0, found)))
  }

  @Test func `arrives byte by byte as it was given, whatever its pieces, and however slowly it is taken`() async throws
  {
    let failure = try await RandomSteps.failure(seeds: 1...20, steps: 150) { steps in
      try await withSocket { writing, reading in
        var outbox = Outbox()
        var (given, taken) = ([UInt8](), [UInt8]())
        for (number, step) in steps.enumerated() {
          var chance = RandomSteps.Chance(step)
          switch chance.number(0...4) {
          case 0...2:
            let size = chance.one(of: [1, 100, 5_000, 32_767, 32_768, 49_152, 60_000])
            let byte = UInt8(truncatingIfNeeded: number)
            outbox.append(frame(size, byte))
            given += [UInt8](repeating: byte, count: size)
          case 3:
            let before = outbox.total
            let outcome = outbox.write(to: writing)
            let isRight = outbox.isEmpty ? outcome == .empty : outcome == .full(progressed: outbox.total > before)
            if !isRight { return "\(outcome) with \(outbox.count) bytes left" }
          default: taken += Self.read(reading, atMost: chance.number(1...200_000))
          }
          if outbox.count != given.count - Int(outbox.total) { return "\(outbox.count) wait of \(given.count)" }
        }
        while taken.count < given.count {
          if case .failed(let errno) = outbox.write(to: writing) { return "errno \(errno)" }
          let more = Self.read(reading, atMost: 1 << 20)
          if more.isEmpty { return "\(taken.count) came of \(given.count)" }
          taken += more
        }
        return taken == given && outbox.isEmpty ? nil : "other bytes came"
      }
    }
    #expect(failure == nil)
  }

  @Test func `goes out in one piece however many messages there are, and again`() async throws {
    try await withSocket { writing, reading in
      var outbox = Outbox()
      for _ in 0..<2 {
        // More large messages than one call of the system takes.
        for number in 0..<70 { outbox.append(frame(32_768, UInt8(number))) }
        #expect(outbox.count == 70 * 32_768)
        var taken: [UInt8] = []
        while !outbox.isEmpty {
          _ = outbox.write(to: writing)
          taken += Self.read(reading, atMost: 1 << 22)
        }
        while case let more = Self.read(reading, atMost: 1 << 22), !more.isEmpty { taken += more }
        #expect(taken == (0..<70).flatMap { [UInt8](repeating: UInt8($0), count: 32_768) })
      }
      #expect(outbox.total == UInt64(2 * 70 * 32_768))
    }
  }

  @Test func `is forgotten with what was sent of its first message`() async throws {
    try await withSocket { writing, reading in
      var outbox = Outbox()
      outbox.append(frame(8 << 20))
      #expect(outbox.write(to: writing) == .full(progressed: true))
      #expect(outbox.write(to: writing) == .full(progressed: false))
      let total = outbox.total
      #expect(total > 0 && total < 8 << 20 && outbox.count == (8 << 20) - Int(total))
      outbox.removeAll()
      #expect(outbox.isEmpty && outbox.count == 0)
      var rest = Int(total)
      while rest > 0 { rest -= Self.read(reading, atMost: 1 << 20).count }
      outbox.append(frame(5, 7))
      #expect(outbox.write(to: writing) == .empty && Self.read(reading, atMost: 9) == [7, 7, 7, 7, 7])
      #expect(outbox.total == total + 5)
    }
  }

  @Test func `is not taken by a descriptor that takes nothing`() {
    var outbox = Outbox()
    #expect(outbox.write(to: -1) == .empty, "nothing waits")
    outbox.append(frame(3))
    #expect(outbox.write(to: -1) == .failed(errno: 9) && outbox.count == 3)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What callers share with the loop` {
  private static let configuration = Connection.Configuration(maximumOutgoingBytes: 100)

  private func made(on ledger: PeerLedger = PeerLedger()) -> Connection.Shared {
    Connection.Shared(
      calls: CallStateMachine(limit: 4), tap: nil, framing: .lines, account: LedgerAccount(ledger))
  }

  private func refusal(_ shared: Connection.Shared, _ count: Int) -> ErrorObject? {
    shared.refusal(frame(count), Self.configuration)
  }

  @Test func `takes messages up to the limit of what waits, and one however large it is`() {
    var shared = made()
    #expect(refusal(shared, 101) == nil)
    _ = shared.append(frame(60), true)
    #expect(refusal(shared, 40) == nil)
    let full = ErrorObject.queueFull("60 bytes wait to be sent; the limit is 100.")
    #expect(refusal(shared, 41) == full)
    shared.dropOutbox()
    #expect(refusal(shared, 101) == nil)
  }

  @Test func `takes nothing once the connection has ended`() {
    var shared = made()
    shared.isOver = true
    #expect(refusal(shared, 1) == CloseReason.finished.errorObject)
    #expect(shared.append(frame(1), true) == .nothing && shared.outbox.isEmpty)
    shared.closed = .cancelled
    #expect(refusal(shared, 1) == CloseReason.cancelled.errorObject)
    shared.isOver = false
    #expect(shared.append(frame(1), false) == .nothing && shared.outbox.isEmpty)
    // The peer may read although it writes no more.
    shared.closed = .peerClosed
    #expect(refusal(shared, 1) == CloseReason.peerClosed.errorObject)
    #expect(shared.append(frame(1), false) == .write && shared.outbox.count == 1)
  }

  @Test func `is written at the end of a turn of the loop, or at once when it is much or comes from outside`() {
    var shared = made()
    #expect(shared.append(frame(Outbox.gatherBytes - 1), true) == .mark && shared.isMarked)
    #expect(shared.append(frame(1), true) == .nothing)
    #expect(shared.append(frame(1), true) == .write)
    shared.dropOutbox()
    shared.isMarked = false
    #expect(shared.append(frame(1), false) == .write && !shared.isMarked)
    shared.awaitsWritable = true
    #expect(shared.append(frame(1), false) == .nothing && shared.append(frame(1 << 20), true) == .nothing)
    #expect(shared.outbox.count == (1 << 20) + 2)
    #expect(WriteStep.nothing < .mark && .mark < WriteStep.write)
  }

  @Test func `arms its timer for an earlier deadline only`() {
    var shared = made()
    #expect(!shared.arm(nil) && shared.armedFor == .max)
    #expect(shared.arm(50) && shared.armedFor == 50)
    #expect(!shared.arm(50) && !shared.arm(51) && !shared.arm(nil) && shared.armedFor == 50)
    #expect(shared.arm(49) && shared.armedFor == 49)
  }

  @Test func `counts what waits on the ledger`() {
    let ledger = PeerLedger()
    var shared = made(on: ledger)
    for _ in 0..<2 {
      _ = shared.append(frame(100_000), true)
      #expect(ledger.held == 2 * LedgerAccount.step)
      shared.dropOutbox()
      #expect(ledger.held == 0)
    }
  }

  @Test func `is on the ledger until it is written`() {
    let ledger = PeerLedger()
    var shared = made(on: ledger)
    let null = Pipes.openNull()
    for _ in 0..<2 {
      _ = shared.append(frame(1 << 20), true)
      #expect(ledger.held == 1 << 20)
      #expect(shared.write(to: null) == .empty && ledger.held == 0)
    }
    Pipes.close(null)
  }

  @Test(arguments: Framing.allCases) func `is shown to a tap as JSON alone`(framing: Framing) throws {
    var writer = OutgoingFrame.writer()
    for byte in #"["{é\n"]"#.utf8 { writer.byte(byte) }
    let frame = OutgoingFrame.request(nil, "a\"b", writer, framing)
    let text = String(decoding: FrameTap.text(of: frame, framing), as: UTF8.self)
    #expect(text == #"{"jsonrpc":"2.0","method":"a\"b","params":["{é\n"]}"#)
  }
}
