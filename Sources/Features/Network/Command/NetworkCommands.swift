package import CommandRuntime
package import HostServices
import NetworkServices

/// Requests of extensions in the tool.
package enum NetworkCommands: CommandFeature {
  /// The service is that of any host.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    services.add(.network)
  }
}
