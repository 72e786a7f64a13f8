package import CommandRuntime

/// Opening URLs in the tool.
package enum OpenURLCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [OpenURLCommand.self]
}
