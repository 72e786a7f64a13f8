package import Cryptography
import Text

/// A text that is signed as it stands: a first line that says what it is, then lines of a name, a space and a value.
///
/// The first line keeps the kinds apart: a signature of one kind is none of another. There is one way to write a text, so
/// that a text that is read and written again is the same bytes.
package struct SignedText: Sendable, Equatable {
  /// The kinds of texts that keys of a team sign.
  package enum Kind: String, Sendable, CaseIterable {
    /// What a bundle is (``SealStatement``), by a signing key.
    case seal = "annex bundle seal 1"
    /// That a key may sign for a team (``KeyCertificate``), by the team's root key.
    case certificate = "annex signing key 1"
    /// That a key, or a seal, is good no longer (``Revocation``), by the team's root key.
    case revocation = "annex revocation 1"
    /// That another root key takes a team's place (``RootRotation``), by the root key of before.
    case rotation = "annex root rotation 1"
  }

  /// The most bytes of a text.
  package static let limit = 16 << 10

  /// What the text is.
  package let kind: Kind
  /// Names with values, in the order of the text.
  package let fields: [(name: String, value: String)]

  /// Creates a text.
  ///
  /// - Throws: `malformed` when a value has a control character, or the text would be too long.
  package init(_ kind: Kind, _ fields: [(name: String, value: String)]) throws(SealError) {
    (self.kind, self.fields) = (kind, fields)
    for field in fields where !Self.isPlain(field.value) || field.value.isEmpty {
      throw SealError(
        .malformed, "The value of “\(field.name)” is empty, or has characters that a signed text cannot hold.",
        recovery: "Use letters, digits, spaces and punctuation.")
    }
    guard bytes.count <= Self.limit else {
      throw SealError(
        .malformed, "The signed text would have \(bytes.count) bytes.", recovery: "Use shorter names.")
    }
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: what was signed.
  ///   - names: the names that the text has, each once, in this order.
  /// - Throws: `malformed` for another kind, other names or another order.
  package init(_ bytes: [UInt8], _ kind: Kind, names: [String]) throws(SealError) {
    let failure = SealError(
      .malformed, "The text does not have the form of “\(kind.rawValue)”.", recovery: "Take the original file.")
    guard bytes.count <= Self.limit, let text = String(validating: bytes, as: UTF8.self), text.utf8.last == 0x0A else {
      throw failure
    }
    let lines = text.unicodeScalars.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(String.UnicodeScalarView($0)) }
    guard lines.count == names.count + 1, Array(lines[0].utf8) == Array(kind.rawValue.utf8) else { throw failure }
    var fields: [(name: String, value: String)] = []
    for (name, line) in zip(names, lines.dropFirst()) {
      let beginning = Array("\(name) ".utf8)
      guard line.utf8.starts(with: beginning) else { throw failure }
      let value = String(decoding: line.utf8.dropFirst(beginning.count), as: UTF8.self)
      guard !value.isEmpty, Self.isPlain(value) else { throw failure }
      fields.append((name, value))
    }
    (self.kind, self.fields) = (kind, fields)
  }

  /// The bytes that are signed.
  package var bytes: [UInt8] {
    Array((kind.rawValue + "\n" + fields.map { "\($0.name) \($0.value)\n" }.joined()).utf8)
  }

  /// The value of a name that the text has; empty for another name.
  package subscript(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

  /// A value of 64 hexadecimal digits: a digest.
  func digest(_ name: String) throws(SealError) -> String {
    let value = self[name]
    guard KeyFingerprint.isOne(value) else {
      throw SealError(.malformed, "“\(name)” is not a digest of 64 digits.", recovery: "Take the original file.")
    }
    return value
  }

  /// A value of seconds since 1970.
  func time(_ name: String) throws(SealError) -> Int64 {
    guard let value = Int64(self[name]), String(value) == self[name], (0...253_402_300_799).contains(value) else {
      throw SealError(.malformed, "“\(name)” is not a time in seconds.", recovery: "Take the original file.")
    }
    return value
  }

  /// A value of base64 that is a public key.
  func key(_ name: String) throws(SealError) -> Ed25519.PublicKey {
    guard let bytes = Base64.decode(self[name]), let key = try? Ed25519.PublicKey(bytes) else {
      throw SealError(.malformed, "“\(name)” is not a public key.", recovery: "Take the original file.")
    }
    return key
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
  }

  package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
}

/// The digest by which a key, a team or a seal is named: 64 lower-case hexadecimal digits of SHA-256.
package enum KeyFingerprint {
  /// The fingerprint of a key. That of a root key names the team.
  package static func of(_ key: Ed25519.PublicKey) -> String { SHA256.hexadecimal(of: key.bytes) }

  /// Whether a text has the form of one.
  package static func isOne(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }
  }

  /// The first 16 digits, for people: `3f2a 90c1 77de 04b6`.
  package static func short(_ text: String) -> String {
    var rest = text.prefix(16)
    var groups: [Substring] = []
    while !rest.isEmpty {
      groups.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return groups.joined(separator: " ")
  }
}
