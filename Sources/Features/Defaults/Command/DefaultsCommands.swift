package import CommandRuntime
package import HostServices

/// The group store in the tool.
package enum DefaultsCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [DefaultsCommand.self]

  /// A store in a database, where one is named.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    guard let store = try invocation.databaseStore() else { return }
    services.use(DefaultsService(store: store))
  }
}
