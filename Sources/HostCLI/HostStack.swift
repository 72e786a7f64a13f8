import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices

/// A host with the services of all features, for one run of a command.
struct HostStack: Sendable {
  let host: ExtensionHost
  var registry: ExtensionRegistry { host.configuration.registry }
  var state: StateDirectory { host.configuration.state }

  /// - Parameter refreshing: asks AEM again, whatever the cache holds.
  init(_ invocation: Invocation, refreshing: Bool = false) throws {
    let state = try invocation.state()
    var configuration = ExtensionHost.Configuration(
      registry: try invocation.registry(), state: state,
      launcherPath: "\(Installation.products)/extension-launcher",
      peer: Peer(name: "host", version: HostCommand.version), log: ConsoleLog(invocation.console),
      permissions: invocation.permissions(state))
    configuration.controlGroups = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    configuration.recorder = invocation.trace?.recorder
    let environment = HostEnvironment(configuration, loop: invocation.loop)
    let content = try ContentFetcher(invocation, state: state, refreshing: refreshing)
    environment.use(ContentService { try await content.fetch($0, $1) })
    host = try environment.makeHost()
  }

  /// The service of a feature.
  func service<Service: HostService>(_ type: Service.Type) -> Service { host.service(type) }

  var requests: RequestService { service(RequestService.self) }
  var items: ItemService { service(ItemService.self) }
  var share: ShareService { service(ShareService.self) }
  var store: SuiteStore { service(DefaultsService.self).store }
  var today: TodayService { service(TodayService.self) }
  var documents: FileProviderService { service(FileProviderService.self) }
  var picker: DocumentPickerService { service(DocumentPickerService.self) }
  var keyboard: KeyboardService { service(KeyboardService.self) }

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
    return (app.identifier, try await host.deliver(url, to: app.identifier, source: OpenURL.Deliver.Source()))
  }
}
