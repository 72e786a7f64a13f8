package import CommandRuntime

/// The page in the tool.
package enum PageCommands: CommandFeature {
  /// The command `host ui`.
  package static let commands: [any HostSubcommand.Type] = [PageCommand.self]
}
