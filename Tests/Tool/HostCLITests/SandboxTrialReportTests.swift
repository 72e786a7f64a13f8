import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import JSON
import Sandbox
import TestSupport
import Testing

@testable import HostCLI
@testable import SandboxTrials

/// `host doctor --verify`.
@Suite(.timeLimit(.minutes(1)))
struct `What the attempts came to` {
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private static func series(_ tier: SandboxTier, _ verdicts: [Verdict]) -> TrialSeries {
    TrialSeries(tier: tier, trials: zip(Attempt.all, verdicts).map { TrialSeries.Trial(attempt: $0, verdict: $1) })
  }

  /// The summary of an attempt as a row begins with it, with single spaces between words.
  private static func row(_ index: Int) -> String {
    let summary = Attempt.all[index].summary
    return (summary.prefix(1).lowercased() + summary.dropFirst()).split(separator: " ").joined(separator: " ")
  }

  private func lines(_ series: TrialSeries...) throws -> [String] {
    SandboxTrialReport(series: series).print(to: try stage.invocation(["list"]).console)
    return stage.output.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test func `is a table of the first tier, and a sentence for each`() throws {
    let first = Self.series(.full, [.held(how: "EPERM"), .notPromised, .broken("It worked.")])
    let second = Self.series(.light, [.held(how: "EACCES"), .held(how: "EACCES")])
    #expect(
      try lines(first, second) == [
        "", "Attempts in the tier \(SandboxTier.full.rawValue):", "A HOSTILE EXTENSION TRIES TO RESULT ANSWER",
        "\(Self.row(0)) blocked EPERM", "\(Self.row(1)) not promised", "\(Self.row(2)) BROKEN It worked.",
        "1 blocked, 1 broken, 1 not promised (\(Attempt.all[1].name)).", "",
        "Attempts in the tier \(SandboxTier.light.rawValue):", "2 blocked, 0 broken.", "",
      ])
  }

  @Test func `is of another tier only what is broken`() throws {
    let first = Self.series(.full, [.held(how: "EPERM")])
    let second = Self.series(.light, [.held(how: "EACCES"), .broken("It worked.")])
    #expect(
      try lines(first, second).suffix(6) == [
        "", "Attempts in the tier \(SandboxTier.light.rawValue):", "A HOSTILE EXTENSION TRIES TO RESULT ANSWER",
        "\(Self.row(1)) BROKEN It worked.", "1 blocked, 1 broken.", "",
      ])
  }

  @Test func `holds when nothing is broken in any tier`() {
    let held = Self.series(.full, [.held(how: "EPERM"), .notPromised])
    let broken = Self.series(.light, [.held(how: "EPERM"), .broken("It worked.")])
    #expect(SandboxTrialReport(series: [held]).holds && SandboxTrialReport(series: []).holds)
    #expect(!SandboxTrialReport(series: [held, broken]).holds && !SandboxTrialReport(series: [broken, held]).holds)
  }

  @Test func `is an object for each tier in JSON`() {
    let series = Self.series(.full, [.held(how: "EPERM"), .notPromised, .broken("It worked.")])
    func attempt(_ index: Int, _ rest: JSONObject) -> JSONValue {
      var object: JSONObject = [
        "name": .string(Attempt.all[index].name), "summary": .string(Attempt.all[index].summary),
      ]
      for (name, value) in rest { object[name] = value }
      return .object(object)
    }
    let attempts: [JSONValue] = [
      attempt(0, ["result": "blocked", "detail": "EPERM"]), attempt(1, ["result": "notPromised"]),
      attempt(2, ["result": "broken", "detail": "It worked."]),
    ]
    let object: JSONObject = [
      "tier": .string(SandboxTier.full.rawValue), "blocked": 1, "broken": 1, "notPromised": 1,
      "attempts": .array(attempts),
    ]
    #expect(SandboxTrialReport(series: [series]).document == .array([.object(object)]))
  }

  @Test func `is no promise where a start failed`() {
    let sandbox = SandboxError(.policyInvalid, "It cannot be.", recovery: "Mend it.")
    #expect(
      TrialLaunch.row(of: sandbox)
        == SandboxReport.Row(layer: "a start", enforced: false, detail: "It cannot be.", recovery: "Mend it."))
    let other = ExtensionError(.storeFailed, "It is full.", recovery: "Make room.")
    #expect(
      TrialLaunch.row(of: other)
        == SandboxReport.Row(layer: "a start", enforced: false, detail: "It is full.", recovery: "Make room."))
  }
}
