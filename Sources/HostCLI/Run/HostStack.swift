import Activation
import Contracts
import EventLoop
package import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// A host with every service of this tool, for one run of a command.
package struct HostStack: Sendable {
  /// The host.
  package let host: ExtensionHost
  /// The extensions that the command line can see.
  package let registry: ExtensionRegistry
  /// Where state is kept.
  package let state: StateDirectory
  private let services: [any HostService]

  /// A host as the command line asks for it; nothing is started yet.
  package init(_ invocation: Invocation) throws {
    let registry = try invocation.registry()
    let state = try invocation.state()
    let store = SuiteStore.file { try "\(state.folder("store"))/groups.sqlite" }
    let log = ConsoleLog(invocation.console)
    let requests = RequestService(log: log)
    let share = ShareService()
    let today = TodayService(state: state) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    let items = ItemService(requests: requests) { registry.types.conforms($0, to: $1) }
    let apps = AppDelivery()
    let urls = OpenURLService(requests: requests) { scheme in
      registry.app(forScheme: scheme)?.identifier
    } deliver: { url, app, source in
      try await apps.deliver(url, to: app, source: source)
    }
    let permissions = invocation.permissions(state)
    let types = registry.types
    let documents = FileProviderService(state: state) { app in
      let group = registry.extensions(of: app).compactMap { $0.manifest?.fileProviderDocumentGroup }.first
      return group.map { FileProviderService.App(group: $0, providerIdentifier: app) }
    }
    let picker = DocumentPickerService(
      requests: requests, documents: documents, type: { types.type(forFileNamed: $0) },
      conforms: { types.conforms($0, to: $1) })
    let keyboard = KeyboardService(permissions: permissions)
    let own = try invocation.tool.features.flatMap { try $0.services(invocation) }
    let standard: [any HostService] = [
      requests,
      items,
      TypeService { registry.types.conforms($0, to: $1) },
      urls,
      share,
      today,
      documents,
      picker,
      ContainerService(state: state, permissions: permissions),
      DefaultsService(store: store),
      keyboard,
      NetworkService(),
      PermissionService(permissions),
      APIService(log: log),
    ]
    services = own + standard
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, launcherPath: "\(Installation.products)/extension-launcher",
      peer: Peer(name: "host", version: HostCommand.version), log: log, permissions: permissions)
    configuration.controlGroups = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    configuration.recorder = invocation.trace?.recorder
    host = try ExtensionHost(configuration: configuration, services: services, loop: invocation.loop)
    apps.attach(host)
    self.registry = registry
    self.state = state
  }

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

  /// The service of a feature.
  package func service<Service: HostService>(_ type: Service.Type = Service.self) -> Service {
    guard let service = services.lazy.compactMap({ $0 as? Service }).first else {
      preconditionFailure("This host has no \(type).")
    }
    return service
  }
}
