import BundleIndex
import BundleInstalling
import BundleSeals
import Cryptography
import ExtensionHosting
import ExtensionProtocol
import Files
import Foundation
import HTTPServer
import HostServices
import Synchronization
import TestSupport
import Testing
import Time

/// A team with its keys, the folder that it publishes to, and a host that installs from there.
final class IndexStage: Sendable {
  static let app = "org.example.tides"

  let folder: TemporaryDirectory
  let root: Ed25519.PrivateKey
  private let signing: Mutex<(key: Ed25519.PrivateKey, certificate: KeyCertificate)>
  /// Answers in place of the server, where there is one.
  let fault = Mutex<@Sendable (ServerRequest) -> ServerResponse?>({ _ in nil })
  /// The requests that came.
  let requests = Mutex<[String]>([])

  var index: IndexFolder { IndexFolder(folder.file("index")) { BundleVersion($0) < BundleVersion($1) } }
  var state: StateDirectory { StateDirectory(path: folder.file("state")) }
  var store: BundleStore { BundleStore(state: state) }
  var now: Int64 { UnixTime.now.seconds }

  init() throws {
    folder = try TemporaryDirectory()
    root = try .generate()
    signing = Mutex(try Self.signingKey(below: root))
  }

  private static func signingKey(
    below root: Ed25519.PrivateKey
  ) throws -> (key: Ed25519.PrivateKey, certificate: KeyCertificate) {
    let key = try Ed25519.PrivateKey.generate()
    let now = UnixTime.now.seconds
    return (
      key,
      try KeyCertificate(key.publicKey, by: root, name: "Example", from: now - 86_400 * 400, until: now + 86_400 * 90)
    )
  }

  var certificate: KeyCertificate { signing.withLock { $0.certificate } }

  /// Makes another signing key, and uses it from now on.
  func changeSigningKey() throws {
    let new = try Self.signingKey(below: root)
    signing.withLock { $0 = new }
  }

  // MARK: Publishing

  /// Writes and signs an app with a widget in Python.
  @discardableResult
  func bundle(_ version: String, annex: String = "", identifier: String = app) throws -> String {
    func manifest(_ id: String, _ type: String, _ rest: String) -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>\(version)</string>
      \(rest)</dict></plist>
      """
    }
    let path = folder.file("Tides.app")
    try? FileManager.default.removeItem(atPath: path)
    let plugIn = "\(path)/PlugIns/Clock.appex"
    try FileManager.default.createDirectory(atPath: plugIn, withIntermediateDirectories: true)
    try File.replace("\(path)/Info.plist", with: Array(manifest(identifier, "APPL", "").utf8))
    let rest = """
      <key>CFBundleExecutable</key><string>clock</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string>\(annex)</dict>
      """
    try File.replace("\(plugIn)/Info.plist", with: Array(manifest("\(identifier).clock", "XPC!", rest).utf8))
    try File.replace("\(plugIn)/clock", with: Array("# version \(version)\n".utf8))
    try File.setMode("\(plugIn)/clock", 0o755)
    try sign(path)
    return path
  }

  func sign(_ path: String) throws {
    let (key, certificate) = signing.withLock { $0 }
    try BundleSeal.sign(path, with: key, certificate, at: now)
  }

  func keys(former: Ed25519.PrivateKey? = nil) -> IndexFolder.Keys {
    let (key, certificate) = signing.withLock { $0 }
    return IndexFolder.Keys(
      signing: key, certificate: certificate, openRoot: { [root] _ in root }, openFormer: { _ in former })
  }

  /// The addition of a bundle to the index.
  func addition(
    _ path: String, published: Int64? = nil, _ change: (inout IndexLine) -> Void = { _ in }
  ) throws -> (line: IndexLine, archive: String) {
    guard case .seal(let seal) = BundleSeal.read(path) else { throw CocoaError(.fileReadUnknown) }
    let archive = folder.file("archive-\(UInt32.random(in: 0...(.max))).tar")
    try BundleArchive.write(path, seal, to: archive)
    var line = IndexLine(
      identifier: seal.statement.identifier, version: seal.statement.version, title: "Tides",
      digest: seal.statement.digest, size: 0, team: certificate.team, teamName: certificate.name,
      key: seal.certificate.signer, asks: [], points: ["today"], published: published ?? now)
    change(&line)
    return (line, archive)
  }

  @discardableResult
  func publish(
    _ additions: [(line: IndexLine, archive: String)] = [], statements: [[UInt8]] = [],
    yanks: [(String, String, String)] = [], former: Ed25519.PrivateKey? = nil, at time: Int64? = nil
  ) throws -> IndexFolder.Published {
    var change = IndexFolder.Change()
    (change.additions, change.statements) = (additions, statements)
    change.yanks = yanks.map { (identifier: $0.0, version: $0.1, reason: $0.2) }
    return try index.publish(change, by: keys(former: former), at: time ?? now, days: 30)
  }

  // MARK: Installing

  /// Serves the index, and gives it to a client that trusts it.
  func withIndex<Value: Sendable>(
    isTrusted: Bool = true, _ body: (ExtensionIndex) async throws -> Value
  ) async throws -> Value {
    var configuration = IndexServer.Configuration(root: index.path)
    configuration.fault = { request in
      self.requests.withLock { $0.append(request.path) }
      return self.fault.withLock { $0 }(request)
    }
    return try await IndexServer(configuration: configuration).withRunning { address in
      let index = try ExtensionIndex(address.url, store: store)
      if isTrusted { try await index.trust { _ in true } }
      return try await body(index)
    }
  }

  /// The version that is installed, and whose files are as they were signed.
  func installed() async throws -> String? {
    let record = try RegistryRecord.load(from: store.recordPath)
    guard let bundle = record.bundles.first(where: { $0.identifier == Self.app }) else { return nil }
    let judgement = try await store.judge(bundle.path)
    return judgement.state == .whole || judgement.state == .revoked
      ? try SealedManifest(bundle: bundle.path).version : "\(judgement.sentence)"
  }
}

/// Installs, and agrees to everything unless it is told otherwise.
extension ExtensionIndex {
  @discardableResult
  func install(_ version: String? = nil, agrees: Bool = true) async throws -> BundleStore.Installed {
    try await install(IndexStage.app, Choice(version: version)) { _ in agrees }
  }

  /// What a failed installation says, with its code.
  func failure(_ version: String? = nil) async -> ExtensionError? {
    do {
      try await install(version)
      return nil
    } catch {
      return error as? ExtensionError
    }
  }
}
