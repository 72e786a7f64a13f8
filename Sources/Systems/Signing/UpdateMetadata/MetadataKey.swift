package import Cryptography
import JSON

/// A public key in metadata (4.2 of the specification), with the algorithm that it signs by.
///
/// Our own indexes are signed with Ed25519. The others that the specification names are verified too, so that the index of
/// another program can be read.
package struct MetadataKey: Sendable, Equatable {
  /// The algorithms that are verified.
  package enum Algorithm: Sendable, Equatable {
    case ed25519(Ed25519.PublicKey)
    /// A key in PEM.
    case foreign(ForeignKey.Scheme, pem: String)
  }

  /// The most bytes of a key in PEM.
  private static let limit = 8_192

  /// How the key signs; `nil` for an algorithm that is not known here, whose signatures count for nothing.
  package let algorithm: Algorithm?
  /// The key itself as it is written: two identifiers for the same text are one key.
  package let text: String

  /// A key of our own.
  package init(_ key: Ed25519.PublicKey) {
    (algorithm, text) = (.ed25519(key), Hexadecimal.text(for: key.bytes))
  }

  /// Reads a key; `nil` when it has no type, scheme or value.
  init?(_ value: JSONValue) {
    guard let type = value["keytype"]?.stringValue, let scheme = value["scheme"]?.stringValue,
      let text = value["keyval"]?["public"]?.stringValue, text.utf8.count <= Self.limit
    else { return nil }
    self.text = text
    switch (type, scheme) {
    case ("ed25519", "ed25519"):
      algorithm = HexadecimalText.bytes(text).flatMap { try? Ed25519.PublicKey($0) }.map { .ed25519($0) }
    case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
      algorithm = .foreign(.ecdsaP256, pem: text)
    case ("rsa", "rsassa-pss-sha256"): algorithm = .foreign(.rsaPSS, pem: text)
    case ("rsa", "rsa-pkcs1v15-sha256"): algorithm = .foreign(.rsaPKCS1, pem: text)
    default: algorithm = nil
    }
  }

  /// The key as it stands in metadata.
  var json: JSONValue {
    ["keytype": "ed25519", "keyval": ["public": .string(text)], "scheme": "ed25519"]
  }

  /// The identifier of a key of our own: the digest of its canonical form.
  package var identifier: String { SHA256.hexadecimal(of: CanonicalJSON.bytes(of: json) ?? []) }

  /// Whether a signature in hexadecimal digits is that of some bytes by this key.
  func isValid(_ signature: String, for bytes: [UInt8]) -> Bool {
    guard let signature = HexadecimalText.bytes(signature) else { return false }
    switch algorithm {
    case .ed25519(let key): return key.isValid(signature, for: bytes)
    case .foreign(let scheme, let pem): return ForeignKey.isValid(signature, for: bytes, pem: pem, scheme)
    case nil: return false
    }
  }
}

/// Bytes from hexadecimal digits.
enum HexadecimalText {
  /// - Returns: `nil` for anything else than pairs of digits, at most 4,096.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 8_192 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for position in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[position]), let low = value(digits[position + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x37
    case 0x61...0x66: digit - 0x57
    default: nil
    }
  }
}
