import AppExtensions
import EventLoop
import ExtensionHosting
import ExtensionTesting
import FeatureChecks
import Files
import Foundation
import HostServices
import SessionServices
import TestSupport

/// A host with an app and its extension on the disk, whose transfers nobody makes.
final class SessionStage: Sendable {
  static let app = "com.example.test"
  static let group = "group.com.example.test"

  let folder: TemporaryDirectory
  private let loop: EventLoop
  private let host: ExtensionHost
  let service: SessionService

  init() throws {
    folder = try TemporaryDirectory()
    let bundle = folder.file("Test.app")
    try Self.write(bundle)
    try FileManager.default.createDirectory(atPath: folder.file("state"), withIntermediateDirectories: true)
    let state = StateDirectory(path: folder.file("state"))
    loop = EventLoop.onThread(name: "session-stage")
    let configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources(bundles: [bundle])), state: state, launcherPath: "/nonexistent",
      permissions: PermissionAuthority(state: state, consent: .grant))
    host = try HostEnvironment(configuration, loop: loop, features: Features.hosts).makeHost()
    service = host.service(SessionService.self)
  }

  deinit { loop.stop() }

  private static func write(_ bundle: String) throws {
    func manifest(_ id: String, _ type: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>1</string>
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>\(group)</string></array></dict>\(rest)</dict></plist>
      """
    }
    let plugIn = "\(bundle)/PlugIns/Extension.appex"
    try FileManager.default.createDirectory(atPath: plugIn, withIntermediateDirectories: true)
    try File.replace("\(bundle)/Info.plist", with: Array(manifest(app, "APPL", "").utf8))
    let rest = """
      <key>CFBundleExecutable</key><string>run</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string></dict>
      """
    try File.replace("\(plugIn)/Info.plist", with: Array(manifest("\(app).extension", "XPC!", rest).utf8))
    try File.replace("\(plugIn)/run", with: Array("# nothing\n".utf8))
    try File.setMode("\(plugIn)/run", 0o755)
  }

  /// The service of another host over the same state, whose transfers a daemon makes.
  ///
  /// - Parameter start: starts the daemon.
  func service(startingDaemon start: @escaping @Sendable () throws -> Void) throws -> SessionService {
    let environment = try HostEnvironment(host.configuration, loop: loop, features: Features.hosts)
    return try SessionService(in: environment, maker: .daemon(start: start))
  }

  /// Runs calls of a process of an extension.
  func inExtension<Value: Sendable>(
    _ id: String = "\(app).extension", groups: [String] = [group], point: ExtensionPoint? = nil,
    _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> Value {
    let identity = Caller.Identity.testing(
      id: id, point: point, groups: groups, permissions: [AskedPermission("network", scope: ["a.example"])])
    return try await TestHost(
      services: [service], permissions: host.configuration.permissions, state: host.configuration.state
    ).inWidget(as: identity, body)
  }
}
