import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import JSON
import Testing

@testable import BundleInstalling
@testable import ExtensionHosting
@testable import FeatureCommands

/// `host trust list` and `remove`.
@Suite(.timeLimit(.minutes(1)))
struct `The list of what is trusted` {
  private static let index = "http://127.0.0.1:1/index"
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(TrustCommand.command) }

  private func list(_ words: String...) async throws -> String {
    stage.clear()
    let invocation = words.isEmpty ? try stage.invocation("list") : try stage.invocation("list", "--json")
    #expect(try await TrustCommand.run(invocation) == .success)
    return stage.output
  }

  private func record(_ change: (inout RegistryRecord) -> Void) async throws {
    try await RegistryFile.update(try stage.invocation("list")) { record throws(ExtensionError) in change(&record) }
  }

  private func trustIndex() throws {
    let state = try stage.invocation("list").state()
    try IndexPlace(Self.index, state).trust(Array("no root".utf8), of: Self.index, state)
  }

  @Test func `says that there is nothing only where there is nothing`() async throws {
    #expect(try await list() == "")
    #expect(stage.errors.hasPrefix("No app belongs to a team yet."))
    // A bundle without a signature belongs to no team.
    try await record { $0.pin("org.a", to: BundleTeam(team: "", name: "")) }
    #expect(try await list() == "" && stage.errors.hasPrefix("No app belongs to a team yet."))
  }

  @Test func `has the teams by identifier`() async throws {
    try await record {
      $0.pin("org.b", to: BundleTeam(team: "0123456789abcdef01", name: "B"))
      $0.pin("org.a", to: BundleTeam(team: "fedcba9876543210fe", name: "A"))
      $0.pin("org.c", to: BundleTeam(team: "", name: ""))
    }
    let rows = try await list().split(separator: "\n")
    #expect(rows.map { $0.prefix(5) } == ["IDENT", "org.a", "org.b"])
    #expect(stage.errors == "")
    let document = try JSONValue(parsing: try await list("--json"))
    #expect(
      document["apps"] == [
        ["id": "org.a", "name": "A", "team": "fedcba9876543210fe"],
        ["id": "org.b", "name": "B", "team": "0123456789abcdef01"],
      ])
    #expect(document["indexes"] == [] && document["revoked"] == [])
  }

  @Test func `has what was revoked, with its team and the reason`() async throws {
    try await record { $0.revoke("aaaabbbbccccdddd11", of: "9999", because: "It was lost.") }
    #expect(try await list() == "revoked aaaa bbbb cccc dddd: It was lost.\n")
    #expect(stage.errors == "")
    let document = try JSONValue(parsing: try await list("--json"))
    #expect(
      document["revoked"] == [["team": "9999", "revoked": "aaaabbbbccccdddd11", "reason": "It was lost."]])
  }

  @Test func `has the indexes, until one is trusted no more`() async throws {
    try trustIndex()
    #expect(try await list().hasPrefix("index \(Self.index), root"))
    #expect(stage.errors == "")
    #expect(try await TrustCommand.run(try stage.invocation("remove", Self.index)) == .success)
    #expect(try await list() == "")
    let error = await #expect(throws: ExtensionError.self) {
      try await TrustCommand.run(try stage.invocation("remove", Self.index))
    }
    #expect(error?.code == .extensionUnknown && error?.message.contains(Self.index) == true)
  }

  @Test func `leaves an identifier that belongs to no team`() async throws {
    let error = await #expect(throws: ExtensionError.self) {
      try await TrustCommand.run(try stage.invocation("remove", "org.a"))
    }
    #expect(error?.code == .extensionUnknown && error?.message == "org.a belongs to no team.")
  }
}

/// `--minimum-age`.
@Suite(.timeLimit(.minutes(1)))
struct `The least age of a version` {
  private static func seconds(_ words: String...) throws -> Int64 {
    let stage = try FeatureStage([IndexAccess.minimumAge])
    return try IndexAccess.seconds(
      words.isEmpty ? try stage.invocation() : try stage.invocation("--minimum-age=\(words[0])"))
  }

  @Test func `is nothing, or days, hours or minutes up to a hundred years of days`() throws {
    #expect(try Self.seconds() == 0)
    #expect(try Self.seconds("0d") == 0)
    #expect(try Self.seconds("3d") == 259_200)
    #expect(try Self.seconds("12h") == 43_200)
    #expect(try Self.seconds("30m") == 1_800)
    #expect(try Self.seconds("36500d") == 3_153_600_000)
    #expect(try Self.seconds("36500m") == 2_190_000)
  }

  @Test(arguments: ["36501d", "36501m", "-1d", "d", "3", "3w", "3 d", "1.5d", "d3", "99999999999999999999d"])
  func `is no other text`(text: String) {
    let error = #expect(throws: CommandLineError.self) { try Self.seconds(text) }
    #expect(error?.message == "“\(text)” is no length of time.")
  }
}
