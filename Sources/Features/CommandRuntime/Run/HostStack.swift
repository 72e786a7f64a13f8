package import ExtensionHosting
import ExtensionProtocol
import HostServices

/// A host with the services of all features, for one run of a command.
package struct HostStack: Sendable {
  /// The host.
  package let host: ExtensionHost
  /// The extensions that the command line can see.
  package var registry: ExtensionRegistry { host.configuration.registry }
  /// Where state is kept.
  package var state: StateDirectory { host.configuration.state }

  /// A host as the command line asks for it; no extension is started yet.
  ///
  /// - Parameter manifests: places of more manifests (``ManifestPlaces``).
  package init(_ invocation: Invocation, manifests: [String] = []) throws {
    let state = try invocation.state()
    var services = StandardServices(
      state: state, registry: try invocation.registry(adding: manifests), permissions: invocation.permissions(state),
      log: ConsoleLog(invocation.console))
    services.configuration.peer = Peer(name: "host", version: HostTool.version)
    services.configuration.controlGroups = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    services.configuration.recorder = invocation.trace?.recorder
    for feature in invocation.tool.features { try feature.prepare(&services, for: invocation) }
    let host = try services.makeHost(on: invocation.loop)
    self.host = host
    // What a service does of its own is over with the command; without it nothing but that service is missing.
    invocation.background.add { try? await host.run() }
  }

  /// The service of a feature.
  package func service<Service: HostService>(_ type: Service.Type = Service.self) -> Service { host.service(type) }

  /// Starts an extension for a request of the user's.
  ///
  /// - Throws: as `ExtensionHost.withExtension`; one that cannot be started has the code that host apps know.
  package func withExtension<Value: Sendable>(
    _ entry: RegistryEntry, _ body: (ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    do {
      return try await host.withExtension(entry.identifier, body)
    } catch let error as ExtensionError {
      throw error.asInterruption
    }
  }
}
