package import Cryptography
import Text

/// Who may sign for a team, and until when: a signing key, certified by the team's root key.
package struct KeyCertificate: Sendable, Equatable {
  private static let names = ["team", "name", "key", "from", "until"]

  /// The root key of the team.
  package let root: Ed25519.PublicKey
  /// What the team calls itself. Nobody else says so: it is shown beside the fingerprint, never without.
  package let name: String
  /// The key that may sign.
  package let key: Ed25519.PublicKey
  /// When the key begins to be good, in seconds since 1970.
  package let from: Int64
  /// When it is good no longer, in seconds since 1970.
  package let until: Int64
  /// The signature of the root key over ``text``, 64 bytes.
  package let signature: [UInt8]

  /// The fingerprint of the root key, which names the team.
  package var team: String { KeyFingerprint.of(root) }
  /// The fingerprint of the signing key.
  package var signer: String { KeyFingerprint.of(key) }

  /// The most characters of a team's name.
  package static let longestName = 80

  /// Certifies a key.
  ///
  /// - Throws: `malformed` for a name that is empty, too long or has control characters.
  package init(
    _ key: Ed25519.PublicKey, by root: Ed25519.PrivateKey, name: String, from: Int64, until: Int64
  ) throws(SealError) {
    guard name.unicodeScalars.count <= Self.longestName else {
      throw SealError(
        .malformed, "The name of the team has more than \(Self.longestName) characters.",
        recovery: "Use a shorter name.")
    }
    (self.root, self.name, self.key, self.from, self.until) = (root.publicKey, name, key, from, until)
    let text = try Self.text(root.publicKey, name, key, from, until)
    do throws(CryptographyError) { signature = try root.signature(of: text.bytes) } catch { throw SealError(error) }
  }

  /// Reads a certificate.
  ///
  /// - Throws: `malformed` for another form, and when the signature is not that of the root key which it names.
  package init(_ bytes: [UInt8], signature: [UInt8]) throws(SealError) {
    let text = try SignedText(bytes, .certificate, names: Self.names)
    root = try text.key("team")
    key = try text.key("key")
    name = text["name"]
    from = try text.time("from")
    until = try text.time("until")
    self.signature = signature
    guard name.unicodeScalars.count <= Self.longestName, root.isValid(signature, for: bytes) else {
      throw SealError(
        .malformed, "The signature under the certificate of the key is not the team's.",
        recovery: "Take the original file.")
    }
  }

  private static func text(
    _ root: Ed25519.PublicKey, _ name: String, _ key: Ed25519.PublicKey, _ from: Int64, _ until: Int64
  ) throws(SealError) -> SignedText {
    try SignedText(
      .certificate,
      [
        ("team", Base64.encode(root.bytes)), ("name", name), ("key", Base64.encode(key.bytes)), ("from", "\(from)"),
        ("until", "\(until)"),
      ])
  }

  /// The bytes that the root key signed.
  package var text: [UInt8] { (try? Self.text(root, name, key, from, until).bytes) ?? [] }
}
