package import HostCLI

/// Sign-in and access tokens in the tool.
package enum AuthCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [AuthCommand.self]
  package static let servers: [any LocalServer.Type] = [LocalIdentityServer.self]
}
