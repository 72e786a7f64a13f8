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

  private final class Kept: LogSink {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
      kept.withLock { $0.append("\(level) \(message)") }
    }
  }
}
