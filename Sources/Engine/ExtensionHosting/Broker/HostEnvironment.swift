package import EventLoop
package import ExtensionProtocol
import Synchronization

/// The environment in which the services of one host are made.
///
/// A service gets another one with ``service(_:)``, which makes it on first use, so features need no order. A host app
/// provides what only it knows, such as the source of content, by making a service itself: ``use(_:)``.
package final class HostEnvironment {
  /// The configuration of the host.
  package let configuration: ExtensionHost.Configuration
  /// The event loop of the host.
  package let loop: EventLoop
  private let ownsLoop: Bool
  /// The host, for services that start extensions or apps themselves.
  package let host = HostReference()
  private var features: [any HostFeature.Type]
  /// Services of the host app that belong to no feature.
  private var additions: [any HostService] = []
  private var services: [ObjectIdentifier: any HostService] = [:]
  /// The services that are being made now.
  private var pending: [any HostService.Type] = []

  /// The extensions that the host knows.
  package var registry: ExtensionRegistry { configuration.registry }
  /// The host's directory on the disk.
  package var state: StateDirectory { configuration.state }
  /// The component that grants and refuses permissions.
  package var permissions: PermissionAuthority { configuration.permissions }
  /// The log of the host.
  package var log: any LogSink { configuration.log }

  /// Creates the environment of a host.
  ///
  /// - Parameter features: the features whose services the host has.
  /// - Throws: `limitExceeded` when the process has no descriptor or no thread left for a loop.
  package init(
    _ configuration: ExtensionHost.Configuration, loop: EventLoop? = nil, features: HostFeatures
  ) throws(ExtensionError) {
    ownsLoop = loop == nil
    let loop = if let loop { loop } else { try ExtensionHost.newLoop() }
    var configuration = configuration
    configuration.log = MeteredLog.over(configuration.log, loop: loop)
    self.configuration = configuration
    self.loop = loop
    self.features = features.types
  }

  /// Uses a service that the host app has made, in place of the one that the feature would make.
  package func use<Service: HostService>(_ service: Service) { services[ObjectIdentifier(Service.self)] = service }

  /// Adds a service of the host app's own.
  package func add(_ service: any HostService) { additions.append(service) }

  /// Adds features whose services the host has; those that it has already stay as they are.
  package func add(_ added: HostFeatures) {
    features += added.types.filter { type in !features.contains { $0 == type } }
  }

  /// Makes a host without the service of a type; what extensions call of it is answered with `methodNotFound`.
  package func leaveOut(_ type: any HostService.Type) { features.removeAll { $0.serviceType == type } }

  /// Returns the service of a type.
  ///
  /// - Throws: `internalError` when no feature has such a service, or when services need each other in a cycle; the
  ///   error of making the service.
  package func service<Service: HostService>(_ type: Service.Type) throws -> Service {
    if let known = services[ObjectIdentifier(type)] as? Service { return known }
    guard !pending.contains(where: { $0 == type }) else {
      let circle = (pending + [type]).map { "\($0)" }.joined(separator: ", ")
      throw ExtensionError(.internalError, "Services need each other in a circle: \(circle).")
    }
    pending.append(type)
    defer { pending.removeLast() }
    for feature in features {
      if let made = try make(type, by: feature) {
        use(made)
        return made
      }
    }
    let needs = pending.dropLast().last.map { ", which its \($0) needs" } ?? ""
    throw ExtensionError(.internalError, "No feature of this host has a \(type)\(needs).")
  }

  private func make<Feature: HostFeature, Service: HostService>(
    _ type: Service.Type, by feature: Feature.Type
  ) throws -> Service? {
    Feature.Service.self == type ? try feature.makeService(in: self) as? Service : nil
  }

  /// Makes the host, with the services of all features.
  ///
  /// - Throws: what making a service throws; `internalError` when the services do not fit their contracts.
  package func makeHost() throws -> ExtensionHost {
    for feature in features { try makeService(of: feature) }
    let made = try ExtensionHost(
      configuration: configuration, services: Array(services.values) + additions, loop: loop, ownsLoop: ownsLoop)
    host.attach(made)
    return made
  }

  private func makeService<Feature: HostFeature>(of feature: Feature.Type) throws {
    _ = try service(Feature.Service.self)
  }
}

/// A host that is made after the services that know it.
package final class HostReference: Sendable {
  private struct Target { weak var host: ExtensionHost? }
  private let target = Mutex(Target())

  fileprivate init() {}

  fileprivate func attach(_ host: ExtensionHost) { target.withLock { $0.host = host } }

  /// The host.
  ///
  /// - Throws: `internalError` before it is made, and when it is gone.
  package func get() throws(ExtensionError) -> ExtensionHost {
    if let host = target.withLock({ $0.host }) { return host }
    throw ExtensionError(.internalError, "The host is not there yet, or is gone.")
  }
}

extension ExtensionHost {
  /// Returns the service of a type that this host was made with, such as the `RequestService` that opens requests.
  ///
  /// - Precondition: the host has such a service.
  public func service<Service: HostService>(_ type: Service.Type) -> Service {
    for service in table.services { if let service = service as? Service { return service } }
    preconditionFailure("the host was made without a \(type)")
  }
}

extension HostFeature {
  fileprivate static var serviceType: any HostService.Type { Service.self }
}
