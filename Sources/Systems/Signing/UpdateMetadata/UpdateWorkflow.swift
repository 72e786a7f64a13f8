import HTTP

/// The client's workflow of The Update Framework (5 of the specification, version 1.0): what is fetched next, and what of
/// it is believed. Pure: the caller fetches, and keeps what it is told to.
///
/// ```swift
/// var workflow = try UpdateWorkflow(root: root, kept: kept, at: now)
/// workflow.seek("names/com.example.clock")
/// while case .fetch(let request) = try workflow.step() {
///   for file in try workflow.receive(await fetch(request)) { try keep(file) }
/// }
/// ```
///
/// Each file is kept only after all checks of its own. A version that was kept once is what a later one is compared with.
package struct UpdateWorkflow: Sendable {
  /// A file to fetch.
  package struct Request: Sendable, Equatable {
    /// Its name below the folder of the metadata, escaped as in a URL.
    package let name: String
    /// The most bytes that may be taken.
    package let limit: Int
  }

  /// A file to keep, in place of the one of before.
  package struct Kept: Sendable, Equatable {
    /// Its name, one component of a path.
    package let name: String
    /// The bytes as they came.
    package let bytes: [UInt8]
  }

  /// What the caller does next.
  package enum Step: Sendable, Equatable {
    /// Fetch a file and hand it to ``receive(_:)``.
    case fetch(Request)
    /// Nothing: the metadata is current, and nothing is sought.
    case current
    /// The file that was sought, with the URL's path below the folder of the files.
    case found(FileDescription, place: String)
  }

  private enum Phase: Sendable { case root, timestamp, snapshot, targets, search }

  private struct Visit: Sendable {
    let name: String
    let delegator: String
  }

  /// What was kept before, by name. Nothing of it is believed before its signatures are verified.
  private var kept: [String: [UInt8]]
  private let time: Int64
  private var phase = Phase.root
  private var newRoots = 0
  /// The root that is believed.
  package private(set) var root: RootMetadata
  private(set) var timestamp: TimestampMetadata?
  private(set) var snapshot: SnapshotMetadata?
  /// The metadata of files that is believed, by the name of the role: what the search is on the way through.
  private(set) var targets: [String: TargetsMetadata] = [:]

  private var sought: String?
  private var stack: [Visit] = []
  private var visited: Set<String> = []
  private var found: FileDescription?

  /// Begins a refresh.
  ///
  /// - Parameters:
  ///   - root: the root that is trusted, signed by its own keys.
  ///   - kept: the other files that were kept, by name.
  ///   - time: now, in seconds since 1970: one time for the whole refresh (5.1).
  /// - Throws: `malformed`, `notSigned` for what is no root.
  package init(root: [UInt8], kept: [String: [UInt8]], at time: Int64) throws(MetadataError) {
    (self.root, self.kept, self.time) = (try RootMetadata(root), kept, time)
  }

  /// The name under which the metadata of a role is kept.
  package static func keptName(_ role: String) -> String { "\(PercentEncoding.encoded(role)).json" }

  /// Seeks a file; the answer is a ``Step/found(_:place:)``. May be asked again when it was found.
  package mutating func seek(_ path: String) {
    (sought, found, visited) = (path, nil, [])
    stack = [Visit(name: "targets", delegator: "root")]
  }

  // MARK: What is next

  /// What the caller does next.
  ///
  /// - Throws: `unknownFile` when no role describes what is sought, and what ``receive(_:)`` throws.
  package mutating func step() throws(MetadataError) -> Step {
    switch phase {
    case .root:
      return .fetch(Request(name: "\(root.header.version + 1).root.json", limit: MetadataLimits.root))
    case .timestamp:
      return .fetch(Request(name: "timestamp.json", limit: MetadataLimits.timestamp))
    case .snapshot:
      guard let described = timestamp?.snapshot else { return .current }
      return .fetch(request("snapshot", described, MetadataLimits.snapshot))
    case .targets:
      guard let described = snapshot?.files["targets.json"] else {
        throw MetadataError(.mixed, "snapshot.json", "snapshot.json does not name targets.json.")
      }
      return .fetch(request("targets", described, MetadataLimits.targets))
    case .search: return try search()
    }
  }

  private func request(_ role: String, _ described: MetaFile, _ limit: Int) -> Request {
    let name = Self.keptName(role)
    return Request(
      name: root.hasConsistentSnapshot ? "\(described.version).\(name)" : name,
      limit: described.description.length ?? limit)
  }

  /// Takes a file that was fetched.
  ///
  /// - Parameter bytes: the file; `nil` when the server does not have it.
  /// - Returns: what is to be kept, on the disk, before the next step.
  /// - Throws: the reason why it is not believed. Nothing more is fetched then.
  package mutating func receive(_ bytes: [UInt8]?) throws(MetadataError) -> [Kept] {
    switch phase {
    case .root: return try receiveRoot(bytes)
    case .timestamp: return try receiveTimestamp(try Self.required(bytes, "timestamp.json", MetadataLimits.timestamp))
    case .snapshot: return try receiveSnapshot(try Self.required(bytes, "snapshot.json", MetadataLimits.snapshot))
    case .targets:
      return try receiveRole(
        Visit(name: "targets", delegator: "root"),
        try Self.required(bytes, "targets.json", MetadataLimits.targets))
    case .search:
      guard let visit = stack.last else { return [] }
      return try receiveRole(
        visit, try Self.required(bytes, Self.keptName(visit.name), MetadataLimits.targets))
    }
  }

  private static func required(_ bytes: [UInt8]?, _ file: String, _ limit: Int) throws(MetadataError) -> [UInt8] {
    guard let bytes else { throw MetadataError(.missing, file, "The index has no \(file).") }
    guard bytes.count <= limit else {
      throw MetadataError(.endless, file, "\(file) is longer than \(limit) bytes.")
    }
    return bytes
  }
}

