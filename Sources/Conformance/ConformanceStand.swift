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
  let recorder = FrameRecorder()

  /// - Parameters:
  ///   - registry: what it knows of types and apps.
  ///   - state: a folder of its own.
  init(registry: ExtensionRegistry, state: StateDirectory, launcherPath: String, patience: Duration) throws {
    requests = RequestService()
    share = ShareService()
    items = ItemService(requests: requests) { registry.types.conforms($0, to: $1) }
    today = TodayService(state: state) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    let permissions = PermissionAuthority(state: state)
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
      requests, items, share, today, urls,
      TypeService { registry.types.conforms($0, to: $1) },
      DefaultsService(store: .inMemory()),
      PermissionService(permissions),
      ContentService { query, _ in
        throw ExtensionError(.serviceUnavailable, "There is no content here for \(query).")
      },
    ]
    host = try ExtensionHost(configuration: configuration, services: services)
  }
}
