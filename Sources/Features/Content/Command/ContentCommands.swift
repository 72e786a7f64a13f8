package import CommandRuntime
import ExtensionHosting
package import HostServices

/// AEM content in the tool.
package enum ContentCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [ContentCommand.self]
  package static let servers: [any LocalServer.Type] = [LocalContentServer.self]

  /// Content comes from where the configuration says.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    let content = try ContentFetcher(invocation)
    services.use(ContentService(fetch: { try await content.fetch($0) }, image: { try await content.fetch($0) }))
  }
}
