package import Cryptography
package import JSON

/// What a role says of a file: its version, and, where it says so, its length and digest.
package struct FileMeta: Sendable, Equatable {
  /// The version of a file of metadata; 0 for another file.
  package let version: Int64
  /// Bytes.
  package let length: Int64?
  /// The SHA-256, 64 hexadecimal digits.
  package let digest: String?

  init(_ value: JSONValue, hasVersion: Bool) throws(MetadataError) {
    version = hasVersion ? try SignedRole.number(value["version"], 1...(1 << 53), "version") : 0
    let isTarget = !hasVersion
    length =
      value["length"] == nil && !isTarget ? nil : try SignedRole.number(value["length"], 0...(8 << 30), "length")
    digest = value["hashes"]?["sha256"]?.stringValue
    if isTarget || value["hashes"] != nil, digest == nil {
      throw MetadataError(.malformed, "A file has no SHA-256 in the metadata.")
    }
  }

  /// Checks the bytes of a file.
  ///
  /// - Throws: `mixed` for another length or digest.
  package func check(_ bytes: [UInt8], _ name: String) throws(MetadataError) {
    if let length, length != Int64(bytes.count) {
      throw MetadataError(.mixed, "The file “\(name)” has \(bytes.count) bytes, and not \(length).")
    }
    if let digest, digest != SHA256.hexadecimal(of: bytes) {
      throw MetadataError(.mixed, "The file “\(name)” is not the one that the metadata names.")
    }
  }
}

