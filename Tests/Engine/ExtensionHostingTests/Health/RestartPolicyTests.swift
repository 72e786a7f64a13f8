import EventLoop
import Files
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The restart policy` {
  static func failure(_ time: Double, _ kind: FailureKind = .crashed) -> HealthRecord.Failure {
    HealthRecord.Failure(time: time, kind: kind, message: "It crashed.")
  }

  @Test(arguments: [(0, 0.0), (1, 1), (2, 2), (3, 4), (4, 8), (5, 8), (100, 8)])
  func `waits longer after each failure`(count: Int, seconds: Double) {
    #expect(RestartPolicy.backOff.seconds(after: count) == seconds)
  }

  @Test func `lets an extension start that never failed`() {
    #expect(HealthRecord().verdict(now: 5, executable: nil) == .free)
    #expect(HealthRecord().verdict(now: 5, executable: "a") == .free)
  }

  @Test func `makes the next start wait`() {
    var record = HealthRecord()
    record.failed(Self.failure(100), executable: "a")
    #expect(record.verdict(now: 100.5, executable: "a") == .wait(until: 101))
    #expect(record.verdict(now: 101, executable: "a") == .free)
    record.failed(Self.failure(101), executable: "a")
    #expect(record.verdict(now: 102, executable: "a") == .wait(until: 103))
  }

  @Test func `does not wait for a clock that was set back`() {
    var record = HealthRecord()
    record.failed(Self.failure(1000), executable: "a")
    #expect(record.verdict(now: 10, executable: "a") == .free)
  }

  @Test func `disables after five failures within a minute`() throws {
    var record = HealthRecord()
    for time in [0.0, 10, 20, 30] { record.failed(Self.failure(time), executable: "a") }
    #expect(record.quarantine == nil)
    record.failed(Self.failure(59), executable: "a")
    let quarantine = try #require(record.quarantine)
    #expect(quarantine.since == 59)
    #expect(record.verdict(now: 1_000_000, executable: "a") == .quarantined(quarantine))
  }

  @Test func `does not disable after five failures in more than a minute`() {
    var record = HealthRecord()
    for time in stride(from: 0.0, through: 300, by: 15.1) { record.failed(Self.failure(time), executable: "a") }
    #expect(record.quarantine == nil)
  }

  @Test(arguments: [(59.999, true), (60, false)]) func `has a window of a minute`(last: Double, isDisabled: Bool) {
    var record = HealthRecord()
    for time in [0.0, 10, 20, 30, last] { record.failed(Self.failure(time), executable: "a") }
    #expect((record.quarantine != nil) == isDisabled)
    #expect(record.recent.count == (isDisabled ? 5 : 4))
    record.failed(Self.failure(61), executable: "a")
    #expect(record.quarantine?.since == (isDisabled ? last : 61))
  }

  @Test func `disables once, until somebody resets it`() {
    var record = HealthRecord()
    for time in 1...7 { record.failed(Self.failure(Double(time)), executable: "a") }
    let quarantine = record.quarantine
    #expect(quarantine?.since == 5)
    #expect(quarantine?.reason == "It failed 5 times within 60 s; at last: It crashed.")
    record.succeeded(now: 8, executable: "a")
    #expect(record.quarantine == quarantine && record.isFailing && record.consecutive == 0)
    record.reset()
    for time in 9...12 { record.failed(Self.failure(Double(time)), executable: "a") }
    #expect(record.quarantine == nil)
    record.failed(Self.failure(13), executable: "a")
    #expect(record.quarantine?.since == 13)
    record.succeeded(now: 14, executable: "b")
    #expect(record.quarantine == nil && record.recent.isEmpty && !record.isFailing)
  }

  @Test func `counts no failure of a time to come`() {
    var record = HealthRecord()
    for time in [1_000.0, 1_001, 1_002, 1_003, 5] { record.failed(Self.failure(time), executable: "a") }
    #expect(record.quarantine == nil && record.recent == [5] && record.consecutive == 5)
    record.failed(Self.failure(5), executable: "a")
    #expect(record.recent == [5, 5])
    #expect(record.verdict(now: 5, executable: "a") == .wait(until: 13))
    #expect(record.verdict(now: 4.9, executable: "a") == .free)
    record.restart()
    #expect(record.verdict(now: 5, executable: "a") == .free)
  }

  @Test func `takes a success of the same moment for later`() {
    var record = HealthRecord()
    record.failed(Self.failure(5), executable: "a")
    record.succeeded(now: 4.9, executable: "a")
    #expect(record.isFailing)
    record.succeeded(now: 5, executable: "a")
    #expect(!record.isFailing)
  }

  @Test func `starts anew with another executable`() {
    var record = HealthRecord()
    for time in 0..<5 { record.failed(Self.failure(Double(time)), executable: "a") }
    #expect(record.verdict(now: 5, executable: "b") == .free)
    record.failed(Self.failure(6), executable: "b")
    #expect(record.quarantine == nil)
    #expect(record.consecutive == 1)
    #expect(record.failures.count == 6)
  }

  @Test func `forgets the back-off after a success`() {
    var record = HealthRecord()
    record.failed(Self.failure(1), executable: "a")
    #expect(record.isFailing)
    record.succeeded(now: 1.5, executable: "a")
    #expect(record.verdict(now: 1.6, executable: "a") == .free)
    #expect(!record.isFailing)
    #expect(record.lastFailure?.time == 1)
  }

  @Test(arguments: FailureKind.allCases) func `counts what starting again may repeat`(kind: FailureKind) {
    var record = HealthRecord()
    for time in 0..<6 { record.failed(Self.failure(Double(time), kind), executable: "a") }
    #expect((record.quarantine != nil) == kind.counts)
    #expect(record.isFailing)
  }

  @Test func `ends a back-off by restart and a quarantine by reset`() {
    var record = HealthRecord()
    for time in 0..<5 { record.failed(Self.failure(Double(time)), executable: "a") }
    record.restart()
    #expect(record.quarantine != nil)
    #expect(record.generation == 1)
    record.reset()
    #expect(record.verdict(now: 5, executable: "a") == .free)
    #expect(record.generation == 2)
    #expect(record.failures.count == 5)
  }

  @Test func `tells of a quarantine while the file is the one that failed`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("extension", "one".utf8)
    var record = HealthRecord()
    #expect(record.quarantine(ofExecutable: path) == nil && record.quarantine(ofExecutable: nil) == nil)
    for time in 1...5 { record.failed(Self.failure(Double(time)), executable: FileStamp(path)?.text) }
    let quarantine = try #require(record.quarantine)
    #expect(record.quarantine(ofExecutable: path) == quarantine)
    #expect(record.quarantine(ofExecutable: nil) == quarantine)
    #expect(record.quarantine(ofExecutable: path + "s") == nil)
    try folder.write("extension", "another".utf8)
    #expect(record.quarantine(ofExecutable: path) == nil && record.quarantine == quarantine)
  }

  @Test func `keeps a bounded memory`() {
    var record = HealthRecord()
    for time in 0..<50 {
      var failure = Self.failure(Double(time * 100))
      failure.standardError = (0..<64).map { "line \($0)" }
      record.failed(failure, executable: "a")
    }
    #expect(record.failures.count == HealthRecord.failureLimit)
    #expect(record.failures.allSatisfy { $0.standardError.count == HealthRecord.lineLimit })
    #expect(record.failures.last?.standardError.last == "line 63")
  }
}
