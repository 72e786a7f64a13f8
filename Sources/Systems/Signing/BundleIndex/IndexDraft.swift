import BundleSeals
import Cryptography
import Files
import Glibc
import JSON
import Text
import UpdateMetadata

/// An index that is being published: what is there, what is added, and the metadata for all of it.
struct IndexDraft {
  private let folder: IndexFolder
  private let keys: IndexFolder.Keys
  private let time: Int64
  private let expires: Int64
  /// What was there, its signatures verified: what is signed again is nothing that somebody else put there.
  private let present: PresentIndex?
  private let role: String
  private var described: [String: FileDescription]
  private var lines: [String: [IndexLine]]
  private var added = 0

  private static let paths = ["names/*", "archives/*", IndexLine.catalogue, IndexLine.statements]

  init(_ folder: IndexFolder, _ keys: IndexFolder.Keys, at time: Int64, until expires: Int64) throws(SealError) {
    (self.folder, self.keys, self.time, self.expires) = (folder, keys, time, expires)
    present = try PresentIndex(folder)
    role = present?.role ?? "team-\(keys.certificate.team.prefix(16))"
    described = present?.workflow.files(of: role) ?? [:]
    lines = try present?.lines(of: role) ?? [:]
  }

  // MARK: Changing

  mutating func apply(_ change: IndexFolder.Change) throws(SealError) {
    for addition in change.additions { try add(addition.line, addition.archive) }
    for yank in change.yanks {
      guard let index = lines[yank.identifier]?.firstIndex(where: { $0.version == yank.version }) else {
        throw SealError(
          .unsealable, "The index has no \(yank.identifier) \(yank.version).", recovery: "Check name and version.")
      }
      lines[yank.identifier]?[index].yanked = yank.reason
    }
    takeBack(change.statements.compactMap { try? Revocation(document: $0) })
    for (identifier, versions) in lines {
      try describe(IndexLine.file(of: identifier), IndexLine.bytes(versions))
    }
    try describe(IndexLine.catalogue, IndexLine.bytes(lines.keys.sorted().compactMap(newest(of:))))
    let statements = change.statements.map { "\(Base64.encode($0))\n" }.joined()
    try describe(IndexLine.statements, Array(statements.utf8))
  }

  /// The newest version of a name that may be installed, whichever was published last; `nil` when all were taken back.
  private func newest(of identifier: String) -> IndexLine? {
    lines[identifier]?.filter { $0.yanked == nil }.max { folder.isOlder($0.version, $1.version) }
  }

  /// What was signed by a key that the team has revoked, and a bundle that it has revoked, is offered no longer.
  private mutating func takeBack(_ revocations: [Revocation]) {
    let reasons = Dictionary(revocations.map { ("\($0.team) \($0.revoked)", $0.reason) }, uniquingKeysWith: { $1 })
    lines = lines.mapValues { versions in
      versions.map { line in
        var line = line
        line.yanked = reasons["\(line.team) \(line.key)"] ?? reasons["\(line.team) \(line.digest)"] ?? line.yanked
        return line
      }
    }
  }

  private mutating func add(_ line: IndexLine, _ archive: String) throws(SealError) {
    guard IndexLine.isName(line.identifier) else {
      throw SealError(
        .unsealable, "“\(line.identifier)” cannot be the name of a bundle in an index.",
        recovery: "Use letters, digits, hyphens and dots, at most 155.")
    }
    if let there = lines[line.identifier]?.first(where: { $0.version == line.version }) {
      guard there.digest == line.digest else {
        throw SealError(
          .unsealable, "The index has \(line.identifier) \(line.version) with another content.",
          recovery: "Give the bundle a higher version.")
      }
      return
    }
    let description = FileDescription(ofFile: archive)
    do throws(FileError) {
      let place = folder.place(of: line.archive, description.hashes["sha256"] ?? "")
      try File.setMode(archive, 0o644)
      guard rename(archive, place) == 0 else { throw .cannot("write", place) }
      Folder.synchronize(Folder.parent(of: place))
    } catch {
      throw SealError(error)
    }
    described[line.archive] = description
    var line = line
    line.size = Int64(description.length ?? 0)
    lines[line.identifier, default: []].append(line)
    added += 1
  }

  private mutating func describe(_ name: String, _ bytes: [UInt8]) throws(SealError) {
    guard bytes.count <= IndexLine.limit else {
      throw SealError(.unsealable, "\(name) of the index is too long.", recovery: "Publish to a second index.")
    }
    let digest = SHA256.hexadecimal(of: bytes)
    described[name] = FileDescription(length: bytes.count, sha256: digest)
    let place = folder.place(of: name, digest)
    if FileStatus(place)?.size != Int64(bytes.count) { try folder.put(bytes, at: place) }
  }

  // MARK: Signing

