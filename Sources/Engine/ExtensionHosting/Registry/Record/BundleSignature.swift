import ExtensionProtocol
import Files

/// Who signed a bundle, as it was found when the bundle was copied into the store. The host keeps it outside of the bundle.
public struct BundleSignature: Sendable, Hashable, Codable {
  /// The fingerprint of the team's root key: 64 hexadecimal digits.
  public let team: String
  /// What the team calls itself. Nobody else says so: show it with the fingerprint.
  public let name: String
  /// The fingerprint of the key that signed.
  public let key: String
  /// The digest that names this sealed bundle and no other.
  public let digest: String
  /// What tells whether files are still the ones that were copied (`FileStamp`), by path in the bundle.
  let stamps: [String: String]

  /// Describes a signature that was verified.
  ///
  /// - Parameters:
  ///   - team: the fingerprint of the root key.
  ///   - name: what the team calls itself.
  ///   - key: the fingerprint of the signing key.
  ///   - digest: the digest of the sealed bundle.
  ///   - stamps: what tells whether files are still the same, by path in the bundle.
  package init(
    team: String, name: String, key: String, digest: String, stamps: [String: String]
  ) {
    (self.team, self.name, self.key, self.digest) = (team, name, key, digest)
    self.stamps = stamps
  }

  /// The team for people: `Example Inc. (3f2a 90c1 77de 04b6)`.
  public var shown: String { Self.shown(name, team) }

  /// A team for people: what it calls itself, and the beginning of its fingerprint.
  static func shown(_ name: String, _ team: String) -> String {
    let digits = Array(team.prefix(16))
    let groups = stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
    return "\(name) (\(groups.joined(separator: " ")))"
  }
}

/// The team that an identifier belongs to: the containers, groups and permissions under that name are the team's.
public struct BundleTeam: Sendable, Hashable, Codable {
  /// The fingerprint of the team's root key; empty for bundles without a signature.
  public let team: String
  /// What the team calls itself.
  public let name: String

  /// Names a team.
  package init(team: String, name: String) { (self.team, self.name) = (team, name) }

  /// The team for people.
  public var shown: String { BundleSignature.shown(name, team) }
}

/// The files that a start stands on, with what told them apart when they were verified.
struct VerifiedFiles: Sendable, Hashable {
  /// By absolute path, `FileStamp.text`.
  let stamps: [String: String]

  /// Those of a bundle in the store, of which an extension uses a part.
  ///
  /// - Parameters:
  ///   - signature: what is known of the bundle.
  ///   - root: the bundle that was signed.
  ///   - bundle: the extension's own bundle, the same or one in it.
  init(_ signature: BundleSignature, of root: String, below bundle: String) {
    var found: [String: String] = [:]
    for (path, stamp) in signature.stamps {
      let whole = "\(root)/\(path)"
      if whole.isBelow(bundle) { found[whole] = stamp }
    }
    stamps = found
  }

  /// - Throws: `extensionInvalid`, with the first file that is another than the one that was verified.
  func check(_ name: String) throws(ExtensionError) {
    let changed = stamps.filter { FileStamp($0.key)?.text != $0.value }
    guard let path = changed.keys.min() else { return }
    throw ExtensionError(
      .extensionInvalid, "\(name) was not started: \(path) is not the file that was verified when it was installed.",
      recovery: "Run “host verify” on the bundle to see what changed, and install it again.",
      details: ["changed": .string(path)])
  }
}
