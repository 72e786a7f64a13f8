import CommandLineTool
import EventLoop
import ExtensionProtocol
import JSON
import Sandbox
import Testing

@testable import HostCLI

/// `host add` and `host elect`.
@Suite(.timeLimit(.minutes(1)))
struct `A change of the registry` {
  private static let id = ToolStage.widget
  private let stage: ToolStage

  init() throws { stage = try ToolStage() }

  private func elect(_ words: String..., bundles: [String]) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    return try await ElectCommand.run(try stage.invocation(["elect"] + words, bundles: bundles))
  }

  private func add(_ words: String...) async throws -> CommandLineTool.ExitStatus {
    stage.clear()
    let loop = EventLoop.onThread(name: "add")
    let invocation = try stage.invocation(["add"] + words, loop: loop)
    return try await withTaskExecutorPreference(loop) { try await AddCommand.run(invocation) }
  }

  @Test func `is shown with the mark, the version and the state of each entry`() async throws {
    let bundle = try stage.write()
    #expect(try await elect(Self.id, "ignore", bundles: [bundle]) == .success)
    #expect(stage.output == "- \(Self.id) 7 ignored\n" && stage.errors == "  A user decided to ignore it.\n")
    #expect(try await elect("use", Self.id, ToolStage.app, bundles: [bundle]) == .success)
    #expect(stage.output == "+ \(Self.id) 7 enabled\n+ \(ToolStage.app) 7 enabled\n" && stage.errors == "")
    #expect(try await elect(Self.id, "default", bundles: [bundle]) == .success)
    #expect(stage.output == "  \(Self.id) 7 enabled\n")
  }

  @Test func `is shown with what to do about a program that is missing`() async throws {
    let bundle = try stage.write { $0.hasProgram = false }
    #expect(try await elect(Self.id, "use", bundles: [bundle]) == .success)
    #expect(stage.output == "! \(Self.id) 7 missing\n")
    #expect(stage.errors.hasSuffix("\n  help: Put the executable there, or build it.\n"))
    #expect(try await elect(Self.id, "use", "--json", bundles: [bundle]) == .success)
    let document = try #require(stage.document?.arrayValue?.first)
    #expect(document["id"] == .string(Self.id) && document["tag"] == "!" && document["state"] == "missing")
    #expect(document["version"] == "7" && document["reasons"]?.arrayValue?.count == 1)
  }

  @Test func `is none for a decision or an extension that there is not`() async throws {
    let bundle = try stage.write()
    let decision = await #expect(throws: CommandLineError.self) {
      try await elect(Self.id, "ignor", bundles: [bundle])
    }
    #expect(decision?.message == "“ignor” is not a value for DECISION." && decision?.help == "Did you mean ignore?")
    let unknown = await #expect(throws: ExtensionError.self) {
      try await elect(Self.id, "org.example.none", "ignore", bundles: [bundle])
    }
    #expect(unknown?.code == .extensionUnknown)
    // All or none.
    #expect(try await elect(Self.id, "default", bundles: [bundle]) == .success)
    #expect(stage.output == "  \(Self.id) 7 enabled\n")
  }

  @Test func `adds a bundle where it lies, and says what is in it`() async throws {
    let bundle = try stage.write()
    #expect(try await add(bundle) == .success)
    #expect(stage.lines == ["\(ToolStage.app) 7 enabled", "\(Self.id) 7 enabled"])
    #expect(!stage.errors.contains("Signed by"))
    #expect(try await add(bundle, "--json") == .success)
    #expect(stage.document?["bundle"]?.stringValue?.hasSuffix("/Tides.app") == true)
    #expect(stage.document?["origin"] == "unsigned, local")
    #expect(stage.document?["added"]?.arrayValue?.map { $0["id"] } == [.string(ToolStage.app), .string(Self.id)])
  }

  @Test func `does not add a bundle with an error`() async throws {
    let bundle = try stage.write { $0.hasProgram = false }
    let error = await #expect(throws: ExtensionError.self) { try await add(bundle) }
    #expect(error?.code == .extensionInvalid && error?.message.contains(" was not added: it has ") == true)
    #expect(error?.details["problems"]?.arrayValue?.isEmpty == false)
    #expect(stage.output == "")
  }
}

/// `host doctor`.
@Suite(.timeLimit(.minutes(1)))
struct `The table of the sandbox's layers` {
  private static let rows = [
    SandboxReport.Row(layer: "files", enforced: true, detail: "Landlock"),
    SandboxReport.Row(layer: "network", enforced: false, detail: "nothing guards it", recovery: "Mend it."),
  ]

  @Test func `has a row for each layer, with whether it is enforced`() {
    #expect(
      DoctorCommand.table(of: Self.rows).lines(for: .none) == [
        "LAYER    ENFORCED  HOW, OR WHAT INSTEAD", "files    yes       Landlock",
        "network  no        nothing guards it",
      ])
  }

  @Test func `has a color for each answer at a terminal`() {
    let lines = DoctorCommand.table(of: Self.rows).lines(for: Terminal(width: 80, showsStyles: true)).map(\.description)
    #expect(lines.count == 3)
    #expect(lines[1].contains("\u{1B}[32myes") && lines[2].contains("\u{1B}[33mno"))
  }
}
