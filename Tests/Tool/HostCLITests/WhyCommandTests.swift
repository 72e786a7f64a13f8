import CommandLineTool
import ExtensionProtocol
import JSON
import Testing

@testable import ExtensionHosting
@testable import HostCLI

/// `host why`.
@Suite(.timeLimit(.minutes(1)))
struct `Why an extension failed` {
  private static let id = ToolStage.widget
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private static func failure(
    _ kind: FailureKind = .crashed, at time: Double = 1_000, _ change: (inout HealthRecord.Failure) -> Void = { _ in }
  ) -> HealthRecord.Failure {
    var failure = HealthRecord.Failure(time: time, kind: kind, message: "It went wrong.")
    change(&failure)
    return failure
  }

  private func remember(_ failures: [HealthRecord.Failure], _ change: (inout HealthRecord) -> Void = { _ in })
    async throws
  {
    var record = HealthRecord()
    record.failures = failures
    record.consecutive = failures.count
    change(&record)
    let whole = record
    try await HealthStore(stage.state).change(Self.id) { $0 = whole }
  }

  private func why(_ more: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await WhyCommand.run(try stage.invocation(["why", Self.id] + more, bundles: bundles))
  }

  /// The rows of the table, by their names.
  private var facts: [String: String] {
    let rows = stage.output.split(separator: "\n").compactMap { line -> (String, String)? in
      guard line.hasPrefix("  "), !line.hasPrefix("   "), let gap = line.dropFirst(2).firstRange(of: "  ") else {
        return nil
      }
      return (String(line.dropFirst(2)[..<gap.lowerBound]), String(line[gap.upperBound...].drop { $0 == " " }))
    }
    return Dictionary(rows) { first, _ in first }
  }

  // MARK: With and without an entry and failures

  @Test func `is an error for a name that nothing has and nothing is remembered of`() async throws {
    let error = await #expect(throws: ExtensionError.self) { try await why() }
    #expect(error?.code == .extensionUnknown && stage.output == "")
  }

  @Test func `is known of one that is not installed any more`() async throws {
    try await remember([Self.failure()])
    #expect(try await why() == .failure)
    #expect(stage.lines.prefix(3) == ["\(Self.id): failing", "It is not installed any more.", "The last failure:"])
    #expect(facts["what"] == "It went wrong.")
    #expect(try await why("--json") == .failure)
    #expect(stage.document?["state"] == "unusable" && stage.document?["healthy"] == false)
    #expect(stage.document?["reasons"] == ["It is not installed any more."])
  }

  @Test func `is nothing where there was no failure`() async throws {
    let bundle = try stage.write()
    #expect(try await why(bundles: [bundle]) == .success)
    #expect(stage.output == "\(Self.id): nothing is wrong\n")
    #expect(try await why("--json", bundles: [bundle]) == .success)
    #expect(stage.document?["state"] == "healthy" && stage.document?["lastFailure"] == .null)
    #expect(stage.document?["failures"] == [] && stage.document?["quarantine"] == .null)
  }

  @Test func `is a manifest or a program that keeps it from starting, with what to do`() async throws {
    let bundle = try stage.write { $0.hasProgram = false }
    #expect(try await why(bundles: [bundle]) == .failure)
    #expect(stage.lines.count == 3 && stage.lines.first == "\(Self.id): failing")
    #expect(stage.lines.contains { $0.contains("does not exist") })
    #expect(stage.lines.last == "help: Put the executable there, or build it.")
    #expect(try await why("--json", bundles: [bundle]) == .failure)
    #expect(stage.document?["state"] == "unusable")
  }

  @Test func `is the last failure while nothing has gone well since`() async throws {
    let bundle = try stage.write()
    try await remember([Self.failure { $0.recovery = "Mend it." }]) { $0.lastSuccess = 999 }
    #expect(try await why(bundles: [bundle]) == .failure)
    #expect(stage.lines.prefix(2) == ["\(Self.id): failing", "The last failure:"])
    #expect(stage.lines.last == "help: Mend it.")
    #expect(try await why("--json", bundles: [bundle]) == .failure)
    #expect(stage.document?["state"] == "failing" && stage.document?["lastSuccess"]?.doubleValue == 999)
    #expect(stage.document?["lastFailure"]?["message"] == "It went wrong.")
  }

