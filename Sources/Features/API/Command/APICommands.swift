package import CommandRuntime

/// The access table in the tool.
package enum APICommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [APICommand.self]
}