  func write() throws(SealError) -> IndexFolder.Published {
    let root = try RootDraft(folder, keys, present, at: time)
    let signers = [keys.signing] + root.formerSigners
    func signed(_ value: JSONValue) throws(SealError) -> [UInt8] {
      do throws(CryptographyError) { return try SignedMetadata.document(value, by: signers) } catch {
        throw SealError(error)
      }
    }
    func next(_ role: String) -> Int64 { (present?.workflow.version(of: role) ?? 0) + 1 }
    let online = MetadataKey(keys.signing.publicKey)
    let team = MetadataWriter.Written(
      try signed(MetadataWriter.targets(version: next(role), expires: expires, files: described)), next(role))
    let targets = MetadataWriter.Written(
      try signed(
        MetadataWriter.targets(
          version: next("targets"), expires: expires, files: [:], delegations: [(role, [online], Self.paths)])),
      next("targets"))
    let snapshot = MetadataWriter.Written(
      try signed(
        MetadataWriter.snapshot(
          version: next("snapshot"), expires: expires, roles: [("targets", targets), (role, team)])), next("snapshot"))
    let timestamp = try signed(
      MetadataWriter.timestamp(version: next("timestamp"), expires: expires, snapshot: snapshot))
    // A root that knows the keys of both sides comes before what the new key signs, where the former key is gone.
    if root.formerSigners.isEmpty { try root.write() }
    try folder.put(team.bytes, at: "\(folder.metadata)/\(team.version).\(UpdateWorkflow.keptName(role))")
    try folder.put(targets.bytes, at: "\(folder.metadata)/\(targets.version).targets.json")
    try folder.put(snapshot.bytes, at: "\(folder.metadata)/\(snapshot.version).snapshot.json")
    try folder.put(timestamp, at: "\(folder.metadata)/timestamp.json")
    if !root.formerSigners.isEmpty { try root.write() }
    return IndexFolder.Published(
      root: keys.certificate.team, rootVersion: root.version, version: snapshot.version, expires: expires,
      names: lines.count, added: added)
  }
}

/// An index that is there already, as a client would believe it, but for the time.
private struct PresentIndex {
  let folder: IndexFolder
  var workflow: UpdateWorkflow
  /// The role of the team.
  let role: String

  /// - Returns: `nil` for a folder that is no index yet.
  init?(_ folder: IndexFolder) throws(SealError) {
    self.folder = folder
    let path = "\(folder.metadata)/root.json"
    guard FileStatus(path) != nil, FileStatus("\(folder.metadata)/timestamp.json") != nil else { return nil }
    do throws(MetadataError) {
      // Old metadata is no reason not to write new one.
      workflow = try UpdateWorkflow(root: Self.read(path) ?? [], kept: [:], at: 0)
      workflow.seek(IndexLine.catalogue)
      while case .fetch(let request) = try workflow.step() {
        _ = try workflow.receive(Self.read("\(folder.metadata)/\(request.name)"))
      }
      role = workflow.delegations(of: "targets").first ?? "targets"
    } catch {
      throw SealError(
        .malformed, "\(folder.path) is damaged. \(error.message)", recovery: "Restore the folder from a copy.")
    }
  }

  private static func read(_ path: String) -> [UInt8]? { try? File.read(path, limit: 8 << 20) }

  func lines(of role: String) throws(SealError) -> [String: [IndexLine]] {
    var lines: [String: [IndexLine]] = [:]
    for (name, description) in workflow.files(of: role) where name.hasPrefix("names/") {
      let place = folder.place(of: name, description.hashes["sha256"] ?? "")
      guard let bytes = Self.read(place), (try? description.require(bytes, file: name)) != nil,
        let read = IndexLine.lines(bytes)
      else {
        throw SealError(.malformed, "\(place) is damaged.", recovery: "Restore the folder from a copy.")
      }
      lines[String(name.dropFirst("names/".count))] = read
    }
    return lines
  }
}

/// The root of an index, and whether it has to be written anew.
private struct RootDraft {
  let version: Int64
  /// Keys of before that sign as well, so that clients of the old root and of the new one believe the same files.
  let formerSigners: [Ed25519.PrivateKey]
  private let folder: IndexFolder
  private let bytes: [UInt8]?

  init(
    _ folder: IndexFolder, _ keys: IndexFolder.Keys, _ present: PresentIndex?, at time: Int64
  ) throws(SealError) {
    self.folder = folder
    let (team, online) = (MetadataKey(keys.certificate.root), MetadataKey(keys.signing.publicKey))
    let root = present?.workflow.root
    let known = root?.rootKeys ?? []
    let isSame =
      known == [team] && RootMetadata.roles.dropFirst().allSatisfy { root?.keys(of: $0) == [online.identifier] }
    // In the last weeks of a root the next one is written: its keys have to be at hand for that once a year.
    if isSame, let root, root.header.expires - time > IndexFolder.rootMargin {
      (version, bytes, formerSigners) = (root.header.version, nil, [])
      return
    }
    version = (root?.header.version ?? 0) + 1
    var signers = [try keys.openRoot(keys.certificate.team)]
    for key in known where key != team {
      guard case .ed25519(let former)? = key.algorithm else { continue }
      signers.append(try keys.openRoot(KeyFingerprint.of(former)))
    }
    formerSigners = (root?.onlineKeys ?? []).compactMap { key in
      guard key != online, case .ed25519(let former)? = key.algorithm else { return nil }
      return keys.openFormer(KeyFingerprint.of(former))
    }
    let signed = RootMetadata.signed(
      version: version, expires: time + IndexFolder.rootDays * 86_400, root: [team], online: [online])
    do throws(CryptographyError) { bytes = try SignedMetadata.document(signed, by: signers) } catch {
      throw SealError(error)
    }
  }

  func write() throws(SealError) {
    guard let bytes else { return }
    try folder.put(bytes, at: "\(folder.metadata)/\(version).root.json")
    try folder.put(bytes, at: "\(folder.metadata)/root.json")
  }
}

extension FileDescription {
  /// Describes a file by its length and digest, whatever its size.
  package init(ofFile path: String) {
    var sum = SHA256()
    var count = 0
    while let chunk = File.prefix(of: path, limit: 1 << 20, from: count), !chunk.isEmpty {
      sum.update(chunk)
      count += chunk.count
    }
    self.init(length: count, sha256: Hexadecimal.text(for: sum.finalize()))
  }
}