  @Test func `is told without advice when it has run well since`() async throws {
    let bundle = try stage.write()
    let failure = Self.failure(.exception) {
      $0.recovery = "Mend it."
      $0.stage = "landlock"
    }
    try await remember([failure]) { $0.lastSuccess = 1_001 }
    #expect(try await why(bundles: [bundle]) == .success)
    #expect(
      stage.lines.prefix(2) == ["\(Self.id): nothing is wrong", "The last failure, since when it ran well:"])
    #expect(!stage.output.contains("help:"))
  }

  @Test func `is a quarantine, and how to end it`() async throws {
    let bundle = try stage.write()
    try await remember([Self.failure()]) {
      $0.quarantine = HealthRecord.Quarantine(since: 1_000, reason: "It failed often.")
    }
    #expect(try await why(bundles: [bundle]) == .failure)
    #expect(stage.lines.first == "\(Self.id): disabled")
    #expect(stage.lines.contains { $0.hasPrefix("Disabled since ") && $0.hasSuffix(". It failed often.") })
    #expect(stage.lines.contains("When you have corrected it, run \"host reset \(Self.id)\"."))
    #expect(try await why("--json", bundles: [bundle]) == .failure)
    #expect(stage.document?["state"] == "quarantined")
    #expect(stage.document?["quarantine"]?["reason"] == "It failed often.")
  }

  // MARK: The facts

  @Test func `has a row for each fact that is known`() async throws {
    let failure = Self.failure(.memory) {
      $0.reason = "crashed with SIGSEGV"
      $0.status = 3
      $0.signal = 11
      $0.stage = "landlock"
      $0.errno = 13
      $0.method = "widget/performUpdate"
      $0.wire = "{oops"
      $0.measure = HealthRecord.Measure(figure: 70, ceiling: 64, unit: "threads")
      $0.folder = "/a/folder"
      $0.deadline = HealthRecord.Deadline(.call, .seconds(10))
      $0.violation = "partialMessage"
      $0.protocolVersion = "9.9"
      $0.version = "7"
      $0.standardError = ["one", "two"]
    }
    try await remember([failure])
    #expect(try await why() == .failure)
    var expected = [
      "what": "It went wrong.", "kind": "memory", "the process": "crashed with SIGSEGV", "exit status": "3",
      "signal": "11", "launch stage": "landlock", "errno": "13", "call": "widget/performUpdate",
      "on the wire": "{oops", "memory": "70 threads used, 64 threads allowed", "folder": "/a/folder",
      "deadline": "10000 ms for the answer", "protocol": "partialMessage", "it speaks": "protocol 9.9",
      "version": "7", "failures in a row": "1",
    ]
    expected["when"] = facts["when"]
    #expect(facts == expected)
    #expect(facts["when"]?.contains(/^19(69|70)-\d\d-\d\d \d\d:\d\d:\d\d$/) == true)
    #expect(
      stage.lines.suffix(4) == [
        "its standard error ended with:", "one", "two", "help: \"host doctor\" shows what this machine enforces.",
      ])
  }

  @Test func `has no row for what is not known`() async throws {
    try await remember([Self.failure()])
    #expect(try await why() == .failure)
    #expect(facts.keys.sorted() == ["failures in a row", "kind", "what", "when"])
    #expect(!stage.output.contains("standard error") && !stage.output.contains("help:"))
  }

  @Test(
    arguments: [
      (.memory, "memory"), (.cpu, "processor time"), (.diskQuota, "files"), (.threads, "threads"),
      (.hostMemory, "the host's memory"),
    ] as [(FailureKind, String)])
  func `says what a limit was of`(kind: FailureKind, name: String) async throws {
    try await remember([Self.failure(kind) { $0.measure = HealthRecord.Measure(figure: 2, ceiling: 1, unit: "bytes") }])
    #expect(try await why() == .failure)
    #expect(facts[name]?.hasSuffix(" allowed") == true)
    #expect(facts.count == 5)
  }

  @Test func `has the earlier failures, the newest first`() async throws {
    try await remember([
      Self.failure(.cpu, at: 1_000), Self.failure(.exited, at: 1_060), Self.failure(.hung, at: 1_120),
    ])
    #expect(try await why() == .failure)
    #expect(facts["kind"] == "hung" && facts["failures in a row"] == "3")
    let earlier = facts["earlier"]?.split(separator: ", ").map { $0.split(separator: " ").last ?? "" }
    #expect(earlier == ["exited", "cpu"])
  }

  @Test func `leads to the log after an exception`() async throws {
    try await remember([Self.failure(.exception)])
    #expect(try await why() == .failure)
    #expect(stage.lines.last == "help: “host logs \(Self.id)” shows all that it printed.")
  }
}