/// The metadata of an index that a client trusts, and the order in which it comes to trust it (TUF, 5). Pure.
///
/// Each step checks signatures, versions, times, lengths and digests, and changes nothing when one of them is wrong.
package struct TrustedMetadata: Sendable {
  /// The most bytes of each file where nothing else says how many.
  package static let limits = (root: 512 << 10, timestamp: 16 << 10, snapshot: 2 << 20, targets: 5 << 20)
  /// How often a root may be replaced at once.
  package static let mostRoots = 256

  /// The root that is trusted.
  package private(set) var root: SignedRole
  /// The timestamp; `nil` before the first.
  package private(set) var timestamp: SignedRole?
  /// The snapshot; `nil` before the first.
  package private(set) var snapshot: SignedRole?
  /// The targets, and the roles that they delegate to, by name.
  package private(set) var targets: [String: SignedRole] = [:]
  private let now: Int64

  /// Begins with a root that is trusted because the user said so, or because it was trusted before.
  ///
  /// - Parameter now: in seconds since 1970.
  package init(root bytes: [UInt8], now: Int64) throws(MetadataError) {
    root = try SignedRole(bytes, type: "root")
    self.now = now
    try root.check(try rule("root"), "root")
    // A root that cannot be followed is not taken.
    for role in ["timestamp", "snapshot", "targets"] { _ = try rule(role) }
  }

  private func rule(_ role: String) throws(MetadataError) -> RoleKeys { try Self.rule(role, of: root) }

  private static func rule(_ role: String, of root: SignedRole) throws(MetadataError) -> RoleKeys {
    try RoleKey.rule(root.signed["roles"]?[role], keys: root.signed["keys"])
  }

  /// Whether files have their version or digest in their names.
  package var isConsistent: Bool { root.signed["consistent_snapshot"] == .bool(true) }

  /// Takes the next root: signed by the keys of the one before and by its own.
  package mutating func update(root bytes: [UInt8]) throws(MetadataError) {
    let next = try SignedRole(bytes, type: "root")
    try next.check(try rule("root"), "root")
    try next.check(try Self.rule("root", of: next), "root")
    guard try next.version == root.version + 1 else {
      throw MetadataError(.rolledBack, "The root has version \(try next.version), and not \(try root.version + 1).")
    }
    for role in ["timestamp", "snapshot", "targets"] { _ = try Self.rule(role, of: next) }
    root = next
  }

  /// Checks that the time of the last root is not over. Keys that sign other roles may have changed with it.
  package func checkRoot() throws(MetadataError) { try root.checkTime(now, "root") }

  /// Takes a timestamp.
  ///
  /// - Parameter isStored: whether it was trusted before, and its time may be over.
  package mutating func update(timestamp bytes: [UInt8], isStored: Bool = false) throws(MetadataError) {
    let next = try SignedRole(bytes, type: "timestamp")
    try next.check(try rule("timestamp"), "timestamp")
    let meta = try Self.meta("snapshot.json", of: next)
    if let timestamp {
      let (old, new) = (try timestamp.version, try next.version)
      guard new >= old else {
        throw MetadataError(.rolledBack, "The timestamp has version \(new), and version \(old) was trusted before.")
      }
      guard meta.version >= (try Self.meta("snapshot.json", of: timestamp).version) else {
        throw MetadataError(.rolledBack, "The timestamp names an older snapshot than was trusted before.")
      }
      if new == old, !isStored {
        try timestamp.checkTime(now, "timestamp")
        return
      }
    }
    if !isStored { try next.checkTime(now, "timestamp") }
    timestamp = next
  }

  /// What the timestamp says of the snapshot.
  package func snapshotMeta() throws(MetadataError) -> FileMeta {
    guard let timestamp else { throw MetadataError(.missing, "There is no timestamp yet.") }
    return try Self.meta("snapshot.json", of: timestamp)
  }

  /// Takes a snapshot.
  ///
  /// - Parameter isStored: whether it was trusted before: it may then be older than the timestamp says.
  package mutating func update(snapshot bytes: [UInt8], isStored: Bool = false) throws(MetadataError) {
    let meta = try snapshotMeta()
    if !isStored { try meta.check(bytes, "snapshot") }
    let next = try SignedRole(bytes, type: "snapshot")
    try next.check(try rule("snapshot"), "snapshot")
    if let snapshot {
      for (name, old) in try Self.all(of: snapshot) {
        guard let new = try Self.all(of: next)[name] else {
          throw MetadataError(.rolledBack, "The snapshot leaves out “\(name)”, which was in it before.")
        }
        guard new.version >= old.version else {
          throw MetadataError(.rolledBack, "The snapshot names an older “\(name)” than was trusted before.")
        }
      }
    }
    if !isStored {
      guard try next.version == meta.version else {
        throw MetadataError(.mixed, "The snapshot is not the one that the timestamp names.")
      }
      try next.checkTime(now, "snapshot")
    }
    snapshot = next
  }

  /// What the snapshot says of the file of a role.
  package func targetsMeta(_ role: String) throws(MetadataError) -> FileMeta {
    guard let snapshot else { throw MetadataError(.missing, "There is no snapshot yet.") }
    guard let meta = try Self.all(of: snapshot)["\(role).json"] else {
      throw MetadataError(.mixed, "The snapshot does not have the role “\(role)”.")
    }
    return meta
  }

  /// Takes the targets, or a role that they delegate to.
  package mutating func update(targets bytes: [UInt8], role: String) throws(MetadataError) {
    let meta = try targetsMeta(role)
    try meta.check(bytes, role)
    let next = try SignedRole(bytes, type: "targets")
    let rule = role == "targets" ? try rule("targets") : try delegation(role).rule
    try next.check(rule, role)
    guard try next.version == meta.version else {
      throw MetadataError(.mixed, "The metadata “\(role)” is not the one that the snapshot names.")
    }
    try next.checkTime(now, role)
    targets[role] = next
  }

  // MARK: Delegations

  /// A role that the targets delegate to.
  package struct Delegation: Sendable {
    /// Its name.
    package let name: String
    /// The folders that it may speak about, as patterns: `*` is any part of a name.
    package let paths: [String]
    let rule: RoleKeys

    /// Whether the role may say what a file is.
    package func covers(_ path: String) -> Bool { paths.contains { Self.matches($0, path) } }

    /// A pattern and a path match component by component; `*` stands for any characters but `/`.
    static func matches(_ pattern: String, _ path: String) -> Bool {
      let (patterns, parts) = (
        pattern.split(separator: "/", omittingEmptySubsequences: false),
        path.split(separator: "/", omittingEmptySubsequences: false)
      )
      guard patterns.count == parts.count else { return false }
      return zip(patterns, parts).allSatisfy { pattern, part in
        let pieces = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard pieces.count > 1 else { return pattern == part }
        guard pieces.count == 2, let first = pieces.first, let last = pieces.last else { return false }
        return part.utf8.count >= first.utf8.count + last.utf8.count && part.hasPrefix(first) && part.hasSuffix(last)
      }
    }
  }

  /// The roles that the targets delegate to, in their order.
  package func delegations() throws(MetadataError) -> [Delegation] {
    guard let delegations = targets["targets"]?.signed["delegations"] else { return [] }
    guard let roles = delegations["roles"]?.arrayValue, roles.count <= 10_000 else {
      throw MetadataError(.malformed, "The targets have no list of the roles that they delegate to.")
    }
    var found: [Delegation] = []
    for role in roles {
      guard let name = role["name"]?.stringValue, Self.isName(name), let paths = role["paths"]?.arrayValue,
        paths.count <= 10_000
      else { throw MetadataError(.malformed, "A role that the targets delegate to cannot be understood.") }
      found.append(
        Delegation(
          name: name, paths: paths.compactMap(\.stringValue),
          rule: try RoleKey.rule(role, keys: delegations["keys"])))
    }
    return found
  }

  private func delegation(_ name: String) throws(MetadataError) -> Delegation {
    guard let found = try delegations().first(where: { $0.name == name }) else {
      throw MetadataError(.malformed, "The targets delegate nothing to “\(name)”.")
    }
    return found
  }

  /// Whether a name of a role can be that of a file.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 100 && !["root", "timestamp", "snapshot", "targets"].contains(name)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
  }

  /// The files that a role says something about.
  ///
  /// - Throws: `malformed`; what a delegated role says beyond its paths is left out.
  package func files(of role: String) throws(MetadataError) -> [String: (meta: FileMeta, custom: JSONValue?)] {
    guard let signed = targets[role]?.signed, let all = signed["targets"]?.objectValue, all.count <= 100_000 else {
      throw MetadataError(.malformed, "The metadata “\(role)” lists no files.")
    }
    let delegation = role == "targets" ? nil : try delegation(role)
    var found: [String: (meta: FileMeta, custom: JSONValue?)] = [:]
    for (path, value) in all where delegation?.covers(path) ?? true {
      found[path] = (try FileMeta(value, hasVersion: false), value["custom"])
    }
    return found
  }

  // MARK: Files of metadata

  private static func all(of role: SignedRole) throws(MetadataError) -> [String: FileMeta] {
    guard let meta = role.signed["meta"]?.objectValue, meta.count <= 10_001 else {
      throw MetadataError(.malformed, "The metadata lists no files.")
    }
    var found: [String: FileMeta] = [:]
    for (name, value) in meta { found[name] = try FileMeta(value, hasVersion: true) }
    return found
  }

  private static func meta(_ name: String, of role: SignedRole) throws(MetadataError) -> FileMeta {
    guard let meta = try all(of: role)[name] else {
      throw MetadataError(.malformed, "The metadata does not say what \(name) is.")
    }
    return meta
  }
}
