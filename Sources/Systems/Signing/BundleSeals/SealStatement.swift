package import Cryptography
import Files
import PropertyList
import PropertyListXML

/// What a signing key says of a bundle: its identifier, its version, what it asks for, and the digest of the list of its
/// files. The file `_CodeSignature/Statement` holds the bytes that are signed.
package struct SealStatement: Sendable, Equatable {
  private static let names = ["identifier", "version", "entitlements", "resources", "key"]

  /// `CFBundleIdentifier`.
  package let identifier: String
  /// `CFBundleVersion`.
  package let version: String
  /// The digest of what the manifest asks for (``asks(_:)``).
  package let entitlements: String
  /// The digest of `CodeResources`.
  package let resources: String
  /// The fingerprint of the key that signs.
  package let key: String
  private let text: SignedText

  /// The bytes that are signed.
  package var bytes: [UInt8] { text.bytes }
  /// What names this sealed bundle and no other: the digest of ``bytes``.
  package var digest: String { SHA256.hexadecimal(of: bytes) }

  /// Says what a bundle is.
  package init(_ manifest: SealedManifest, resources: [UInt8], key: Ed25519.PublicKey) throws(SealError) {
    text = try SignedText(
      .seal,
      [
        ("identifier", manifest.identifier), ("version", manifest.version), ("entitlements", manifest.entitlements),
        ("resources", SHA256.hexadecimal(of: resources)), ("key", KeyFingerprint.of(key)),
      ])
    (identifier, version, entitlements) = (manifest.identifier, manifest.version, manifest.entitlements)
    (self.resources, self.key) = (SHA256.hexadecimal(of: resources), KeyFingerprint.of(key))
  }

  /// Reads a statement.
  package init(_ bytes: [UInt8]) throws(SealError) {
    text = try SignedText(bytes, .seal, names: Self.names)
    (identifier, version) = (text["identifier"], text["version"])
    entitlements = try text.digest("entitlements")
    resources = try text.digest("resources")
    key = try text.digest("key")
  }
}

/// What a seal takes from a bundle's `Info.plist`.
package struct SealedManifest: Sendable, Equatable {
  private static let limits = PropertyListLimits.manifest

  /// `CFBundleIdentifier`.
  package let identifier: String
  /// `CFBundleVersion`.
  package let version: String
  /// The digest of what the manifest asks for: `Entitlements` and `Annex`, as a property list in XML.
  package let entitlements: String

  /// Reads a manifest.
  ///
  /// - Throws: `unsealable` when it cannot be read, or names no identifier or version.
  package init(bundle: String) throws(SealError) {
    let path = "\(bundle)/Info.plist"
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try File.read(path, limit: Self.limits.size, followsLink: false)
    } catch {
      throw SealError(.unsealable, "\(path): \(error.message)", recovery: error.recovery ?? "Check the file.")
    }
    try self.init(bytes, named: path)
  }

  /// Reads a manifest from its bytes.
  package init(_ bytes: [UInt8], named path: String) throws(SealError) {
    let value: PropertyListValue? =
      if bytes.starts(with: BinaryPropertyList.magic) {
        try? BinaryPropertyList.parse(bytes, limits: Self.limits).value
      } else if case .value(let node) = XMLPropertyListReader.parse(bytes, limits: Self.limits) {
        node.value
      } else {
        nil
      }
    guard let identifier = value?["CFBundleIdentifier"]?.stringValue, !identifier.isEmpty,
      let version = (value?["CFBundleVersion"] ?? value?["CFBundleShortVersionString"])?.stringValue, !version.isEmpty,
      identifier.utf8.count <= 255, version.utf8.count <= 255
    else {
      throw SealError(
        .unsealable, "\(path) names no CFBundleIdentifier, or no CFBundleVersion.",
        recovery: "Correct the manifest: “host verify” names what is wrong.")
    }
    let asks = ["Entitlements", "Annex"].reduce(into: [String: PropertyListValue]()) { $0[$1] = value?[$1] }
    guard let text = XMLPropertyListWriter.document(.dictionary(asks)) else {
      throw SealError(
        .unsealable, "\(path) asks for something that cannot be written down.", recovery: "Correct the manifest.")
    }
    (self.identifier, self.version) = (identifier, version)
    entitlements = SHA256.hexadecimal(of: Array(text.utf8))
  }
}
