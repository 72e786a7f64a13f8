import Activation
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// A host with every service of this tool, for one run of a command.
struct HostStack: Sendable {
  let host: ExtensionHost
  let registry: ExtensionRegistry
  let requests: RequestService
  let items: ItemService
  let share: ShareService
  let store: SuiteStore
  let today: TodayService
  let documents: FileProviderService
  let picker: DocumentPickerService
  let keyboard: KeyboardService
  let state: StateDirectory
  private let apps: AppDelivery

  /// - Parameter refreshing: asks AEM again, whatever the cache holds.
  init(_ invocation: Invocation, refreshing: Bool = false) throws {
    let registry = try invocation.registry()
    let state = try invocation.state()
    let store = SuiteStore.file { try "\(state.folder("store"))/groups.sqlite" }
    let log = ConsoleLog(invocation.console)
    let requests = RequestService(log: log)
    let share = ShareService()
    let today = TodayService(state: state, log: log) { id in
      registry.entries.first { $0.identifier == id && !$0.isApp }?.containingApp
    }
    let items = ItemService(requests: requests) { registry.types.conforms($0, to: $1) }
    let content = try ContentFetcher(invocation, state: state, refreshing: refreshing)
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
    let services: [any HostService] = [
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
      ContentService { try await content.fetch($0, $1) },
    ]
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, launcherPath: "\(Installation.products)/extension-launcher",
      peer: Peer(name: "host", version: HostCommand.version), log: log, permissions: permissions)
    configuration.controlGroups = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    configuration.recorder = invocation.trace?.recorder
    host = try ExtensionHost(configuration: configuration, services: services, loop: invocation.loop)
    apps.attach(host)
    self.registry = registry
    self.requests = requests
    self.items = items
    self.share = share
    self.store = store
    self.today = today
    self.documents = documents
    self.picker = picker
    self.keyboard = keyboard
    self.state = state
    self.apps = apps
  }

  /// Shows Today widgets.
  var widgets: WidgetCenter { WidgetCenter(host: host, service: today, requests: requests) }

  /// Starts an extension for a request of the user's.
  ///
  /// - Throws: as `ExtensionHost.withExtension`; one that cannot be started has the code that host apps know.
  func withExtension<Value: Sendable>(
    _ entry: RegistryEntry, _ body: (ExtensionProcess) async throws -> Value
  ) async throws -> Value {
    do {
      return try await host.withExtension(entry.identifier, body)
    } catch let error as ExtensionError {
      throw error.asInterruption
    }
  }

  /// Opens a URL in the app that declares its scheme.
  func open(_ url: String) async throws -> (app: String, result: OpenURL.Deliver.Result) {
    guard let scheme = URLScheme.of(url) else {
      throw ExtensionError(
        .invalidParams, "“\(url)” is not a URL.", recovery: "Write it with its scheme, for example adventures://….")
    }
    guard let app = registry.app(forScheme: scheme) else {
      let known = registry.apps.flatMap { $0.manifest?.urlSchemes ?? [] }
      let list = known.isEmpty ? "No app declares one." : "Known schemes: \(known.joined(separator: ", "))."
      throw ExtensionError(.schemeUnregistered, "No containing app declares the scheme “\(scheme)”.", recovery: list)
    }
    return (app.identifier, try await apps.deliver(url, to: app.identifier, source: OpenURL.Deliver.Source()))
  }
}
