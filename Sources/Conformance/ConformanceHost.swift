import Activation
package import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// A host with every service, on state of its own, that answers extensions as a real one does.
package struct ConformanceHost: Sendable {
  let host: ExtensionHost
  /// What it knows of types and apps.
  package let registry: ExtensionRegistry
  let recorder = FrameRecorder()
  private let services: [any HostService]

  /// - Parameters:
  ///   - identity: the extension that is tried.
  ///   - registry: what it knows of types and apps.
  ///   - state: a folder of its own.
  init(
    for identity: Caller.Identity, registry: ExtensionRegistry, state: StateDirectory, launcherPath: String,
    timeout: Duration
  ) throws {
    self.registry = registry
    let requests = RequestService()
    let share = ShareService()
    let items = ItemService(requests: requests) { registry.types.conforms($0, to: $1) }
    let today = TodayService(state: state) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    let permissions = PermissionAuthority(state: state)
    let keyboard = KeyboardService(permissions: permissions)
    // What has no manifest keeps its documents in the group that it was given to be tried with.
    let spare = registry.entries.contains { $0.identifier == identity.id } ? nil : identity.groups.first
    let documents = FileProviderService(state: state) { app in
      let named = registry.extensions(of: app).compactMap { $0.manifest?.fileProviderDocumentGroup }.first
      return (named ?? spare).map { FileProviderService.App(group: $0, providerIdentifier: app) }
    }
    let types = registry.types
    let picker = DocumentPickerService(
      requests: requests, documents: documents, type: { types.type(forFileNamed: $0) },
      conforms: { types.conforms($0, to: $1) })
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, launcherPath: launcherPath, peer: Peer(name: "conformance"),
      permissions: permissions)
    configuration.recorder = recorder
    configuration.deadlines.handshake = timeout
    configuration.deadlines.termination = min(timeout, .seconds(1))
    let urls = OpenURLService(requests: requests) { scheme in
      registry.app(forScheme: scheme)?.identifier
    } deliver: { _, _, _ in
      OpenURL.Deliver.Result(handled: true)
    }
    services = [
      requests, items, share, today, documents, picker, keyboard, urls,
      TypeService { registry.types.conforms($0, to: $1) },
      DefaultsService(store: .inMemory()),
      ContainerService(state: state, permissions: permissions),
      NetworkService(),
      PermissionService(permissions),
      APIService(),
      ContentService { query, _ in
        throw ExtensionError(.serviceUnavailable, "There is no content here for \(query).")
      },
    ]
    host = try ExtensionHost(configuration: configuration, services: services)
  }
  /// The service of a feature.
  package func service<Service: HostService>(_ type: Service.Type = Service.self) -> Service {
    guard let service = services.lazy.compactMap({ $0 as? Service }).first else {
      preconditionFailure("This host has no \(type).")
    }
    return service
  }
}
