import Cryptography
package import JSON
import Time

/// What all signed metadata begins with: its type, version and expiry (4.3 of the specification).
package struct MetadataHeader: Sendable, Equatable {
  /// The largest version: all programs hold it exactly.
  static let versions: ClosedRange<Int64> = 1...9_007_199_254_740_991

  /// 1 or more; it never falls.
  package let version: Int64
  /// When the file is good no longer, in seconds since 1970.
  package let expires: Int64

  /// Reads the header of a file.
  ///
  /// - Throws: `malformed`, also for a file of another type.
  init(_ metadata: SignedMetadata, type: String) throws(MetadataError) {
    let (file, signed) = (metadata.file, metadata.signed)
    guard signed["_type"]?.stringValue == type else {
      throw MetadataError(.malformed, file, "\(file) is not of the type “\(type)”.")
    }
    guard let specification = signed["spec_version"]?.stringValue, specification.hasPrefix("1.") else {
      throw MetadataError(.malformed, file, "\(file) is of another version of the specification than 1.")
    }
    guard let version = signed["version"]?.integerValue, Self.versions.contains(version) else {
      throw MetadataError(.malformed, file, "\(file) has no version.")
    }
    guard let text = signed["expires"]?.stringValue, text.hasSuffix("Z"), let time = ZonedTime(text) else {
      throw MetadataError(.malformed, file, "\(file) does not say when it expires.")
    }
    (self.version, expires) = (version, time.unix.seconds)
  }

  /// Refuses metadata whose time is over.
  func requireCurrent(_ file: String, at time: Int64) throws(MetadataError) {
    guard time < expires else {
      throw MetadataError(.expired, file, "\(file) expired \(UnixTime(seconds: expires).text()).")
    }
  }

  /// The members of metadata of our own, to which a role adds its own.
  package static func members(_ type: String, version: Int64, expires: Int64) -> JSONObject {
    [
      "_type": .string(type), "spec_version": "1.0.31", "version": .integer(version),
      "expires": .string(UnixTime(seconds: expires).text()),
    ]
  }
}

/// How a file is described by another one: its version, or its length and digests (4.4 and 4.5 of the specification).
package struct FileDescription: Sendable, Equatable {
  /// The digests that are compared; at least one of them has to be there where there are digests.
  static let algorithms = ["sha256", "sha512"]

  /// The number of bytes; `nil` when it is not said.
  package let length: Int?
  /// Hexadecimal digits by the name of the algorithm, known or not; empty when none is said.
  package let hashes: [String: String]

  /// Describes some bytes.
  package init(of bytes: [UInt8]) {
    (length, hashes) = (bytes.count, ["sha256": SHA256.hexadecimal(of: bytes)])
  }

  /// Describes a file by its digest.
  package init(length: Int, sha256: String) { (self.length, hashes) = (length, ["sha256": sha256]) }

  /// Reads a description; `nil` when the length is out of its bounds, or no digest is one that is known.
  init?(_ value: JSONValue, limit: Int) {
    switch value["length"] {
    case nil: length = nil
    case let given?:
      guard let number = given.integerValue, (0...Int64(limit)).contains(number) else { return nil }
      length = Int(number)
    }
    var hashes: [String: String] = [:]
    if let given = value["hashes"] {
      guard let members = given.objectValue, !members.isEmpty, members.count <= 16 else { return nil }
      for (name, digest) in members {
        guard let text = digest.stringValue, HexadecimalText.bytes(text) != nil, !text.isEmpty else { return nil }
        hashes[name] = text
      }
      guard Self.algorithms.contains(where: { hashes[$0] != nil }) else { return nil }
    }
    self.hashes = hashes
  }

  /// The description as it stands in metadata.
  var json: JSONObject {
    var object: JSONObject = ["hashes": .object(JSONObject(hashes.map { ($0.key, .string($0.value)) }))]
    if let length { object["length"] = .integer(Int64(length)) }
    return object
  }

  /// Requires that some bytes are the file that is described.
  ///
  /// - Throws: `mixed`.
  package func require(_ bytes: [UInt8], file: String) throws(MetadataError) {
    if let length, bytes.count != length {
      throw MetadataError(.mixed, file, "\(file) has \(bytes.count) bytes, and should have \(length).")
    }
    let isSame = Self.algorithms.allSatisfy { name in
      guard let expected = hashes[name] else { return true }
      return expected.lowercased()
        == (name == "sha256" ? SHA256.hexadecimal(of: bytes) : Hexadecimal.text(for: SHA512.digest(of: bytes)))
    }
    guard isSame else { throw MetadataError(.mixed, file, "\(file) is not the file that the metadata describes.") }
  }
}
