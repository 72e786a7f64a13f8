import JSONRPC
import ExtensionProtocol
import Glibc
import JSON
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `A failure that is remembered` {
  typealias Measure = HealthRecord.Measure

  private static let identity = Caller.Identity(
    id: "a.b", version: nil, displayName: "B", point: .clock, containingApp: "a", groups: [], entitlements: [])

  private func failure(_ reason: ExitReason) -> HealthRecord.Failure {
    var finding = Finding(reason.failureKind, .peerExited, "It is gone.", method: "a/b")
    finding.reason = reason
    return HealthRecord.Failure(finding, version: "2")
  }

  @Test(arguments: [
    (ExitReason.memory(used: 33 << 20, ceiling: 32 << 20), FailureKind.memory, "33 MiB used, 32 MiB allowed"),
    (.crashedNearCeiling(6, used: 31 << 20, ceiling: 32 << 20), .crashed, "31 MiB used, 32 MiB allowed"),
    (.cpu(used: .seconds(11), ceiling: .seconds(10), isIdle: false), .cpu, "11000 ms used, 10000 ms allowed"),
    (.hostMemory(held: 65 << 20, ceiling: 64 << 20), .hostMemory, "65 MiB used, 64 MiB allowed"),
    (.threads(used: 17, ceiling: 16), .threads, "17 threads used, 16 threads allowed"),
    (.hostMemory(held: 65 << 20, ceiling: 64 << 20), .hostMemory, "65 MiB used, 64 MiB allowed"),
    (
      .diskQuota(DiskExcess(folder: "/c", used: 9, ceiling: 8, unit: .files)), .diskQuota,
      "9 files used, 8 files allowed"
    ),
  ])
  func `has the figure and the ceiling of the limit that ended it`(
    _ reason: ExitReason, _ kind: FailureKind, _ text: String
  ) {
    let failure = failure(reason)
    #expect(failure.kind == kind)
    #expect(failure.exit == reason.kind)
    #expect(failure.measure?.description == text)
    #expect(failure.reason == reason.description)
  }

  @Test func `names the folder that is too full`() {
    let excess = DiskExcess(folder: "/c", used: 9 << 20, ceiling: 8 << 20, unit: .bytes)
    #expect(failure(.diskQuota(excess)).folder == "/c")
    #expect(failure(.diskQuota(excess)).measure == Measure(figure: 9 << 20, ceiling: 8 << 20, unit: "bytes"))
  }

  @Test func `has status, signal, stage and errno as the exit reason tells them`() {
    #expect(failure(.exited(3)).status == 3)
    #expect(failure(.crashed(11)).signal == 11)
    #expect(failure(.crashedNearCeiling(6, used: 1, ceiling: 1)).signal == 6)
    let stage = failure(.launchFailed(stage: "mount", errno: 1))
    #expect(stage.stage == "mount" && stage.errno == 1 && stage.kind == .launchFailed)
  }

  @Test(arguments: [
    ("landlock", EACCES, "user of its own"), ("workingDirectory", EACCES, "ANNEX_HOME"),
    ("landlock", EOPNOTSUPP, "5.13"), ("seccomp", EACCES, "seccomp filters"),
  ])
  func `says what can be done about a stage that failed`(_ stage: String, _ errno: Int32, _ words: String) {
    #expect(ExitReason.launchFailed(stage: stage, errno: errno).recovery?.contains(words) == true)
  }

  @Test func `has no advice for a stage that it does not know`() {
    #expect(ExitReason.launchFailed(stage: "tomorrow", errno: 1).recovery == nil)
  }

  @Test func `takes the stage of a refused launch from the sandbox's code`() {
    let error = ExtensionError(.launchFailed, "No.", details: ["sandbox": "launcherMissing"])
    #expect(HealthRecord.Failure(launch: error, version: nil).stage == "launcherMissing")
  }

  @Test func `has the protocol version that was offered`() {
    let finding = Handshake.unsupported("9.9\u{1b}[2J", by: Self.identity)
    let failure = HealthRecord.Failure(finding, version: nil)
    #expect(finding.error(of: Self.identity).details["offered"] == .string("9.9\\u{1b}[2J"))
    #expect(failure.protocolVersion?.hasPrefix("9.9") == true)
    #expect(failure.protocolVersion?.contains("\u{1b}") == false)
    #expect(failure.exit == nil)
  }

  @Test func `says which deadline passed`() {
    #expect(HealthRecord.Deadline(.handshake, .seconds(5)).description == "5000 ms for the answer to initialize")
    #expect(HealthRecord.Deadline(.call, .milliseconds(350)).description == "350 ms for the answer")
    #expect(HealthRecord.Deadline(.silence, .seconds(60)).description == "60000 ms without a sign of life")
  }

  @Test func `survives being written and read`() throws {
    var known = failure(.memory(used: 2, ceiling: 1))
    known.deadline = .init(.call, .seconds(1))
    known.violation = "partialMessage"
    let bytes = try JSONCoding.encode(known)
    #expect(try JSONCoding.decode(HealthRecord.Failure.self, from: bytes) == known)
  }

  @Test func `is cut to its bounds in bytes, in each of its texts`() {
    for more in ["", "a"] {
      func text(_ limit: Int) -> String { String(repeating: "é", count: limit / 2) + more }
      func kept(_ limit: Int) -> String { String(repeating: "é", count: limit / 2) + (more.isEmpty ? "" : "…") }
      var failure = HealthRecord.Failure(time: 1, kind: .crashed, message: text(2_000))
      #expect(failure.capped.message == kept(2_000))
      #expect(failure.capped.recovery == nil && failure.capped.measure == nil && failure.capped.standardError == [])
      let fields: [WritableKeyPath<HealthRecord.Failure, String?>] = [
        \.recovery, \.reason, \.exit, \.folder, \.violation, \.protocolVersion, \.stage, \.method, \.wire, \.version,
      ]
      for field in fields { failure[keyPath: field] = text(500) }
      failure.measure = Measure(figure: 1, ceiling: 2, unit: text(500))
      failure.standardError = (0..<21).map { $0 < 2 ? "\($0)" : text(1_000) }
      let capped = failure.capped
      for field in fields { #expect(capped[keyPath: field] == kept(500)) }
      #expect(capped.measure?.unit == kept(500) && capped.measure?.figure == 1 && capped.measure?.ceiling == 2)
      #expect(capped.standardError == ["1"] + Array(repeating: kept(1_000), count: 19))
    }
  }

  @Test func `counts towards quarantine for every limit`() {
    for kind in [FailureKind.memory, .cpu, .diskQuota, .threads, .hostMemory] { #expect(kind.counts) }
    #expect(
      FailureKind.allCases.filter { !$0.counts } == [.launchFailed, .versionMismatch, .exception, .recordDamaged])
  }
}
