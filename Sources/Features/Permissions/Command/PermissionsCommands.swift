package import CommandRuntime

/// What the user allows, in the tool.
package enum PermissionsCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [PermissionsCommand.self]
}
