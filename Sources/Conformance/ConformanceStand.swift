import Activation
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// A host with every service, on state of its own, that answers extensions as a real one does.
struct ConformanceStand: Sendable {
  let host: ExtensionHost
  let requests: RequestService
  let items: ItemService
  let share: ShareService
  let today: TodayService
  let documents: FileProviderService
  let picker: DocumentPickerService
  let keyboard: KeyboardService
  let registry: ExtensionRegistry
  let recorder = FrameRecorder()

  /// - Parameters:
  ///   - identity: the extension that is tried.
  ///   - registry: what it knows of types and apps.
  ///   - state: a folder of its own.
  init(
    for identity: Caller.Identity, registry: ExtensionRegistry, state: StateDirectory, launcherPath: String,
    patience: Duration
  ) throws {
    self.registry = registry
    requests = RequestService()
    share = ShareService()
    items = ItemService(requests: requests) { registry.types.conforms($0, to: $1) }
    today = TodayService(state: state) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    let permissions = PermissionAuthority(state: state)
    keyboard = KeyboardService(permissions: permissions)
    // What has no manifest keeps its documents in the group that it was given to be tried with.
    let spare = registry.entries.contains { $0.identifier == identity.id } ? nil : identity.groups.first
    documents = FileProviderService(state: state) { app in
      let named = registry.extensions(of: app).compactMap { $0.manifest?.fileProviderDocumentGroup }.first
      return (named ?? spare).map { FileProviderService.App(group: $0, providerIdentifier: app) }
    }
    let types = registry.types
    picker = DocumentPickerService(
      requests: requests, documents: documents, type: { types.type(forFileNamed: $0) },
      conforms: { types.conforms($0, to: $1) })
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, launcherPath: launcherPath, peer: Peer(name: "conformance"),
      permissions: permissions)
    configuration.recorder = recorder
    configuration.deadlines.handshake = patience
    configuration.deadlines.termination = min(patience, .seconds(1))
    let urls = OpenURLService(requests: requests) { scheme in
      registry.app(forScheme: scheme)?.identifier
    } deliver: { _, _, _ in
      OpenURL.Deliver.Result(handled: true)
    }
    let services: [any HostService] = [
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
}
