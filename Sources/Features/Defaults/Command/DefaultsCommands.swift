package import HostCLI
import HostServices

/// The group store in the tool.
package enum DefaultsCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [DefaultsCommand.self]
}

extension HostStack {
  /// The group store that extensions of this host use.
  var store: SuiteStore { service(DefaultsService.self).store }
}