// MARK: - Root, timestamp, snapshot

extension UpdateWorkflow {
  /// One root after the other, each signed by the keys of the one before it and by its own (5.3).
  private mutating func receiveRoot(_ bytes: [UInt8]?) throws(MetadataError) -> [Kept] {
    guard let bytes else {
      try root.header.requireCurrent("root.json", at: time)
      phase = .timestamp
      takeKeptTimestamp()
      return []
    }
    let file = "\(root.header.version + 1).root.json"
    newRoots += 1
    guard newRoots <= MetadataLimits.roots, bytes.count <= MetadataLimits.root else {
      throw MetadataError(.endless, file, "The index has more roots, or a longer one, than are taken at once.")
    }
    let metadata = try SignedMetadata(bytes, file: file)
    let next = try RootMetadata(metadata)
    try root.require(metadata, "root")
    try next.require(metadata, "root")
    guard next.header.version == root.header.version + 1 else {
      throw MetadataError(.rolledBack, file, "\(file) says that it is version \(next.header.version).")
    }
    root = next
    return [Kept(name: "root.json", bytes: bytes)]
  }

  /// What was kept counts for comparison, also when it has expired. When the keys were changed it counts no longer, so
  /// that an index can begin again with low versions after somebody had its keys (5.3.11).
  private mutating func takeKeptTimestamp() {
    timestamp = kept["timestamp.json"].flatMap { try? readTimestamp($0) }
    snapshot = kept["snapshot.json"].flatMap { try? readSnapshot($0) }
  }

  private func readTimestamp(_ bytes: [UInt8]) throws(MetadataError) -> TimestampMetadata {
    let metadata = try SignedMetadata(bytes, file: "timestamp.json")
    try root.require(metadata, "timestamp")
    return try TimestampMetadata(metadata)
  }

  private func readSnapshot(_ bytes: [UInt8]) throws(MetadataError) -> SnapshotMetadata {
    let metadata = try SignedMetadata(bytes, file: "snapshot.json")
    try root.require(metadata, "snapshot")
    return try SnapshotMetadata(metadata)
  }

  private mutating func receiveTimestamp(_ bytes: [UInt8]) throws(MetadataError) -> [Kept] {
    let next = try readTimestamp(bytes)
    if let known = timestamp {
      guard next.header.version >= known.header.version else {
        throw MetadataError(
          .rolledBack, "timestamp.json",
          "timestamp.json has version \(next.header.version), and version \(known.header.version) was seen before.")
      }
      if next.header.version == known.header.version {
        // Another file of the same version is not taken.
        try known.header.requireCurrent("timestamp.json", at: time)
        try beginSnapshot()
        return []
      }
      guard next.snapshot.version >= known.snapshot.version else {
        throw MetadataError(
          .rolledBack, "timestamp.json",
          "timestamp.json names version \(next.snapshot.version) of the snapshot, and version "
            + "\(known.snapshot.version) was seen before.")
      }
    }
    try next.header.requireCurrent("timestamp.json", at: time)
    timestamp = next
    try beginSnapshot()
    return [Kept(name: "timestamp.json", bytes: bytes)]
  }

  /// The snapshot that was kept is used when it is the one that is named.
  private mutating func beginSnapshot() throws(MetadataError) {
    phase = .snapshot
    guard let known = snapshot, let described = timestamp?.snapshot, known.header.version == described.version,
      time < known.header.expires, let bytes = kept["snapshot.json"],
      (try? described.description.require(bytes, file: "snapshot.json")) != nil
    else { return }
    beginTargets()
  }

