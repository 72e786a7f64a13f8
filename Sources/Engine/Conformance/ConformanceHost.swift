package import ExtensionHosting
import ExtensionProtocol

/// A host with the services of all features and a state of its own, which answers extensions like a real one.
package struct ConformanceHost: Sendable {
  let host: ExtensionHost
  /// Every check that looks at conversations reads all of it.
  let recorder = FrameRecorder(limit: 8 << 20)
  /// The types and apps that the host knows.
  package var registry: ExtensionRegistry { host.configuration.registry }

  /// - Parameters:
  ///   - identity: the extension under test.
  ///   - list: the checks, whose features provide the services.
  ///   - registry: the types and apps that the host knows.
  ///   - state: a folder that nothing else uses.
  ///   - timeout: the time limit of the handshake.
  init(
    for identity: Caller.Identity, _ list: CheckList, registry: ExtensionRegistry, state: StateDirectory,
    timeout: Duration
  ) throws {
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, peer: Peer(name: "conformance"),
      permissions: PermissionAuthority(state: state))
    configuration.recorder = recorder
    configuration.deadlines.handshake = timeout
    configuration.deadlines.termination = min(timeout, .seconds(1))
    let environment = try HostEnvironment(configuration, features: list.hosts)
    for feature in list.features { try feature.prepare(environment, for: identity) }
    host = try environment.makeHost()
  }

  /// The service of a feature.
  package func service<Service: HostService>(_ type: Service.Type = Service.self) -> Service { host.service(type) }
}
