import JSON
import Activation
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import ContentServices
import JSONRPC
import PropertyList

/// A host with its services, its state in a folder of its own, and the extensions of a few folders of manifests.
final class Stage: Sendable {
  let folder: TemporaryFolder
  let log = LogBook()
  let requests = RequestService()
  let share = ShareService()
  let today: TodayService
  let items: ItemService
  let store: SuiteStore
  let host: ExtensionHost
  let registry: ExtensionRegistry
  private let loop = EventLoop.onThread(name: "stage")
  private let apps: AppReach

  var home: String { "\(folder.path)/home" }

  /// - Parameters:
  ///   - folder: with manifests of the test's own in `manifests`, and scripts in `Plugins`.
  ///   - products: where executables are; the build's own folder when absent.
  ///   - launcher: a file that confines extensions; the library's own copy when absent.
  ///   - limits: those of Today widgets, in place of the profile's.
  ///   - warm: what the host keeps ready.
  ///   - keepsLauncher: whether a launcher waits for the next launch.
  ///   - capacity: how much the host does at once.
  ///   - deadlines: changes what the host waits for.
  init(
    _ folder: TemporaryFolder? = nil, products: String = Build.products,
    launcher: String? = nil, limits: ExtensionLimits? = nil,
    warm: ExtensionHost.Warm = ExtensionHost.Warm(), keepsLauncher: Bool = true,
    capacity: ExtensionHost.Capacity = ExtensionHost.Capacity(),
    deadlines: (inout ExtensionHost.Deadlines) -> Void = { _ in }
  ) throws {
    let folder = try folder ?? TemporaryFolder()
    let registry = ExtensionRegistry(
      RegistrySources(
        manifestFolders: [Build.samples, Build.fixtures, "\(folder.path)/manifests"].map {
          RegistrySources.ManifestFolder(path: $0, products: products)
        }))
    let store = SuiteStore.file { "\(folder.path)/groups.sqlite" }
    let apps = AppReach()
    items = ItemService { registry.types.conforms($0, to: $1) }
    let state = StateDirectory(path: "\(folder.path)/home")
    today = TodayService(state: state) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state,
      launcherPath: launcher, log: log)
    // For those whose test is about something else, beside others.
    configuration.deadlines.handshake = .seconds(30)
    deadlines(&configuration.deadlines)
    if let limits { configuration.limits[.today] = limits }
    configuration.warm = warm
    configuration.keepsLauncher = keepsLauncher
    configuration.capacity = capacity
    configuration.controlGroups = ControlGroupPlace.use
    let services: [any HostService] = [
      requests, items, share, today, DefaultsService(store: store),
      ContentService { _ in Stage.content },
      OpenURLService(requests: requests) {
        registry.app(forScheme: $0)?.identifier
      } deliver: { url, app, source in
        try await apps.deliver(url, to: app, source: source)
      },
    ]
    host = try ExtensionHost(configuration: configuration, services: services, loop: loop)
    apps.attach(host)
    self.folder = folder
    self.registry = registry
    self.store = store
    self.apps = apps
  }

  deinit { loop.stop() }

  /// One update of a Today widget.
  func update(_ id: String, deadline: Duration = .seconds(30)) async throws -> UpdateResult {
    let requests = requests
    return try await host.withExtension(id) { try await $0.performUpdate(requests: requests, deadline: deadline) }
  }

  /// One post through a Share extension.
  func share(_ id: String, _ text: String) async throws -> RequestService.Outcome {
    let item = ExtensionItem(attachments: [.text(text)])
    let requests = requests
    return try await host.withExtension(id) {
      try await $0.share([item], contentText: text, requests: requests, deadline: .seconds(20))
    }
  }

  /// The error that an update ends with.
  func failure(of id: String, deadline: Duration = .seconds(30)) async throws -> ExtensionError {
    do {
      let result = try await update(id, deadline: deadline)
      throw UnexpectedSuccess(result: "\(result)")
    } catch let error as ExtensionError {
      return error
    }
  }

  /// The error of a start that comes too soon after a failure. A back-off may be over before a busy machine comes to the
  /// start; each is twice as long as the one before.
  func refusal(of id: String) async throws -> ExtensionError {
    var error = try await failure(of: id)
    for _ in 0..<3 where error.code != .quarantined { error = try await failure(of: id) }
    return error
  }

  /// The scratch folders that are there now.
  var scratchFolders: [String] { folder.names(in: "home/scratch") }

  /// Hands URLs to containing apps.
  func open(_ url: String) async throws -> OpenURL.Deliver.Result {
    try await apps.deliver(url, to: "com.example.adventures", source: OpenURL.Deliver.Source())
  }

  private static let content = Content.Execute.Result(
    data: ["adventureList": ["items": [["slug": "caves", "title": "Lantern Caves", "price": 12.5]]]],
    source: .network, ageSeconds: 0)
}

/// What should have failed and did not.
struct UnexpectedSuccess: Error {
  var result: String
}
