import CLaunchPolicy
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `A launch status decoder` {
  private func record(_ words: UInt32...) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
  }

  private var executed: [UInt8] { record(LAUNCH_STATUS_MAGIC, 2, 0, 0) }

  @Test func `reads every kind of record`() throws {
    var decoder = LaunchStatusDecoder()
    let bytes =
      executed + record(LAUNCH_STATUS_MAGIC, 3, 1, 7) + record(LAUNCH_STATUS_MAGIC, 3, 2, 9)
      + record(LAUNCH_STATUS_MAGIC, 3, 3, 0) + record(LAUNCH_STATUS_MAGIC, 1, 20, 95)
    let failure = LaunchFailure(stage: .landlock, errorNumber: 95)
    #expect(
      try decoder.decode(bytes) == [
        .executed, .ended(.exited(code: 7)), .ended(.signalled(number: 9)), .ended(.lost), .launchFailed(failure),
      ])
  }

  @Test func `waits for the rest of a record`() throws {
    var decoder = LaunchStatusDecoder()
    for byte in executed.dropLast() { #expect(try decoder.decode([byte]).isEmpty) }
    #expect(try decoder.decode(executed.suffix(1)) == [.executed])
    #expect(try decoder.decode([]).isEmpty)
  }

  @Test func `may be cut anywhere between its records and in them`() throws {
    let bytes = executed + record(LAUNCH_STATUS_MAGIC, 3, 1, 7) + record(LAUNCH_STATUS_MAGIC, 3, 3, 0)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = LaunchStatusDecoder()
        var found = try decoder.decode(bytes[..<first])
        found += try decoder.decode(bytes[first..<second])
        found += try decoder.decode(bytes[second...])
        #expect(found == [.executed, .ended(.exited(code: 7)), .ended(.lost)], "\(first), \(second)")
      }
    }
  }

  @Test(arguments: [
    [0, 2, 0, 0], [LAUNCH_STATUS_MAGIC, 0, 0, 0], [LAUNCH_STATUS_MAGIC, 4, 0, 0], [LAUNCH_STATUS_MAGIC, 1, 0, 1],
    [LAUNCH_STATUS_MAGIC, 1, 23, 1], [LAUNCH_STATUS_MAGIC, 3, 0, 1], [LAUNCH_STATUS_MAGIC, 3, 4, 1],
  ])
  func `refuses what no launcher writes`(words: [UInt32]) {
    var decoder = LaunchStatusDecoder()
    let bytes = words.flatMap { record($0) }
    #expect(throws: SandboxError(.statusMalformed, "", recovery: "")) { try decoder.decode(bytes) }
  }

  @Test func `knows every stage of the launcher`() {
    #expect(LaunchStage.allCases.map(\.rawValue) == Array(1...LAUNCH_STAGE_LAST.rawValue))
    #expect(LaunchStage.execute.rawValue == LAUNCH_STAGE_EXECUTE.rawValue)
    #expect(LaunchStage.mounts.rawValue == LAUNCH_STAGE_MOUNTS.rawValue)
    #expect(LaunchStage.allCases.allSatisfy { !$0.recovery.isEmpty })
  }

  @Test func `advises for each stage what helps there`() {
    let namespaces = LaunchStage.allCases.filter { LaunchStage.userNamespace <= $0 && $0 <= .cgroupNamespace }
    let advice: [(words: String, stages: [LaunchStage])] = [
      ("user.max_user_namespaces", namespaces), ("systempaths=unconfined", [.proc]),
      ("mounts are allowed", [.mounts, .root]), ("change user and group ids", [.credentials]),
      ("ANNEX_HOME", [.workingDirectory]), ("with Landlock", [.landlock]),
      ("user notification", [.execOnce, .seccomp]),
      ("its interpreter is granted", [.execute]), ("Raise the hard limits", [.limits]),
      ("of one version", [.descriptors, .policy, .session, .`init`, .extensionProcess]),
    ]
    for stage in LaunchStage.allCases {
      let found = advice.filter { stage.recovery.contains($0.words) }
      #expect(found.count == 1 && found.first?.stages.contains(stage) == true, "\(stage)")
      let error = SandboxError.launchFailed(LaunchFailure(stage: stage, errorNumber: 1))
      #expect(error.code == .launchFailed && error.failure?.stage == stage && error.recovery == stage.recovery)
      #expect(error.message.hasPrefix("The sandbox was not set up: stage \(stage) failed ("))
    }
  }
}
