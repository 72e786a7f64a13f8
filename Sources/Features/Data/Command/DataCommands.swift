package import HostCLI

/// Data Connect in the tool.
package enum DataCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [DataCommand.self]
}
