package import ExtensionHosting
import ExtensionProtocol

/// A host with the services of all features, on state of its own, that answers extensions as a real one does.
package struct ConformanceHost: Sendable {
  let host: ExtensionHost
  /// Every check that looks at conversations reads all of it.
  let recorder = FrameRecorder(limit: 8 << 20)
  /// What it knows of types and apps.
  package var registry: ExtensionRegistry { host.configuration.registry }

  /// - Parameters:
  ///   - identity: the extension that is tried.
  ///   - list: the checks, whose features say what services the extension meets.
  ///   - registry: what the host knows of types and apps.
  ///   - state: a folder of its own.
  ///   - timeout: for the handshake.
  init(
    for identity: Caller.Identity, _ list: CheckList, registry: ExtensionRegistry, state: StateDirectory,
    launcherPath: String, timeout: Duration
  ) throws {
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: state, launcherPath: launcherPath, peer: Peer(name: "conformance"),
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
