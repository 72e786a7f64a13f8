import JSONRPC
import EventLoop
import ExtensionProtocol
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `The lines of extensions in the log` {
  private static let rate = LineMeter.Rate(lines: (10, 2), bytes: (1000, 100))
  private static let all = LineMeter.Rate(lines: (15, 3), bytes: (10_000, 1000))

  private static var allowance: LogAllowance {
    LogAllowance(warnings: .init(own: rate, all: all), others: .init(own: rate, all: all))
  }

  private static func seconds(_ count: Double) -> UInt64 { UInt64(count * 1e9) }

  @Test func `are a burst, and then a rate`() {
    var allowance = Self.allowance
    var taken = 0
    for _ in 0..<100 where allowance.came(.warning, 1, about: "a", at: 1).isTaken { taken += 1 }
    #expect(taken == 10)
    for step in 1...100 where allowance.came(.warning, 1, about: "a", at: Self.seconds(Double(step) / 10)).isTaken {
      taken += 1
    }
    // Two in each of ten seconds.
    #expect((29...30).contains(taken))
  }

  @Test func `are not many bytes either`() {
    var allowance = Self.allowance
    #expect(allowance.came(.warning, 999, about: "a", at: 1).isTaken)
    // The last one is paid for later.
    #expect(allowance.came(.warning, 999, about: "a", at: 1).isTaken)
    #expect(!allowance.came(.warning, 1, about: "a", at: 1).isTaken)
    #expect(!allowance.came(.warning, 1, about: "a", at: Self.seconds(9)).isTaken)
    #expect(allowance.came(.warning, 1, about: "a", at: Self.seconds(11)).isTaken)
  }

  @Test func `are counted for all extensions together`() {
    var allowance = Self.allowance
    var taken = 0
    for number in 0..<50 { taken += allowance.came(.warning, 1, about: "e\(number)", at: 1).isTaken ? 1 : 0 }
    #expect(taken == 15)
  }

  @Test func `of less importance do not take the place of warnings`() {
    var allowance = Self.allowance
    for _ in 0..<1000 { _ = allowance.came(.info, 100, about: "a", at: 1) }
    #expect(allowance.came(.warning, 1, about: "a", at: 1).isTaken)
  }

  @Test func `that are left out are one line, at the worst of their levels`() {
    var allowance = Self.allowance
    for _ in 0..<10 { _ = allowance.came(.info, 1, about: "a", at: 1) }
    #expect(allowance.came(.info, 1, about: "a", at: 1) == .init(isTaken: false, reminds: true))
    #expect(allowance.came(.notice, 1, about: "a", at: 1) == .init(isTaken: false))
    // A line that passes meanwhile does not say so.
    #expect(allowance.came(.info, 1, about: "a", at: Self.seconds(1)) == .init(isTaken: true))
    #expect(allowance.due("a") == .init(count: 2, level: .notice))
    #expect(allowance.due("a") == nil)
    #expect(allowance.due("b") == nil)
  }

  @Test func `are remembered of no more extensions than there can be`() {
    var allowance = Self.allowance
    for number in 0..<10_000 { _ = allowance.came(.info, 1, about: "e\(number)", at: Self.seconds(Double(number))) }
    #expect(allowance.came(.info, 1, about: "e1", at: Self.seconds(20_000)).isTaken)
  }

  @Test func `reach a log that somebody reads`() async throws {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let kept = Kept()
    let log = MeteredLog(kept, loop: loop, allowance: Self.allowance)
    for number in 0..<1000 {
      log.log(.warning, "line", metadata: ["extension.id": "a", "n": .integer(Int64(number))])
      log.log(.warning, "host", metadata: [:])
    }
    // What is about no extension is the host's own.
    #expect(kept.lines.count { $0.contains("host") } == 1000)
    #expect((10...20).contains(kept.lines.count { $0.contains("line") }))
    while kept.lines.last?.hasSuffix("left out") != true { await Task.yield() }
    #expect(kept.lines.last?.hasPrefix("warning … 9") == true)
    #expect(MeteredLog.over(log, loop: loop) is MeteredLog)
    #expect(MeteredLog.over(NoLog(), loop: loop) is NoLog)
  }

  @Test func `are no more than a terminal and a disk can have, of one extension and of all`() {
    typealias Case = (level: LogLevel, own: Int, all: Int, perSecond: Int, bytes: Int, bytesPerSecond: Int)
    let cases: [Case] = [
      (.warning, 50, 100, 5, 128 << 10, 8 << 10), (.error, 50, 100, 5, 128 << 10, 8 << 10),
      (.notice, 1_000, 4_000, 100, 1 << 20, 64 << 10), (.trace, 1_000, 4_000, 100, 1 << 20, 64 << 10),
    ]
    for (level, own, all, perSecond, bytes, bytesPerSecond) in cases {
      func taken(_ allowance: inout LogAllowance, _ id: String, at seconds: Double) -> Int {
        var count = 0
        while allowance.came(level, 1, about: id, at: Self.seconds(seconds)).isTaken { count += 1 }
        return count
      }
      var allowance = LogAllowance()
      #expect(taken(&allowance, "a", at: 100) == own && taken(&allowance, "a", at: 101) == perSecond)
      var shared = LogAllowance()
      let counts = (0..<5).map { taken(&shared, "e\($0)", at: 100) }
      #expect(counts.reduce(0, +) == all && counts[0] == own)
      #expect(taken(&shared, "e9", at: 101) == (all == 100 ? 10 : 400))
      // The last line may be longer than what is left, and is paid for later.
      for (size, isTaken) in [(bytes - 1, true), (bytes, false)] {
        var filled = LogAllowance()
        #expect(filled.came(level, size, about: "a", at: Self.seconds(100)).isTaken)
        #expect(filled.came(level, 1, about: "a", at: Self.seconds(100)).isTaken == isTaken)
      }
      var owing = LogAllowance()
      _ = owing.came(level, bytes + bytesPerSecond, about: "a", at: Self.seconds(100))
      #expect(!owing.came(level, 1, about: "a", at: Self.seconds(101)).isTaken)
      #expect(owing.came(level, 1, about: "a", at: Self.seconds(101.001)).isTaken)
      var heavy = LogAllowance()
      let most = all == 100 ? 256 << 10 : 4 << 20
      _ = heavy.came(level, most, about: "a", at: Self.seconds(100))
      #expect(!heavy.came(level, 1, about: "b", at: Self.seconds(100)).isTaken)
    }
  }

  /// One line for each extension, ever.
  private static var once: LogAllowance {
    let (one, many) = (
      LineMeter.Rate(lines: (1, 0), bytes: (99, 0)), LineMeter.Rate(lines: (9_999, 0), bytes: (99_999, 0))
    )
    return LogAllowance(warnings: .init(own: one, all: many), others: .init(own: one, all: many))
  }

  @Test(arguments: [(1_023, false), (1_024, true)])
  func `of 1,024 extensions are forgotten, but for what is to be said yet`(count: Int, isForgotten: Bool) {
    var allowance = Self.once
    for number in 0..<count { #expect(allowance.came(.info, 1, about: "e\(number)", at: 1).isTaken) }
    #expect(allowance.came(.info, 1, about: "e0", at: 1).isTaken == isForgotten)
    var telling = Self.once
    for _ in 0..<3 { _ = telling.came(.info, 1, about: "e0", at: 1) }
    for number in 1..<count { _ = telling.came(.info, 1, about: "e\(number)", at: 1) }
    #expect(telling.came(.info, 1, about: "e1", at: 1).isTaken == isForgotten)
    #expect(telling.due("e0") == .init(count: 2, level: .info))
  }

  @Test func `of 1,024 extensions are forgotten altogether where each has something to say`() {
    let (one, many) = (
      LineMeter.Rate(lines: (1, 0), bytes: (99, 0)), LineMeter.Rate(lines: (9_999, 0), bytes: (99_999, 0))
    )
    var allowance = LogAllowance(warnings: .init(own: many, all: one), others: .init(own: many, all: one))
    // All together have one line, which is the first one's.
    for number in 0..<1_024 { _ = allowance.came(.info, 1, about: "e\(number)", at: 1) }
    _ = allowance.came(.info, 1, about: "e0", at: 1)
    var before = allowance
    #expect(before.due("e5") == .init(count: 1, level: .info) && before.due("e0") == .init(count: 1, level: .info))
    #expect(allowance.came(.info, 1, about: "x", at: 1) == .init(isTaken: false, reminds: true))
    #expect(allowance.due("e5") == nil && allowance.due("x") == .init(count: 1, level: .info))
  }

  @Test func `that were left out are said at once when their extension ends, in one line`() {
    let loop = EventLoop.onThread(name: "test")
    defer { loop.stop() }
    let kept = Kept()
    let one = LineMeter.Rate(lines: (1, 0), bytes: (1_000, 0))
    let many = LineMeter.Rate(lines: (99, 0), bytes: (9_999, 0))
    let log = MeteredLog(
      kept, loop: loop,
      allowance: LogAllowance(warnings: .init(own: one, all: many), others: .init(own: one, all: many)))
    log.flush("a")
    for (count, words) in [(1, "1 line"), (2, "2 lines")] {
      let before = kept.lines.count
      for _ in 0..<(count == 1 ? 2 : count) { log.log(.notice, "x", metadata: ["extension.id": "a"]) }
      log.flush("a")
      log.flush("a")
      #expect(Array(kept.lines.dropFirst(before)) == (count == 1 ? ["notice x"] : []) + ["notice … \(words) left out"])
    }
    // What is not the name of an extension is the host's own.
    for _ in 0..<3 { log.log(.notice, "y", metadata: ["extension.id": 5]) }
    #expect(kept.lines.suffix(3) == ["notice y", "notice y", "notice y"])
  }

  private final class Kept: LogSink {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
      kept.withLock { $0.append("\(level) \(message)") }
    }
  }
}
