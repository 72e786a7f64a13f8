package import Cryptography
package import JSON
import Time

/// A file of metadata: what is signed, and who signed it (4.2 of the specification).
package struct SignedMetadata: Sendable {
  private static let deepest = 24
  private static let mostSignatures = 256

  /// The name of the file, for messages.
  let file: String
  /// The part that is signed.
  let signed: JSONValue
  /// Signatures in hexadecimal digits, by the identifier of their key.
  private let signatures: [String: String]
  private let canonical: [UInt8]

  /// Reads a file.
  ///
  /// - Throws: `malformed` for what is no such file, and when one key signs twice.
  init(_ bytes: [UInt8], file: String) throws(MetadataError) {
    self.file = file
    func malformed(_ what: String) -> MetadataError { MetadataError(.malformed, file, "\(file): \(what).") }
    let value: JSONValue
    do throws(JSONError) { value = try JSONCoding.parse(bytes, maximumDepth: Self.deepest) } catch {
      throw malformed("it is not JSON")
    }
    guard let signed = value["signed"], signed.objectValue != nil, let list = value["signatures"]?.arrayValue,
      list.count <= Self.mostSignatures
    else { throw malformed("it has no “signed” and “signatures”, or too many of them") }
    guard let canonical = CanonicalJSON.bytes(of: signed) else { throw malformed("it has a number with a fraction") }
    var signatures: [String: String] = [:]
    for entry in list {
      guard let identifier = entry["keyid"]?.stringValue, let signature = entry["sig"]?.stringValue else {
        throw malformed("a signature has no key or no value")
      }
      guard signatures.updateValue(signature, forKey: identifier) == nil else {
        throw malformed("one key signs twice")
      }
    }
    (self.signed, self.signatures, self.canonical) = (signed, signatures, canonical)
  }

  /// Requires the signatures of a role.
  ///
  /// - Throws: `notSigned` when fewer different keys of the role than its threshold have signed.
  func requireSignatures(of role: MetadataRole, keys: [String: MetadataKey]) throws(MetadataError) {
    var valid: Set<String> = []
    for identifier in role.keys {
      guard let key = keys[identifier], let signature = signatures[identifier],
        key.isValid(signature, for: canonical)
      else { continue }
      valid.insert(key.text)
      if valid.count >= role.threshold { return }
    }
    throw MetadataError(
      .notSigned, file, "\(file) is signed by \(valid.count) of the \(role.threshold) keys that are needed.")
  }

  // MARK: Making

  /// A signed file of our own.
  ///
  /// - Parameters:
  ///   - signed: what is signed. It has no fractions.
  ///   - keys: the keys that sign.
  package static func document(
    _ signed: JSONValue, by keys: [Ed25519.PrivateKey]
  ) throws(CryptographyError) -> [UInt8] {
    let canonical = CanonicalJSON.bytes(of: signed) ?? []
    var signatures: [JSONValue] = []
    for key in keys {
      signatures.append([
        "keyid": .string(MetadataKey(key.publicKey).identifier),
        "sig": .string(Hexadecimal.text(for: try key.signature(of: canonical))),
      ])
    }
    return Array(
      (JSONCoding.prettyText(of: ["signatures": .array(signatures), "signed": signed], sortsKeys: true) + "\n").utf8)
  }
}

/// The keys that may sign a file, and how many of them have to.
package struct MetadataRole: Sendable, Equatable {
  /// The most keys of a role.
  static let mostKeys = 64

  /// The identifiers of the keys, each once.
  package let keys: [String]
  /// How many have to sign: 1 or more.
  package let threshold: Int

  /// Creates a role.
  package init(keys: [String], threshold: Int = 1) { (self.keys, self.threshold) = (keys, threshold) }

  /// Reads a role; `nil` for one that names a key twice, or whose numbers are out of their bounds.
  init?(_ value: JSONValue) {
    guard let list = value["keyids"]?.arrayValue, list.count <= Self.mostKeys,
      let threshold = value["threshold"]?.integerValue, (1...Int64(Self.mostKeys)).contains(threshold)
    else { return nil }
    let keys = list.compactMap(\.stringValue)
    guard keys.count == list.count, Set(keys).count == keys.count else { return nil }
    (self.keys, self.threshold) = (keys, Int(threshold))
  }

  /// The role as it stands in metadata.
  var json: JSONValue {
    ["keyids": .array(keys.map { .string($0) }), "threshold": .integer(Int64(threshold))]
  }

  /// Keys by identifier.
  ///
  /// - Returns: `nil` for too many of them, or one without its parts.
  static func keys(_ value: JSONValue?) -> [String: MetadataKey]? {
    guard let members = value?.objectValue, members.count <= 1_024 else { return nil }
    var keys: [String: MetadataKey] = [:]
    for (identifier, value) in members {
      guard let key = MetadataKey(value) else { return nil }
      keys[identifier] = key
    }
    return keys
  }
}
