package import CommandRuntime

/// Keys and seals of bundles, in the tool.
package enum BundlesCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [
    KeyCommand.self, SignCommand.self, TrustCommand.self,
  ]
}
