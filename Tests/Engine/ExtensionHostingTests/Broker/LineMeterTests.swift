import EventLoop
import ExtensionProtocol
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `A meter of lines` {
  private static func seconds(_ count: Double) -> UInt64 { UInt64(count * 1e9) }

  @Test func `opens for a whole line, and not for less`() {
    var meter = LineMeter(.init(lines: (2, 1), bytes: (1_000, 1_000)))
    for turn in 0..<3 {
      let start = Self.seconds(Double(100 * turn))
      for _ in 0..<2 {
        #expect(meter.isOpen(at: start) == true)
        meter.take(1)
      }
      #expect(!meter.isOpen(at: start) && !meter.isOpen(at: start + Self.seconds(0.5)))
      // A line that was refused costs nothing.
      #expect(meter.isOpen(at: start + Self.seconds(1)) == true)
      meter.take(1)
      #expect(meter.isOpen(at: start + Self.seconds(1.5)) == false)
    }
  }

  @Test func `opens as soon as a byte is left, and closes with the last one`() {
    var meter = LineMeter(.init(lines: (100, 100), bytes: (10, 1)))
    #expect(meter.isOpen(at: 1) == true)
    meter.take(9)
    #expect(meter.isOpen(at: 1) == true)
    meter.take(1)
    #expect(meter.isOpen(at: 1) == false)
    #expect(meter.isOpen(at: 1 + Self.seconds(0.25)) == true)
    meter.take(30)
    #expect(!meter.isOpen(at: 1 + Self.seconds(29)) && meter.isOpen(at: 1 + Self.seconds(31)))
  }

  @Test func `saves no more than its burst, and gives nothing for time that runs backwards`() {
    var meter = LineMeter(.init(lines: (2, 1), bytes: (10, 1)))
    #expect(meter.isOpen(at: Self.seconds(1_000)) == true)
    for _ in 0..<2 { meter.take(1) }
    #expect(!meter.isOpen(at: Self.seconds(1_000)) && !meter.isOpen(at: Self.seconds(10)))
    #expect(meter.isOpen(at: Self.seconds(100_000)) == true)
    for _ in 0..<2 { meter.take(1) }
    #expect(meter.isOpen(at: Self.seconds(100_000)) == false)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Lines that were left out` {
  private static let one = LineMeter.Rate(lines: (1, 1), bytes: (1_000, 1_000))
  private static let many = LineMeter.Rate(lines: (9_999, 9_999), bytes: (9_999_999, 9_999_999))

  private static var allowance: LogAllowance {
    LogAllowance(warnings: .init(own: one, all: many), others: .init(own: one, all: many))
  }

  @Test func `are announced each time, at the worst level since the last time`() {
    var allowance = Self.allowance
    for turn in 0..<3 {
      let now = UInt64(turn) * 60_000_000_000
      #expect(allowance.came(.info, 1, about: "a", at: now) == .init(isTaken: true), "turn \(turn)")
      #expect(allowance.came(.notice, 1, about: "a", at: now) == .init(isTaken: false, reminds: true))
      #expect(allowance.came(.info, 1, about: "a", at: now) == .init(isTaken: false))
      #expect(allowance.due("a") == .init(count: 2, level: .notice))
      // What is left out after that is announced anew.
      #expect(allowance.came(.debug, 1, about: "a", at: now) == .init(isTaken: false, reminds: true))
      #expect(allowance.due("a") == .init(count: 1, level: .debug))
    }
  }

  @Test func `from warning on have a limit of their own`() {
    for (level, isSame) in [(LogLevel.warning, true), (.error, true), (.notice, false)] {
      var allowance = Self.allowance
      #expect(allowance.came(.warning, 1, about: "a", at: 1).isTaken)
      #expect(allowance.came(level, 1, about: "a", at: 1).isTaken == !isSame)
    }
  }

  private final class Kept: LogSink {
    let count = Mutex(0)
    func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) { count.withLock { $0 += 1 } }
  }

  @Test func `are counted in bytes, names and values included`() {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    // Each line has 2 + 12 + 1 + 1 + 4 bytes at least: ten characters of "é" are twenty bytes more.
    for (text, fits) in [("éééééééééé", 1), ("eeeeeeeeee", 2)] {
      let rate = LineMeter.Rate(lines: (99, 0), bytes: (35, 0))
      let kept = Kept()
      let log = MeteredLog(
        kept, loop: loop,
        allowance: LogAllowance(warnings: .init(own: rate, all: Self.many), others: .init(own: rate, all: Self.many)))
      for _ in 0..<5 { log.log(.info, "id", metadata: ["extension.id": "a", "t": .string(text)]) }
      #expect(kept.count.withLock { $0 } == fits, "\(text)")
    }
  }
}
