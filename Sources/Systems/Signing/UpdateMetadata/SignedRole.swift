package import Cryptography
package import JSON
import Time

/// The keys that may sign for a role, and how many of them have to.
package struct RoleKeys: Sendable, Equatable {
  /// By identifier of the key.
  package let keys: [String: Ed25519.PublicKey]
  /// How many different keys have to sign; at least 1.
  package let threshold: Int

  /// Names keys.
  package init(_ keys: [String: Ed25519.PublicKey], threshold: Int) {
    (self.keys, self.threshold) = (keys, max(1, threshold))
  }
}

/// A file of metadata: what a role says, and the signatures under it.
package struct SignedRole: Sendable {
  /// The bytes of the file.
  package let bytes: [UInt8]
  /// What is signed.
  package let signed: JSONValue
  private let signatures: [(key: String, signature: [UInt8])]

  /// The version of the TUF specification that is written; any 1.x is read.
  package static let specification = "1.0.31"
  private static let mostSignatures = 64

  /// Reads a file, and checks that it is of a kind. The signatures are not checked yet.
  ///
  /// - Throws: `malformed`.
  package init(_ bytes: [UInt8], type: String) throws(MetadataError) {
    let failure = MetadataError(.malformed, "The metadata “\(type)” has not the form of TUF.")
    guard let value = try? JSONCoding.parse(bytes, maximumDepth: 16), let signed = value["signed"],
      let list = value["signatures"]?.arrayValue, list.count <= Self.mostSignatures
    else { throw failure }
    guard signed["_type"]?.stringValue == type else {
      throw MetadataError(.malformed, "The metadata is of another kind than “\(type)”.")
    }
    guard signed["spec_version"]?.stringValue?.hasPrefix("1.") == true else {
      throw MetadataError(.malformed, "The metadata “\(type)” is of a version of TUF that this host does not know.")
    }
    var signatures: [(key: String, signature: [UInt8])] = []
    for entry in list {
      guard let key = entry["keyid"]?.stringValue, let text = entry["sig"]?.stringValue else { throw failure }
      guard !signatures.contains(where: { $0.key == key }) else {
        throw MetadataError(.malformed, "The metadata “\(type)” has two signatures of one key.")
      }
      // A signature of an algorithm that is not known here is none of this host's keys.
      signatures.append((key, Self.bytes(ofHexadecimal: text) ?? []))
    }
    (self.bytes, self.signed, self.signatures) = (bytes, signed, signatures)
    _ = try version
    _ = try expiry
  }

  /// Signs what a role says.
  package init(signing signed: JSONValue, with keys: [Ed25519.PrivateKey]) throws(MetadataError) {
    let message = try CanonicalJSON.bytes(signed)
    var signatures: [(key: String, signature: [UInt8])] = []
    for key in keys {
      guard let signature = try? key.signature(of: message) else {
        throw MetadataError(.unsigned, "The metadata cannot be signed.")
      }
      signatures.append((try RoleKey.identifier(of: key.publicKey), signature))
    }
    let list: [JSONValue] = signatures.map {
      ["keyid": .string($0.key), "sig": .string(Hexadecimal.text(for: $0.signature))]
    }
    let text = JSONCoding.prettyText(of: ["signatures": .array(list), "signed": signed]) + "\n"
    (bytes, self.signed, self.signatures) = (Array(text.utf8), signed, signatures)
  }

  /// The version: 1 or more.
  package var version: Int64 {
    get throws(MetadataError) { try Self.number(signed["version"], 1...(1 << 53), "version") }
  }

  /// When its time is over, in seconds since 1970.
  package var expiry: Int64 {
    get throws(MetadataError) {
      guard let text = signed["expires"]?.stringValue, let time = ZonedTime(text) else {
        throw MetadataError(.malformed, "The metadata does not say when its time is over.")
      }
      return time.unix.seconds
    }
  }

  /// Checks that enough of the keys signed.
  ///
  /// - Throws: `unsigned`.
  package func check(_ rule: RoleKeys, _ name: String) throws(MetadataError) {
    let message = try CanonicalJSON.bytes(signed)
    var signers: Set<Ed25519.PublicKey> = []
    for (identifier, signature) in signatures {
      guard let key = rule.keys[identifier], key.isValid(signature, for: message) else { continue }
      signers.insert(key)
    }
    guard signers.count >= rule.threshold else {
      throw MetadataError(
        .unsigned, "The metadata “\(name)” has \(signers.count) of the \(rule.threshold) signatures that it needs.")
    }
  }

  /// Checks that its time is not over.
  ///
  /// - Throws: `expired`.
  package func checkTime(_ now: Int64, _ name: String) throws(MetadataError) {
    let end = try expiry
    guard now < end else {
      throw MetadataError(.expired, "The time of the metadata “\(name)” is over since \(UnixTime(seconds: end).text()).")
    }
  }

  /// A number within bounds.
  static func number(_ value: JSONValue?, _ range: ClosedRange<Int64>, _ name: String) throws(MetadataError) -> Int64 {
    guard case .integer(let number) = value, range.contains(number) else {
      throw MetadataError(.malformed, "The metadata has no “\(name)”, or one out of its bounds.")
    }
    return number
  }

  /// Bytes from an even number of hexadecimal digits.
  static func bytes(ofHexadecimal text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 8_192 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x61 + 10
    case 0x41...0x46: digit - 0x41 + 10
    default: nil
    }
  }
}

/// A key as TUF writes it.
package enum RoleKey {
  /// The key as a member of `keys`.
  package static func value(of key: Ed25519.PublicKey) -> JSONValue {
    [
      "keytype": "ed25519", "keyval": ["public": .string(Hexadecimal.text(for: key.bytes))], "scheme": "ed25519",
    ]
  }

  /// The identifier of a key: the SHA-256 of its canonical form.
  package static func identifier(of key: Ed25519.PublicKey) throws(MetadataError) -> String {
    SHA256.hexadecimal(of: try CanonicalJSON.bytes(value(of: key)))
  }

  /// Reads a rule: the keys of `keys` that a role names under `keyids`, and its threshold. A key of an algorithm that is
  /// not known here cannot be counted and is left out.
  static func rule(_ role: JSONValue?, keys: JSONValue?) throws(MetadataError) -> RoleKeys {
    guard let identifiers = role?["keyids"]?.arrayValue, identifiers.count <= 64, let all = keys?.objectValue,
      all.count <= 256
    else { throw MetadataError(.malformed, "A role does not say which keys may sign for it.") }
    var known: [String: Ed25519.PublicKey] = [:]
    var seen: Set<String> = []
    for identifier in identifiers {
      guard let name = identifier.stringValue, seen.insert(name).inserted else {
        throw MetadataError(.malformed, "A role names a key twice.")
      }
      guard let key = all[name], key["keytype"]?.stringValue == "ed25519", key["scheme"]?.stringValue == "ed25519",
        let bytes = (key["keyval"]?["public"]?.stringValue).flatMap(SignedRole.bytes(ofHexadecimal:)),
        let found = try? Ed25519.PublicKey(bytes)
      else { continue }
      known[name] = found
    }
    let threshold = try SignedRole.number(role?["threshold"], 1...64, "threshold")
    return RoleKeys(known, threshold: Int(threshold))
  }
}
