package import EventLoop
public import ExtensionHosting
public import ExtensionProtocol

/// The services of a host, each made of what it needs of the others: those of this product, and of each product whose
/// features are added.
///
/// ```swift
/// var services = StandardServices(state: state, registry: registry, permissions: permissions)
/// services.use(DefaultsService(store: .inMemory()))     // in place of the built-in one
/// services.leaveOut(ShareService.self)
/// services.add(.network)                                // the features of NetworkServices
/// services.add(WeatherService())                        // one of the host app's own
/// let host = try services.makeHost()
/// ```
public struct StandardServices: Sendable {
  /// The configuration of the host: deadlines, limits, ready processes, log.
  public var configuration: ExtensionHost.Configuration
  private var changes: [@Sendable (HostEnvironment) throws -> Void] = []

  /// Creates the services of a host, with their state in files below the state directory.
  ///
  /// - Parameters:
  ///   - state: the directory of everything that outlives the host.
  ///   - registry: the installed extensions.
  ///   - permissions: the users' decisions about extensions. By default they come from `permissions.json` in the state
  ///     directory, and the user is not asked: pass `PermissionAuthority(state: state, consent: .ask { question in …
  ///     })` to ask.
  ///   - launcherPath: the absolute path of `extension-launcher`; by default the result of
  ///     ``ExtensionHost/findLauncher(at:)``.
  ///   - log: receives the log of the host and its extensions; by default nothing is logged.
  public init(
    state: StateDirectory, registry: ExtensionRegistry, permissions: PermissionAuthority? = nil,
    launcherPath: String? = nil, log: any LogSink = NoLog()
  ) {
    self.init(
      configuration: ExtensionHost.Configuration(
        registry: registry, state: state, launcherPath: launcherPath, log: log, permissions: permissions))
  }

  /// The services of a host that is configured already.
  public init(configuration: ExtensionHost.Configuration) { self.configuration = configuration }

  /// Uses a service that the host app has made, in place of the one of its type that the host would make.
  public mutating func use<Service: HostService>(_ service: Service) { changes.append { $0.use(service) } }

  /// Uses a service that the host app makes of what the host has, in place of the one of its type.
  package mutating func use<Service: HostService>(
    _ make: @escaping @Sendable (HostEnvironment) throws -> Service
  ) {
    changes.append { $0.use(try make($0)) }
  }

  /// Leaves a service out: what extensions call of it is answered with `methodNotFound`. A service that needs it
  /// has to be left out, or replaced, too.
  public mutating func leaveOut<Service: HostService>(_ type: Service.Type) { changes.append { $0.leaveOut(type) } }

  /// Adds a service of the host app's own, under a prefix that no other one has.
  public mutating func add<Service: HostService>(_ service: Service) { changes.append { $0.add(service) } }

  /// Adds the features of another product, such as `.content` of `ContentServices`, with a service each.
  public mutating func add(_ features: HostFeatures) { changes.append { $0.add(features) } }

  /// Makes a host with these services. Ask it for one of them with ``ExtensionHost/service(_:)``.
  ///
  /// - Throws: what making a service throws; `internalError` when the services do not fit their contracts, or one needs
  ///   another that was left out; `limitExceeded` when the process has no descriptor or no thread left.
  public func makeHost() throws -> ExtensionHost { try makeHost(on: nil) }

  /// - Parameter loop: the event loop of the host; by default a new thread's.
  package func makeHost(on loop: EventLoop?) throws -> ExtensionHost {
    let environment = try HostEnvironment(configuration, loop: loop)
    for change in changes { try change(environment) }
    return try environment.makeHost()
  }
}
