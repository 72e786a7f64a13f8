package import Cryptography
import Text

/// The signature of a file as the program `minisign` reads it: the same signature of Ed25519 over the same bytes.
package enum Minisign {
  /// The algorithm that signs the file itself, and not a digest of it.
  private static let algorithm: [UInt8] = Array("Ed".utf8)
  private static let comment = "untrusted comment: the seal of a bundle\n"
  private static let trusted = "annex bundle seal"

  /// A number by which the program tells keys apart: the beginning of the fingerprint.
  private static func number(_ key: Ed25519.PublicKey) -> [UInt8] { Array(SHA256.digest(of: key.bytes).prefix(8)) }

  /// The public key as its option `-P` takes it.
  package static func publicKey(_ key: Ed25519.PublicKey) -> String {
    Base64.encode(algorithm + number(key) + key.bytes)
  }

  /// The file beside a statement.
  static func document(_ signature: [UInt8], by key: Ed25519.PrivateKey) throws(CryptographyError) -> [UInt8] {
    let whole = try key.signature(of: signature + Array(trusted.utf8))
    return document(signature, whole, key.publicKey)
  }

  private static func document(_ signature: [UInt8], _ whole: [UInt8], _ key: Ed25519.PublicKey) -> [UInt8] {
    Array(
      """
      \(comment)\(Base64.encode(algorithm + number(key) + signature))
      trusted comment: \(trusted)
      \(Base64.encode(whole))

      """.utf8)
  }

  /// Whether a file is the one that belongs to a signature: to the last byte, its second signature included.
  static func isValid(_ document: [UInt8], for signature: [UInt8], by key: Ed25519.PublicKey) -> Bool {
    let lines = document.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == 5, let whole = Base64.decode(String(decoding: lines[3], as: UTF8.self)) else { return false }
    return Self.document(signature, whole, key) == document
      && key.isValid(whole, for: signature + Array(trusted.utf8))
  }
}
