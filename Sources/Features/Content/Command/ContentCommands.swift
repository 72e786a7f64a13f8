package import ExtensionHosting
package import HostCLI
import HostServices

/// AEM content in the tool.
package enum ContentCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [ContentCommand.self]
  package static let servers: [any LocalServer.Type] = [LocalContentServer.self]

  /// Content comes from where the configuration says.
  package static func prepare(_ environment: HostEnvironment, for invocation: Invocation) throws {
    let content = try ContentFetcher(invocation)
    environment.use(ContentService { try await content.fetch($0, $1) })
  }
}
