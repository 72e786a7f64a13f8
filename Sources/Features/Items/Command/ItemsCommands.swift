package import CommandRuntime
import HostServices

/// Items, and which extensions take them, in the tool.
package enum ItemsCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [MatchCommand.self]
}

extension HostStack {
  var items: ItemService { service() }
}
