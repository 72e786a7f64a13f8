import MeasuredHost
import BenchmarkResults
import BundleIndex
import BundleInstalling
import BundleSeals
import CFloor
import Cryptography
import ExtensionHosting
import Files
import Glibc
import HTTPClient
import HTTPServer

extension Workload {
  /// What it costs to know who made a bundle, beside what the same bytes cost without.
  static let signing = [
    Workload(
      name: "verify-bundle", summary: "Compare a signed bundle of 14 MB with its seal, beside sha256sum on its files",
      unit: .milliseconds, count: 20
    ) { bench, count in
      let bundle = try SignedApp(bench)
      return Reading(
        Samples(
          nanoseconds: try (0..<count).map { _ in
            let start = floor_now()
            guard try SealCheck(bundle.path, .init(time: SignedApp.now)).state == .whole else {
              throw BenchmarkError("The bundle is not whole.")
            }
            return floor_now() - start
          }, per: 1e6))
    } floor: { bench, count in
      let bundle = try SignedApp(bench)
      let times = try Floor.spawn(["/usr/bin/sha256sum"] + bundle.files, count: count)
      return Reading(Samples(nanoseconds: times, per: 1e6))
    },
    Workload(
      name: "install", summary: "Install a bundle of 14 MB from an index on this machine, beside its download alone",
      unit: .milliseconds, count: 5
    ) { bench, count in
      let app = try SignedApp(bench)
      return try await app.withIndex { url, _ in
        var times: [UInt64] = []
        for round in 0..<count {
          let state = StateDirectory(path: "\(bench.folder)/signing-state-\(floor_now())-\(round)")
          let index = try ExtensionIndex(url, store: BundleStore(state: state))
          try await index.trust { _ in true }
          let start = floor_now()
          _ = try await index.install(SignedApp.identifier) { _ in true }
          times.append(floor_now() - start)
        }
        return Reading(Samples(nanoseconds: times, per: 1e6))
      }
    } floor: { bench, count in
      let app = try SignedApp(bench)
      return try await app.withIndex { url, archive in
        let client = HTTPClient()
        var times: [UInt64] = []
        for _ in 0..<count {
          let start = floor_now()
          guard try await client.send(HTTPRequest("GET", "\(url)/files/\(archive)")).status == 200 else {
            throw BenchmarkError("The archive was not served.")
          }
          times.append(floor_now() - start)
        }
        return Reading(Samples(nanoseconds: times, per: 1e6))
      }
    },
  ]
}

/// A signed app of 14 MB with a script, in a folder of its own.
private struct SignedApp {
  static let identifier = "com.example.benchmarks.signed"
  static let now = Int64(time(nil))

  let path: String
  let files: [String]
  private let index: IndexFolder
  private let keys: IndexFolder.Keys
  private let seal: BundleSeal

  init(_ bench: Bench) throws {
    let folder = "\(bench.folder)/signing-\(floor_now())"
    path = "\(folder)/Signed.app"
    let plugIn = "\(path)/PlugIns/Script.appex"
    for made in [folder, path, "\(path)/PlugIns", plugIn] { try BenchFiles.makeFolder(made) }
    func manifest(_ id: String, _ type: String, _ rest: String = "") -> String {
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundlePackageType</key><string>\(type)</string><key>CFBundleVersion</key><string>1</string>\(rest)</dict></plist>
      """
    }
    let rest = """
      <key>CFBundleExecutable</key><string>script</string>
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>com.apple.widget-extension</string></dict>
      <key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string></dict>
      """
    try BenchFiles.write(manifest(Self.identifier, "APPL"), to: "\(path)/Info.plist")
    try BenchFiles.write(manifest("\(Self.identifier).script", "XPC!", rest), to: "\(plugIn)/Info.plist")
    try BenchFiles.write("exit\n", to: "\(plugIn)/script")
    try BenchFiles.write(String(repeating: "0123456789abcdef", count: 14 << 16), to: "\(path)/data")
    files = ["\(path)/Info.plist", "\(plugIn)/Info.plist", "\(plugIn)/script", "\(path)/data"]
    let (root, key) = (try Ed25519.PrivateKey.generate(), try Ed25519.PrivateKey.generate())
    let certificate = try KeyCertificate(
      key.publicKey, by: root, name: "Benchmarks", from: 0, until: 4_000_000_000)
    guard let seal = try BundleSeal.sign(path, with: key, certificate, at: Self.now).last else {
      throw BenchmarkError("The bundle was not signed.")
    }
    self.seal = seal
    keys = IndexFolder.Keys(signing: key, certificate: certificate, openRoot: { _ in root }, openFormer: { _ in nil })
    // There is one version.
    index = IndexFolder("\(folder)/index") { _, _ in false }
  }

  /// Publishes the app, and serves the index while a body runs.
  func withIndex(_ body: (_ url: String, _ archive: String) async throws -> Reading) async throws -> Reading {
    let archive = "\(path).tar"
    try BundleArchive.write(path, seal, to: archive)
    var change = IndexFolder.Change()
    let line = IndexLine(
      identifier: Self.identifier, version: "1", title: "Signed", digest: seal.statement.digest, size: 0,
      team: seal.certificate.team, teamName: "Benchmarks", key: seal.certificate.signer, asks: [], points: [],
      published: Self.now)
    let digest = SHA256.hexadecimal(of: try File.read(archive, limit: 64 << 20))
    change.additions = [(line, archive)]
    _ = try index.publish(change, by: keys, at: Self.now, days: 365)
    let server = IndexServer(configuration: .init(root: index.path))
    return try await server.withRunning { address in
      try await body(address.url, "archives/\(digest).\(seal.statement.digest).tar")
    }
  }
}
