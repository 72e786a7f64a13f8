package import CommandRuntime

/// Uniform type identifiers in the tool.
package enum TypeIdentifiersCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [TypesCommand.self]
}
