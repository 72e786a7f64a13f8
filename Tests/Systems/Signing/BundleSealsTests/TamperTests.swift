import BundleSeals
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A signed bundle that was tampered with` {
  /// One change of a bundle: what it was, the path that has to be named, and how it is undone.
  private struct Tampering {
    let words: String
    let path: String
    let undo: () throws -> Void
  }

  private static let files = FileManager.default

  private func byte(_ app: String, _ path: String, _ random: inout SystemRandomNumberGenerator) throws -> Tampering? {
    let url = URL(filePath: "\(app)/\(path)")
    let before = try Data(contentsOf: url)
    guard !before.isEmpty else { return nil }
    var after = before
    let place = Int.random(in: 0..<after.count, using: &random)
    after[place] ^= UInt8.random(in: 1...255, using: &random)
    let mode = try Self.files.attributesOfItem(atPath: url.path)[.posixPermissions] ?? 0o644
    try after.write(to: url)
    try Self.files.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    return Tampering(words: "byte \(place) of \(path)", path: path) { try before.write(to: url) }
  }

  private func mode(_ app: String, _ path: String, _ random: inout SystemRandomNumberGenerator) throws -> Tampering? {
    let place = "\(app)/\(path)"
    let before = try #require(try Self.files.attributesOfItem(atPath: place)[.posixPermissions] as? Int)
    // Bits of others only: the owner must still be able to read it.
    let after = before ^ [0o001, 0o004, 0o010, 0o040, 0o044][Int.random(in: 0..<5, using: &random)]
    try Self.files.setAttributes([.posixPermissions: after], ofItemAtPath: place)
    return Tampering(words: "mode of \(path)", path: path) {
      try Self.files.setAttributes([.posixPermissions: before], ofItemAtPath: place)
    }
  }

  private func name(_ app: String, _ path: String, _ random: inout SystemRandomNumberGenerator) throws -> Tampering? {
    // Without the folder of a lone extension's seal there is no seal; in an app its own seal misses it.
    guard path != "_CodeSignature" else { return nil }
    let new = "\(app)/\(path)\(["~", ".bak", "2"][Int.random(in: 0..<3, using: &random)])"
    try Self.files.moveItem(atPath: "\(app)/\(path)", toPath: new)
    return Tampering(words: "name of \(path)", path: path) {
      try Self.files.moveItem(atPath: new, toPath: "\(app)/\(path)")
    }
  }

  private func link(_ app: String, _ random: inout SystemRandomNumberGenerator) throws -> Tampering? {
    let place = "\(app)/current"
    let before = try Self.files.destinationOfSymbolicLink(atPath: place)
    try Self.files.removeItem(atPath: place)
    let after = ["nothing", "PlugIns", "/etc/passwd", before + "x"][Int.random(in: 0..<4, using: &random)]
    try Self.files.createSymbolicLink(atPath: place, withDestinationPath: after)
    return Tampering(words: "link to \(after)", path: "current") {
      try Self.files.removeItem(atPath: place)
      try Self.files.createSymbolicLink(atPath: place, withDestinationPath: before)
    }
  }

  @Test func `is found in each of a thousand changes, with the name of the file`() throws {
    let folder = try TemporaryDirectory()
    let app = try Signer().app(in: folder)
    let paths = try Self.files.subpathsOfDirectory(atPath: app).filter { $0 != "current" }.sorted()
    let folders = Set(
      paths.filter { path in
        (try? Self.files.attributesOfItem(atPath: "\(app)/\(path)")[.type]) as? FileAttributeType == .typeDirectory
      })
    var random = SystemRandomNumberGenerator()
    var count = 0
    while count < 1_000 {
      let path = try #require(paths.randomElement(using: &random))
      let tampering: Tampering? =
        switch count % 10 {
        case 0...5: folders.contains(path) ? nil : try byte(app, path, &random)
        case 6, 7: try mode(app, path, &random)
        case 8: try name(app, path, &random)
        default: try link(app, &random)
        }
      guard let tampering else { continue }
      count += 1
      switch try Signer.state(app) {
      case .changed(let changes):
        #expect(
          changes.contains { $0.path == tampering.path || tampering.path.hasPrefix($0.path + "/") }
            || changes.contains { Self.isOfOneSeal($0.path, tampering.path) }, "\(tampering.words): \(changes)")
      case .malformed(let error):
        let name = tampering.path.split(separator: "/").last.map(String.init) ?? ""
        #expect(error.message.contains(name), "\(tampering.words): \(error)")
      case let state: Issue.record("\(tampering.words) gives \(state)")
      }
      try tampering.undo()
    }
    #expect(try Signer.state(app) == .whole)
  }

  /// Which of two files of a seal that no longer fit each other was changed cannot be known: both are of one seal.
  private static func isOfOneSeal(_ one: String, _ other: String) -> Bool {
    one.hasPrefix("_CodeSignature/") && other.hasPrefix("_CodeSignature/")
  }
}
