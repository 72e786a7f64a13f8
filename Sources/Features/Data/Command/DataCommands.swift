import CommandLineTool
package import CommandRuntime
import ConfigurationFiles
import ExtensionHosting
import ExtensionProtocol
import Glibc
package import HostServices
import DataServices

/// Data Connect in the tool.
package enum DataCommands: CommandFeature {
  /// The command `host data`.
  package static let commands: [any HostSubcommand.Type] = [DataCommand.self]
  /// The server `host serve data`.
  package static let servers: [any LocalServer.Type] = [LocalDataServer.self]

  /// Operations go to the server that the environment or the configuration names, else to the emulator of this machine.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    let server = try server(invocation) ?? .emulator
    let identities = try AuthPlace.book(invocation, services.configuration.registry)
    let state = try invocation.state()
    services.use { environment in
      let log = environment.log
      return DataService(
        carrier: ClientCarrier(
          server, cacheFolder: try state.folder("cache/data"), identities: identities,
          certificateFile: invocation.parsed.value("trust"),
          report: { log.log(.warning, $0, metadata: [:]) }))
    }
  }

  private static func server(_ invocation: Invocation) throws -> DataServer? {
    do {
      let standard = "\(try invocation.state().path)/Config.xcconfig"
      let path = invocation.parsed.value("config") ?? (access(standard, F_OK) == 0 ? standard : nil)
      let file = try path.map { try XCConfig(contentsOf: $0) }
      return try DataServer.configured(environment: invocation.environment) { file?[$0] ?? "" }
    } catch let error as ConfigurationError {
      throw Failure(
        ExtensionError(.invalidParams, error.message, recovery: error.recovery), status: .configuration)
    }
  }
}
