package import CommandRuntime
import ContentServices
import ExtensionHosting
package import HostServices

/// AEM content in the tool.
package enum ContentCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [ContentCommand.self]
  package static let servers: [any LocalServer.Type] = [LocalContentServer.self]

  /// Content comes from where the configuration says.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    services.use(ContentService(try ContentFetcher(invocation)))
  }
}
