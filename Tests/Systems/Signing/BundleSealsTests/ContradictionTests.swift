import Cryptography
import Foundation
import TestSupport
import Testing

@testable import BundleSeals

/// Seals that a team signed and that contradict themselves: each signature is right, and what is signed is not true.
@Suite(.timeLimit(.minutes(1))) struct `A seal that contradicts its bundle` {
  private let folder: TemporaryDirectory
  private let signer: Signer

  init() throws {
    folder = try TemporaryDirectory()
    signer = try Signer()
  }

  /// Seals one bundle of a sealed app again, as it is now, saying of it what the manifest of another folder says.
  private func sealAlone(_ bundle: String, as manifest: SealedManifest) throws {
    let tree = SealedTree(bundle, leavingOut: BundleSeal.folder)
    var entries: [String: SealedEntry] = [:]
    for (path, shape) in tree.shapes {
      switch shape {
      case .folder(let mode): entries[path] = .folder(mode: mode)
      case .link(let target): entries[path] = .link(target: target)
      case .file(let mode, let size):
        let digest = try SealedFile.digest(of: "\(bundle)/\(path)", named: path, size: size)
        entries[path] = .file(mode: mode, size: size, digest: digest)
      }
    }
    let list = try CodeResources(entries).bytes()
    let statement = try SealStatement(manifest, resources: list, key: signer.key.publicKey)
    let signature = try signer.key.signature(of: statement.bytes)
    let files = [
      "CodeResources": list, "Statement": statement.bytes, "Statement.sig": signature,
      "Statement.minisig": try Minisign.document(signature, by: signer.key),
    ]
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(filePath: "\(bundle)/\(BundleSeal.folder)/\(name)"))
    }
  }

  private func manifest(_ text: String) throws -> SealedManifest {
    let other = folder.file("Other.app")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try text.write(toFile: "\(other)/Info.plist", atomically: false, encoding: .utf8)
    return try SealedManifest(bundle: other)
  }

  @Test(arguments: [
    Signer.manifest("com.example.notes", version: "9"), Signer.manifest("com.example.other"),
    Signer.manifest("com.example.notes", asks: "network"),
  ])
  func `about identifier, version or entitlements is changed`(text: String) throws {
    let app = try signer.app(in: folder)
    try sealAlone(app, as: try manifest(Signer.manifest("com.example.notes")))
    #expect(try Signer.state(app) == .whole)
    try sealAlone(app, as: try manifest(text))
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("\(try Signer.state(app))")
      return
    }
    #expect(changes.map(\.path) == ["Info.plist"])
  }

  @Test func `about who made an extension in it is changed`() throws {
    let stranger = try Signer("Another Ltd.")
    let app = try signer.app(in: folder, isSigned: false)
    try stranger.sign(app)
    let inner = "\(app)/PlugIns/Clock.appex/_CodeSignature"
    let kept = folder.file("kept")
    try FileManager.default.copyItem(atPath: inner, toPath: kept)
    try signer.sign(app)
    try FileManager.default.removeItem(atPath: inner)
    try FileManager.default.copyItem(atPath: kept, toPath: inner)
    try sealAlone(app, as: try manifest(Signer.manifest("com.example.notes")))
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("\(try Signer.state(app))")
      return
    }
    #expect(changes.map(\.path) == ["PlugIns/Clock.appex/_CodeSignature"])
  }

  @Test func `about the files of an extension in it is changed`() throws {
    let app = try signer.app(in: folder)
    // The app's seal lists it, and the extension's own seal does not.
    try "".write(toFile: "\(app)/PlugIns/Clock.appex/more", atomically: false, encoding: .utf8)
    try sealAlone(app, as: try manifest(Signer.manifest("com.example.notes")))
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("\(try Signer.state(app))")
      return
    }
    #expect(changes.map(\.path) == ["PlugIns/Clock.appex/_CodeSignature"])
    #expect(changes.first?.detail == "the extension's seal lists other files than the app's")
  }

  @Test func `about the manifest of an extension in it is changed`() throws {
    let app = try signer.app(in: folder)
    try sealAlone("\(app)/PlugIns/Clock.appex", as: try manifest(Signer.manifest("com.example.notes.other")))
    try sealAlone(app, as: try manifest(Signer.manifest("com.example.notes")))
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("\(try Signer.state(app))")
      return
    }
    #expect(changes.map(\.path) == ["PlugIns/Clock.appex/Info.plist"])
  }

  @Test func `about a name in other bytes that looks the same is changed`() throws {
    let app = try signer.app(in: folder)
    let deep = "\(app)/PlugIns/Clock.appex/lib/deep"
    try signer.sign(app)
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: deep).first)
    let (composed, other) = ("gr\u{F6}\u{DF}e.txt", "gro\u{308}\u{DF}e.txt")
    let isComposed = name.utf8.elementsEqual(composed.utf8)
    #expect(Process.shell("cd '\(deep)' && mv \"$(ls)\" '\(isComposed ? other : composed)'") == 0)
    guard case .changed(let changes) = try Signer.state(app) else {
      Issue.record("a file of another name is whole")
      return
    }
    #expect(Set(changes.map(\.kind)) == [.added, .missing])
  }
}
