package import Cryptography
import Text

/// What a team's root key says after the fact: that a signing key, or one sealed bundle, is good no longer.
package struct Revocation: Sendable, Equatable {
  private static let names = ["team", "revokes", "at", "because"]

  /// The root key of the team.
  package let root: Ed25519.PublicKey
  /// The fingerprint of a signing key, or the digest of a seal's statement.
  package let revoked: String
  /// When it was said, in seconds since 1970.
  package let time: Int64
  /// The reason, one line for the user.
  package let reason: String
  /// The signature of the root key over ``text``, 64 bytes.
  package let signature: [UInt8]

  /// The team that revokes.
  package var team: String { KeyFingerprint.of(root) }

  /// Revokes.
  ///
  /// - Throws: `malformed` for what is no fingerprint, or a reason that is no line of text.
  package init(
    _ revoked: String, by root: Ed25519.PrivateKey, because reason: String, at time: Int64
  ) throws(SealError) {
    (self.root, self.revoked, self.time, self.reason) = (root.publicKey, revoked, time, reason)
    let text = try Self.text(root.publicKey, revoked, time, reason)
    _ = try text.digest("revokes")
    do throws(CryptographyError) { signature = try root.signature(of: text.bytes) } catch { throw SealError(error) }
  }

  /// Reads a revocation: its text, an empty line, and the signature in base64.
  ///
  /// - Throws: `malformed`, also when the signature is not that of the root key which it names.
  package init(document: [UInt8]) throws(SealError) {
    let (bytes, signature) = try SignedDocument.parts(of: document)
    let text = try SignedText(bytes, .revocation, names: Self.names)
    root = try text.key("team")
    revoked = try text.digest("revokes")
    time = try text.time("at")
    reason = text["because"]
    self.signature = signature
    try SignedDocument.check(root, signature, bytes)
  }

  private static func text(
    _ root: Ed25519.PublicKey, _ revoked: String, _ time: Int64, _ reason: String
  ) throws(SealError) -> SignedText {
    try SignedText(
      .revocation,
      [("team", Base64.encode(root.bytes)), ("revokes", revoked), ("at", "\(time)"), ("because", reason)])
  }

  /// The bytes that the root key signed.
  package var text: [UInt8] { (try? Self.text(root, revoked, time, reason).bytes) ?? [] }
  /// The file that hands the revocation on.
  package var document: [UInt8] { SignedDocument.bytes(text, signature) }
}

/// A statement of a team's root key that another key takes its place: hosts that know the team by the old key follow.
package struct RootRotation: Sendable, Equatable {
  private static let names = ["team", "successor", "at"]

  /// The root key of before.
  package let root: Ed25519.PublicKey
  /// The root key from now on.
  package let successor: Ed25519.PublicKey
  /// When it was said, in seconds since 1970.
  package let time: Int64
  /// The signature of the root key of before over ``text``, 64 bytes.
  package let signature: [UInt8]

  /// The team that the hosts know.
  package var team: String { KeyFingerprint.of(root) }
  /// The team that it becomes.
  package var newTeam: String { KeyFingerprint.of(successor) }

  /// Hands a team over to another root key.
  package init(to successor: Ed25519.PublicKey, by root: Ed25519.PrivateKey, at time: Int64) throws(SealError) {
    (self.root, self.successor, self.time) = (root.publicKey, successor, time)
    let text = try Self.text(root.publicKey, successor, time)
    do throws(CryptographyError) { signature = try root.signature(of: text.bytes) } catch { throw SealError(error) }
  }

  /// Reads a statement: its text, an empty line, and the signature in base64.
  ///
  /// - Throws: `malformed`, also when the signature is not that of the root key of before.
  package init(document: [UInt8]) throws(SealError) {
    let (bytes, signature) = try SignedDocument.parts(of: document)
    let text = try SignedText(bytes, .rotation, names: Self.names)
    root = try text.key("team")
    successor = try text.key("successor")
    time = try text.time("at")
    self.signature = signature
    try SignedDocument.check(root, signature, bytes)
  }

  private static func text(
    _ root: Ed25519.PublicKey, _ successor: Ed25519.PublicKey, _ time: Int64
  ) throws(SealError) -> SignedText {
    try SignedText(
      .rotation,
      [("team", Base64.encode(root.bytes)), ("successor", Base64.encode(successor.bytes)), ("at", "\(time)")])
  }

  /// The bytes that the root key of before signed.
  package var text: [UInt8] { (try? Self.text(root, successor, time).bytes) ?? [] }
  /// The file that hands the statement on.
  package var document: [UInt8] { SignedDocument.bytes(text, signature) }
}

/// A signed text and its signature in one file.
enum SignedDocument {
  /// What a signature takes of a file: an empty line, and base64 with its end.
  private static let signatureBytes = Base64.length(of: Ed25519.signatureCount) + 2
  /// The most bytes of a file: a text, and a signature.
  static let limit = SignedText.limit + signatureBytes

  static func bytes(_ text: [UInt8], _ signature: [UInt8]) -> [UInt8] {
    text + Array("\n\(Base64.encode(signature))\n".utf8)
  }

  static func parts(of document: [UInt8]) throws(SealError) -> (text: [UInt8], signature: [UInt8]) {
    let length = signatureBytes
    guard document.count > length, document.count <= limit, document.last == 0x0A,
      document[document.count - length] == 0x0A,
      let signature = Base64.decode(
        String(decoding: document.suffix(length - 1).dropLast(), as: UTF8.self))
    else {
      throw SealError(
        .malformed, "The file does not end with a signature.", recovery: "Take the file as “host key” wrote it.")
    }
    return (Array(document.dropLast(length)), signature)
  }

  static func check(_ key: Ed25519.PublicKey, _ signature: [UInt8], _ text: [UInt8]) throws(SealError) {
    guard key.isValid(signature, for: text) else {
      throw SealError(
        .malformed, "The signature is not that of the team which the file names.",
        recovery: "Take the file as “host key” wrote it.")
    }
  }
}
