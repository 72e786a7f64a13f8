import BundleSeals
import Cryptography
import Foundation
import TestSupport

/// A team with a signing key that is good for a day.
struct Signer {
  static let now: Int64 = 1_800_000_000

  let root: Ed25519.PrivateKey
  let key: Ed25519.PrivateKey
  let certificate: KeyCertificate

  init(_ name: String = "Example Inc.", until: Int64 = Self.now + 86_400) throws {
    root = try .generate()
    key = try .generate()
    certificate = try KeyCertificate(key.publicKey, by: root, name: name, from: Self.now - 60, until: until)
  }

  /// Makes an app with an extension, a link and an empty folder, and signs it.
  @discardableResult
  func app(in folder: TemporaryDirectory, isSigned: Bool = true) throws -> String {
    let app = folder.file("Notes.app")
    try Self.write(app)
    if isSigned { try sign(app) }
    return app
  }

  func sign(_ bundle: String) throws {
    _ = try BundleSeal.sign(bundle, with: key, certificate, at: Self.now)
  }

  static func manifest(_ identifier: String, version: String = "1.2", asks: String = "defaults") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>\(identifier)</string>
    <key>CFBundleVersion</key><string>\(version)</string>
    <key>Annex</key><dict><key>Entitlements</key><array><string>\(asks)</string></array></dict>
    </dict></plist>

    """
  }

  private static func write(_ app: String) throws {
    let files = FileManager.default
    let plugIn = "\(app)/PlugIns/Clock.appex"
    for path in ["\(plugIn)/lib/deep", "\(app)/empty"] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try manifest("com.example.notes").write(toFile: "\(app)/Info.plist", atomically: false, encoding: .utf8)
    try manifest("com.example.notes.clock").write(
      toFile: "\(plugIn)/Info.plist", atomically: false, encoding: .utf8)
    try String(repeating: "program ", count: 500).write(toFile: "\(plugIn)/clock", atomically: false, encoding: .utf8)
    try "one".write(toFile: "\(plugIn)/lib/deep/größe.txt", atomically: false, encoding: .utf8)
    try "".write(toFile: "\(app)/nothing", atomically: false, encoding: .utf8)
    try files.createSymbolicLink(atPath: "\(app)/current", withDestinationPath: "PlugIns/Clock.appex/clock")
    for path in try files.subpathsOfDirectory(atPath: app) {
      let isFolder = try files.attributesOfItem(atPath: "\(app)/\(path)")[.type] as? FileAttributeType == .typeDirectory
      if path == "current" { continue }
      try files.setAttributes(
        [.posixPermissions: isFolder || path.hasSuffix("clock") ? 0o755 : 0o644], ofItemAtPath: "\(app)/\(path)")
    }
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: app)
  }

  static func state(
    _ bundle: String, team: String? = nil, revoked: [String: String] = [:], at time: Int64 = Self.now
  ) throws -> SealCheck.State {
    try SealCheck(bundle, .init(team: team, revoked: revoked, time: time)).state
  }
}
