import ExtensionHosting
import Files
import Foundation
import HTML
import HTTPServer
import HostServices
import TestSupport

@testable import HostPage

/// A host that starts nothing, with an app and its widget on the disk, for the pages about them.
final class PageStage: Sendable {
  static let app = "org.example.tides"
  static let widget = "org.example.tides.clock"
  static let group = "group.org.example.tides"

  let folder: TemporaryDirectory
  let host: ExtensionHost
  var state: StateDirectory { host.configuration.state }

  /// - Parameters:
  ///   - annex: what the widget's manifest has under `Annex`, besides its interpreter.
  ///   - point: the extension point, where it is no widget.
  ///   - attributes: what its manifest has under `NSExtensionAttributes`.
  ///   - hasApp: whether there is anything at all.
  ///   - change: changes the configuration of the host.
  init(
    annex: String = "", point: String = "com.apple.widget-extension", attributes: String = "", hasApp: Bool = true,
    _ change: (inout ExtensionHost.Configuration) -> Void = { _ in }
  ) throws {
    folder = try TemporaryDirectory()
    let bundle = folder.file("Tides.app")
    if hasApp { try Self.write(bundle, annex, point, attributes) }
    var services = StandardServices(
      state: StateDirectory(path: folder.file("state")),
      registry: ExtensionRegistry(RegistrySources(bundles: hasApp ? [bundle] : [])), launcherPath: "/nonexistent")
    try FileManager.default.createDirectory(atPath: folder.file("state"), withIntermediateDirectories: true)
    // Nothing is started: each update of a widget fails, and is counted.
    services.configuration.refusedPoints = [.today]
    change(&services.configuration)
    host = try services.makeHost()
  }

  private static func write(_ bundle: String, _ annex: String, _ point: String, _ attributes: String) throws {
    func manifest(_ id: String, _ name: String, _ type: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleDisplayName</key><string>\(name)</string><key>CFBundleVersion</key><string>7</string>
      <key>CFBundlePackageType</key><string>\(type)</string>
      <key>Entitlements</key><dict><key>com.apple.security.application-groups</key>
      <array><string>\(group)</string></array></dict>\(rest)</dict></plist>
      """
    }
    let plugIn = "\(bundle)/PlugIns/Clock.appex"
    try FileManager.default.createDirectory(atPath: plugIn, withIntermediateDirectories: true)
    try File.replace("\(bundle)/Info.plist", with: Array(manifest(app, "Tides", "APPL", "").utf8))
    let rest = """
      <key>CFBundleExecutable</key><string>clock</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\(point)</string>
      <key>NSExtensionAttributes</key><dict>\(attributes)</dict></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string>\(annex)</dict>
      """
    try File.replace("\(plugIn)/Info.plist", with: Array(manifest(widget, "Clock", "XPC!", rest).utf8))
    try File.replace("\(plugIn)/clock", with: Array("# nothing\n".utf8))
    try File.setMode("\(plugIn)/clock", 0o755)
  }

  /// What a manifest has to ask for a server.
  static let network = """
    <key>Network</key><array><string>api.example.com</string></array>
    <key>Entitlements</key><array><string>network</string></array>
    """
}

extension PageRequest {
  /// A request of a browser with a session of its own: for a page, or with a form.
  static func testing(query: String? = nil, form: [String: String] = [:]) -> PageRequest {
    let body = form.map { "\($0.key)=\(PageAddress.encoded($0.value))" }.joined(separator: "&")
    return PageRequest(
      ServerRequest(
        method: form.isEmpty ? "GET" : "POST", path: "/", query: query,
        headers: [ServerField("Content-Type", "application/x-www-form-urlencoded")], body: Array(body.utf8)),
      session: PageKeys.Session())
  }
}

extension PageOutcome {
  /// What the user sees of it.
  var words: String {
    switch self {
    case .done(let note): note
    case .show(let html): html.text
    case .file(let name, _): "file \(name)"
    case .missing: "missing"
    }
  }
}
