import CommandLineTool
import ExtensionProtocol
import JSON
import TestSupport
import Testing

@testable import ExtensionHosting
@testable import HostCLI

/// `host reset` and `host restart`.
@Suite(.timeLimit(.minutes(1)))
struct `An extension that may start again` {
  private static let id = ToolStage.widget
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private var store: HealthStore { HealthStore(stage.state) }

  private func fail(isDisabled: Bool) async throws {
    try await store.change(Self.id) {
      $0.failures = [HealthRecord.Failure(time: 1_000, kind: .crashed, message: "It went wrong.")]
      $0.consecutive = 3
      $0.quarantine = isDisabled ? HealthRecord.Quarantine(since: 1_000, reason: "It failed often.") : nil
    }
  }

  private func reset(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await ResetCommand.run(try stage.invocation(["reset"] + words, bundles: bundles))
  }

  private func restart(_ words: String..., bundles: [String] = []) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await RestartCommand.run(try stage.invocation(["restart"] + words, bundles: bundles))
  }

  @Test func `is disabled no longer after a reset`() async throws {
    try await fail(isDisabled: true)
    #expect(try await reset(Self.id) == .success)
    #expect(stage.output == "\(Self.id) may start again; it had been disabled.\n" && stage.errors == "")
    #expect(store.record(of: Self.id).quarantine == nil && store.record(of: Self.id).consecutive == 0)
    #expect(try await reset(Self.id) == .success)
    #expect(stage.output == "\(Self.id) may start; it had not been disabled.\n")
  }

  @Test(arguments: [true, false]) func `is told of a reset in JSON, with what was before`(_ isDisabled: Bool)
    async throws
  {
    try await fail(isDisabled: isDisabled)
    #expect(try await reset(Self.id, "--json") == .success)
    #expect(
      stage.document == ["id": .string(Self.id), "wasQuarantined": .bool(isDisabled), "consecutiveFailures": 3])
  }

  @Test func `is one that there is, or one that failed`() async throws {
    let error = await #expect(throws: ExtensionError.self) { try await reset(Self.id) }
    #expect(error?.code == .extensionUnknown && stage.output == "")
    let bundle = try stage.write { $0.hasProgram = false }
    #expect(try await reset(Self.id, bundles: [bundle]) == .success)
    #expect(stage.output == "\(Self.id) may start; it had not been disabled.\n")
  }

  @Test func `ends its processes with a restart, which does not enable it`() async throws {
    let bundle = try stage.write()
    let sentence = "\(Self.id): running hosts end its processes within a second; the next start is a new one.\n"
    #expect(try await restart(Self.id, bundles: [bundle]) == .success)
    #expect(stage.output == sentence && stage.errors == "")
    try await fail(isDisabled: true)
    #expect(try await restart(Self.id, bundles: [bundle]) == .success)
    #expect(stage.output == sentence)
    #expect(stage.errors == "It stays disabled; \"host reset \(Self.id)\" enables it.\n")
    #expect(store.record(of: Self.id).quarantine != nil)
  }

  @Test(arguments: [true, false]) func `is told of a restart in JSON, with its count`(_ isDisabled: Bool) async throws {
    let bundle = try stage.write()
    try await fail(isDisabled: isDisabled)
    let before = store.record(of: Self.id).generation
    #expect(try await restart(Self.id, "--json", bundles: [bundle]) == .success)
    let generation = store.record(of: Self.id).generation
    #expect(generation == before + 1 && stage.errors == "")
    #expect(
      stage.document
        == ["id": .string(Self.id), "generation": .integer(Int64(generation)), "quarantined": .bool(isDisabled)])
  }

  @Test func `is not restarted where there is none`() async throws {
    let error = await #expect(throws: ExtensionError.self) { try await restart(Self.id) }
    #expect(error?.code == .extensionUnknown && stage.output == "")
  }
}
