import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import Testing

@testable import FeatureCommands

/// `host api`.
@Suite(.timeLimit(.minutes(1)))
struct `The table of what an extension may call` {
  private let stage: FeatureStage

  init() throws { stage = try FeatureStage(APICommand.command) }

  @Test func `gives way to the reference of manifests, in either form`() async throws {
    let reference = ManifestReference(points: Features.points)
    #expect(try await APICommand.run(try stage.invocation("--manifest")) == .success)
    #expect(stage.output == reference.article)
    stage.clear()
    #expect(try await APICommand.run(try stage.invocation("--manifest", "--json")) == .success)
    #expect(stage.output == JSONCoding.prettyText(of: reference.document) + "\n")
  }

  @Test func `gives way to the schema`() async throws {
    #expect(try await APICommand.run(try stage.invocation("--schema")) == .success)
    #expect(stage.output == JSONCoding.prettyText(of: try Features.protocolSchema().json) + "\n")
  }

  private func rows(_ words: String...) async throws -> [JSONValue] {
    stage.clear()
    let invocation =
      words.count == 1
      ? try stage.invocation(words[0], "--json") : try stage.invocation(words[0], words[1], words[2], "--json")
    #expect(try await APICommand.run(invocation) == .success)
    return try JSONValue(parsing: stage.output).arrayValue ?? []
  }

  @Test func `has the decisions for one point where one is named`() async throws {
    let all = try await rows("--all")
    let one = try await rows("--all", "--point", "today")
    let point = JSONValue.string(ExtensionPoint.today.rawValue)
    #expect(!one.isEmpty && one.count < all.count)
    #expect(one == all.filter { $0["point"] == point })
  }
}