  private mutating func receiveSnapshot(_ bytes: [UInt8]) throws(MetadataError) -> [Kept] {
    let file = "snapshot.json"
    guard let described = timestamp?.snapshot else { return [] }
    try described.description.require(bytes, file: file)
    let next = try readSnapshot(bytes)
    guard next.header.version == described.version else {
      throw MetadataError(
        .mixed, file, "\(file) has version \(next.header.version), and timestamp.json names \(described.version).")
    }
    for (name, known) in snapshot?.files ?? [:] {
      guard let now = next.files[name], now.version >= known.version else {
        throw MetadataError(
          .rolledBack, file,
          "\(file) names an older \(name.prefix(80)) than version \(known.version), which was seen before, or none.")
      }
    }
    try next.header.requireCurrent(file, at: time)
    snapshot = next
    beginTargets()
    return [Kept(name: file, bytes: bytes)]
  }

  private mutating func beginTargets() {
    phase = .targets
    if takeKeptRole(Visit(name: "targets", delegator: "root")) { phase = .search }
  }
}

// MARK: - Files

extension UpdateWorkflow {
  /// Uses what was kept of a role, where it is the version that the snapshot names and its delegator's keys signed it.
  private mutating func takeKeptRole(_ visit: Visit) -> Bool {
    guard let bytes = kept[Self.keptName(visit.name)], let read = try? readRole(visit, bytes) else { return false }
    targets[visit.name] = read
    return true
  }

  private func readRole(_ visit: Visit, _ bytes: [UInt8]) throws(MetadataError) -> TargetsMetadata {
    let file = Self.keptName(visit.name)
    guard let described = snapshot?.files["\(visit.name).json"] else {
      throw MetadataError(.mixed, file, "snapshot.json does not name \(file).")
    }
    try described.description.require(bytes, file: file)
    let metadata = try SignedMetadata(bytes, file: file)
    if visit.delegator == "root" {
      try root.require(metadata, "targets")
    } else {
      let delegator = targets[visit.delegator]
      guard let delegation = delegator?.delegations.first(where: { $0.name == visit.name }) else {
        throw MetadataError(.notSigned, file, "Nobody delegates to \(file).")
      }
      try metadata.requireSignatures(of: delegation.role, keys: delegator?.keys ?? [:])
    }
    let read = try TargetsMetadata(metadata)
    guard read.header.version == described.version else {
      throw MetadataError(
        .mixed, file, "\(file) has version \(read.header.version), and snapshot.json names \(described.version).")
    }
    try read.header.requireCurrent(file, at: time)
    return read
  }

  private mutating func receiveRole(_ visit: Visit, _ bytes: [UInt8]) throws(MetadataError) -> [Kept] {
    targets[visit.name] = try readRole(visit, bytes)
    let name = Self.keptName(visit.name)
    kept[name] = bytes
    if phase == .targets { phase = .search } else { descend() }
    return [Kept(name: name, bytes: bytes)]
  }

  /// Depth first, in the order of the delegations; each role once (5.6.7).
  private mutating func search() throws(MetadataError) -> Step {
    guard let sought else { return .current }
    while found == nil, let visit = stack.last {
      if visited.contains(visit.name) {
        stack.removeLast()
        continue
      }
      guard visited.count < MetadataLimits.roles else { break }
      // What was read for another delegator says nothing of what this one's keys signed.
      if visit.delegator == "root" || takeKeptRole(visit) {
        descend()
        continue
      }
      let file = Self.keptName(visit.name)
      guard let described = snapshot?.files["\(visit.name).json"] else {
        throw MetadataError(.mixed, file, "snapshot.json does not name \(file).")
      }
      return .fetch(request(visit.name, described, MetadataLimits.targets))
    }
    guard let found else {
      throw MetadataError(.unknownFile, sought, "The index does not have “\(sought.prefix(200))”.")
    }
    return .found(found, place: place(of: sought, found))
  }

  /// Looks into the role on the top of the stack, and puts those whom it delegates to in its place.
  private mutating func descend() {
    guard let sought, let visit = stack.popLast(), let role = targets[visit.name] else { return }
    visited.insert(visit.name)
    found = role.files[sought]
    guard found == nil else { return }
    var next: [Visit] = []
    for delegation in role.delegations where delegation.covers(sought) {
      next.append(Visit(name: delegation.name, delegator: visit.name))
      if delegation.isTerminating {
        stack = []
        break
      }
    }
    stack += next.reversed()
  }

  /// The place of a file below the folder of the files: with its digest before its name, where the root says so (6.2).
  private func place(of path: String, _ description: FileDescription) -> String {
    let escaped = PercentEncoding.encoded(path, keeping: "-._~/")
    guard root.hasConsistentSnapshot, let digest = description.hashes["sha256"] ?? description.hashes["sha512"] else {
      return escaped
    }
    guard let slash = escaped.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "\(digest).\(escaped)" }
    return "\(escaped[...slash])\(digest).\(escaped[escaped.index(after: slash)...])"
  }
}
