package import JSON

/// Who may sign what: the metadata that everything else is trusted by (4.3 of the specification).
package struct RootMetadata: Sendable {
  /// The roles that a root has.
  package static let roles = ["root", "timestamp", "snapshot", "targets"]

  /// Its version and expiry.
  package let header: MetadataHeader
  /// Whether files are fetched by names that have their version or digest in them.
  let hasConsistentSnapshot: Bool
  let keys: [String: MetadataKey]
  let byRole: [String: MetadataRole]

  /// Reads a root; its signatures are not looked at.
  init(_ metadata: SignedMetadata) throws(MetadataError) {
    header = try MetadataHeader(metadata, type: "root")
    let (file, signed) = (metadata.file, metadata.signed)
    guard let isConsistent = signed["consistent_snapshot"]?.boolValue, let keys = MetadataRole.keys(signed["keys"])
    else { throw MetadataError(.malformed, file, "\(file) has no keys, or too many.") }
    var byRole: [String: MetadataRole] = [:]
    for name in Self.roles {
      guard let role = signed["roles"]?[name].flatMap({ MetadataRole($0) }) else {
        throw MetadataError(.malformed, file, "\(file) does not say who signs “\(name)”.")
      }
      byRole[name] = role
    }
    (hasConsistentSnapshot, self.keys, self.byRole) = (isConsistent, keys, byRole)
  }

  /// Reads a root that nothing is known of but itself.
  ///
  /// - Throws: `malformed`; `notSigned` when it is not signed by its own keys.
  package init(_ bytes: [UInt8]) throws(MetadataError) {
    let metadata = try SignedMetadata(bytes, file: "root.json")
    try self.init(metadata)
    try require(metadata, "root")
  }

  /// Requires the signatures of one of the roles.
  func require(_ metadata: SignedMetadata, _ role: String) throws(MetadataError) {
    try metadata.requireSignatures(of: byRole[role] ?? MetadataRole(keys: []), keys: keys)
  }

  /// The keys of the root itself: what somebody who trusts it compares.
  package var rootKeys: [MetadataKey] { (byRole["root"]?.keys ?? []).compactMap { keys[$0] } }
  /// The keys of the timestamp, by which an index of our own signs all that is no root.
  package var onlineKeys: [MetadataKey] { (byRole["timestamp"]?.keys ?? []).compactMap { keys[$0] } }
  /// The identifiers of the keys of a role.
  package func keys(of role: String) -> [String] { byRole[role]?.keys ?? [] }

  /// A root of our own.
  ///
  /// - Parameters:
  ///   - root: the keys of the root itself.
  ///   - online: the keys of the three other roles.
  package static func signed(
    version: Int64, expires: Int64, root: [MetadataKey], online: [MetadataKey]
  ) -> JSONValue {
    var signed = MetadataHeader.members("root", version: version, expires: expires)
    signed["consistent_snapshot"] = true
    signed["keys"] = .object(JSONObject((root + online).map { ($0.identifier, $0.json) }))
    signed["roles"] = .object(
      JSONObject(
        roles.map { name in
          (name, MetadataRole(keys: (name == "root" ? root : online).map(\.identifier)).json)
        }))
    return .object(signed)
  }
}

/// What another file of metadata is: its version, and its length and digests where they are said.
struct MetaFile: Sendable, Equatable {
  let version: Int64
  let description: FileDescription

  init?(_ value: JSONValue, limit: Int) {
    guard let version = value["version"]?.integerValue, MetadataHeader.versions.contains(version),
      let description = FileDescription(value, limit: limit)
    else { return nil }
    (self.version, self.description) = (version, description)
  }

  static func json(_ bytes: [UInt8], version: Int64) -> JSONValue {
    var object = FileDescription(of: bytes).json
    object["version"] = .integer(version)
    return .object(object)
  }
}

/// Which snapshot is the newest: the one file that is fetched again and again (4.6 of the specification).
struct TimestampMetadata: Sendable {
  let header: MetadataHeader
  let snapshot: MetaFile

  init(_ metadata: SignedMetadata) throws(MetadataError) {
    header = try MetadataHeader(metadata, type: "timestamp")
    guard let members = metadata.signed["meta"]?.objectValue, members.count == 1,
      let snapshot = members["snapshot.json"].flatMap({ MetaFile($0, limit: MetadataLimits.snapshot) })
    else {
      throw MetadataError(.malformed, metadata.file, "\(metadata.file) does not name one snapshot.")
    }
    self.snapshot = snapshot
  }
}

/// The versions of all files that belong together (4.4 of the specification).
struct SnapshotMetadata: Sendable {
  let header: MetadataHeader
  /// By name, with the ending `.json`.
  let files: [String: MetaFile]

  init(_ metadata: SignedMetadata) throws(MetadataError) {
    header = try MetadataHeader(metadata, type: "snapshot")
    guard let members = metadata.signed["meta"]?.objectValue, members.count <= 10_000 else {
      throw MetadataError(.malformed, metadata.file, "\(metadata.file) names no files, or too many.")
    }
    var files: [String: MetaFile] = [:]
    for (name, value) in members {
      guard let file = MetaFile(value, limit: MetadataLimits.targets) else {
        throw MetadataError(.malformed, metadata.file, "\(metadata.file) does not describe a file.")
      }
      files[name] = file
    }
    self.files = files
  }
}

/// The most bytes of each file of metadata, and the most files of a refresh.
package enum MetadataLimits {
  /// Of a root.
  package static let root = 512_000
  static let timestamp = 16_384
  static let snapshot = 2_000_000
  static let targets = 5_000_000
  /// New roots in one refresh.
  static let roots = 256
  /// Roles that are visited in one search.
  static let roles = 32
  /// The most bytes of a file that metadata describes.
  package static let file = 4 << 30
}
