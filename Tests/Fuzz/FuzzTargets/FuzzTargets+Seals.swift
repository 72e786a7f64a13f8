import BundleIndex
import BundleSeals
import Cryptography
import UpdateMetadata

extension FuzzTargets {
  /// The list of a seal, its texts and what teams say: what is read is written, and read again the same. Nobody has signed
  /// what came of it.
  static func seals(_ bytes: [UInt8]) {
    if let list = try? CodeResources(bytes) {
      precondition(!list.entries.keys.contains { $0.hasPrefix("/") || $0.split(separator: "/").contains("..") })
      if let written = try? list.bytes() { precondition((try? CodeResources(written)) == list, "it reads otherwise") }
    }
    if let statement = try? SealStatement(bytes) { precondition(statement.bytes == bytes, "it is written otherwise") }
    precondition((try? KeyCertificate(bytes, signature: [UInt8](repeating: 0, count: 64))) == nil)
    for document in [try? Revocation(document: bytes).document, try? RootRotation(document: bytes).document] {
      precondition(document ?? bytes == bytes, "it is written otherwise")
    }
    var files: [String: [UInt8]] = [:]
    for name in BundleSeal.names { files[name] = bytes }
    if case .seal = BundleSeal.check(files) { preconditionFailure("nobody has sealed it") }
    _ = try? SealedManifest(bytes, named: "fuzz")
    precondition((try? UpdateWorkflow(root: bytes, kept: [:], at: 0)) == nil, "nobody has signed it")
    if let lines = IndexLine.lines(bytes) {
      precondition(IndexLine.lines(IndexLine.bytes(lines)) == lines, "it reads otherwise")
    }
  }
}
