import EventLoop
public import ExtensionHosting
public import ExtensionProtocol
public import ExtensionRuntime
import Files
import Glibc
import HostServices
import JSONRPC

/// A host for an author's tests: it runs an extension inside the test's own process, over a real connection, with real
/// services and the real broker. No process, no sandbox, milliseconds.
public struct TestHost: Sendable {
  private let services: [any HostService]
  private let allowlist: Allowlist?
  private let log: any LogSink
  private let permissions: PermissionAuthority?
  private let consent: Consent
  private let state: StateDirectory?
  private let points: [any PointContract.Type]

  /// - Parameters:
  ///   - allowlist: what extensions may call; when absent, what the contracts of the services say.
  ///   - log: hears what the extension logs.
  ///   - permissions: knows what the user allows; when absent, nothing is decided.
  ///   - consent: without `permissions`, what becomes of a permission that is undecided.
  ///   - state: where app groups have their containers, for services that look there; when absent, a folder that is
  ///     gone with the extension.
  ///   - points: extension points of your own, beside those of this package.
  public init(
    services: [any HostService] = [], allowlist: Allowlist? = nil, log: any LogSink = NoLog(),
    permissions: PermissionAuthority? = nil, consent: Consent = .ask(nil), state: StateDirectory? = nil,
    points: [any PointContract.Type] = []
  ) {
    self.points = points
    self.services = services
    self.allowlist = allowlist
    self.log = log
    self.permissions = permissions
    self.consent = consent
    self.state = state
  }

  /// Runs the body with an extension that serves in this process.
  ///
  /// - Parameters:
  ///   - type: the extension.
  ///   - identity: what its manifest would say; by default an extension with one app group and no entitlement, at its own
  ///     point.
  ///   - body: gets the running extension, which ends when the body returns or throws.
  /// - Throws: what the handshake or the body throws.
  public func withExtension<Extension: AppExtension, Result: Sendable>(
    _ type: Extension.Type, identity: Caller.Identity? = nil,
    _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let identity = identity ?? .testing(point: type.points.first?.point)
    let loop = EventLoop.onThread(name: "test-host")
    defer { loop.stop() }
    let folder = try TestFolder()
    defer { folder.remove() }
    let configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()).adding(points), state: folder.state, launcherPath: "/nonexistent",
      allowlist: allowlist, log: log,
      permissions: permissions ?? PermissionAuthority(state: folder.state, consent: consent))
    let host = try ExtensionHost(configuration: configuration, services: services, loop: loop)
    let (hostEnd, extensionEnd) = Connection.pair(on: loop, configuration: configuration.wire)
    let session = ExtensionSession(connection: extensionEnd, handlers: Extension().allHandlers, points: type.points)
    var groups: [String: String] = [:]
    for group in identity.groups { groups[group] = try (state ?? folder.state).folder("groups/\(group)") }
    let link = InProcessExtension(connection: hostEnd, scratch: folder.path, groups: groups)
    return try await host.serve(
      link, identity, over: hostEnd, to: extensionEnd, peer: { await session.run() }, body)
  }
}

extension Caller.Identity {
  /// An identity as a manifest would give it.
  ///
  /// - Parameters:
  ///   - point: when absent, the first that tools list.
  ///   - groups: the app groups that both manifests name.
  public static func testing(
    id: String = "com.example.test.extension", point: ExtensionPoint? = nil,
    groups: [String] = ["group.com.example.test"], entitlements: [String] = [], permissions: [AskedPermission] = []
  ) -> Caller.Identity {
    Caller.Identity(
      id: id, version: "1.0", displayName: id, point: point ?? Features.points.points.first ?? .containingApp,
      containingApp: "com.example.test", groups: groups,
      entitlements: entitlements, permissions: permissions)
  }
}

/// The host's end of an extension that runs in this process.
private struct InProcessExtension: ExtensionLink {
  let connection: Connection
  let scratch: String
  /// By app group.
  let groups: [String: String]

  var directories: Initialize.Directories {
    Initialize.Directories(
      scratch: scratch, container: scratch, groups: groups.mapValues { .init(path: $0, mode: "rw") })
  }

  func process(of instance: ExtensionInstance) -> ExtensionProcess {
    ExtensionProcess(of: instance, connection: connection, scratch: scratch)
  }

  func end(_ deadlines: ExtensionHost.Deadlines, reason: StopReason) async {
    await connection.close(.finished)
  }
}

/// A temporary folder for one test.
struct TestFolder {
  let path: String

  init() throws(ExtensionError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    path = "\(base)/annex-test-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    guard mkdir(path, 0o700) == 0 else {
      throw ExtensionError(.storeFailed, "Cannot create \(path): \(SystemError.last).")
    }
  }

  var state: StateDirectory { StateDirectory(path: path) }

  func remove() { try? StateDirectory.remove(path) }
}
