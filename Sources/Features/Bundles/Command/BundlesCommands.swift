package import CommandRuntime

/// Keys and seals of bundles, in the tool.
package enum BundlesCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [
    InstallCommand.self, UpdateCommand.self, SearchCommand.self, TrustCommand.self, KeyCommand.self, SignCommand.self,
    PublishCommand.self,
  ]
  package static let servers: [any LocalServer.Type] = [LocalIndexServer.self]
}
