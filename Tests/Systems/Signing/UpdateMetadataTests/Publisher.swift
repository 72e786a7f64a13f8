import Cryptography
import JSON
import UpdateMetadata

/// An index in memory: what its publisher signs, and what a client fetches.
struct Publisher {
  static let now: Int64 = 1_800_000_000
  static let later = now + 86_400

  var root: [Ed25519.PrivateKey]
  var online: [Ed25519.PrivateKey]
  let team: Ed25519.PrivateKey
  var files: [String: FileDescription] = [:]
  var versions = (root: Int64(0), timestamp: Int64(0), snapshot: Int64(0), targets: Int64(0), team: Int64(0))
  var expires = (root: later, timestamp: later, snapshot: later, targets: later)
  /// What a server has, by name.
  var served: [String: [UInt8]] = [:]

  init() throws {
    (root, online, team) = ([try .generate()], [try .generate()], try .generate())
    try publishRoot()
    try publish()
  }

  mutating func publishRoot(signedBy signers: [Ed25519.PrivateKey]? = nil, version: Int64? = nil) throws {
    let name = versions.root + 1
    versions.root = name
    let signed = RootMetadata.signed(
      version: version ?? name, expires: expires.root, root: root.map { MetadataKey($0.publicKey) },
      online: online.map { MetadataKey($0.publicKey) })
    served["\(name).root.json"] = try SignedMetadata.document(signed, by: signers ?? root)
  }

  /// Signs all of it anew.
  ///
  /// - Parameter change: changes a role before it is signed.
  mutating func publish(_ change: (_ role: String, _ signed: inout JSONObject) -> Void = { _, _ in }) throws {
    func document(_ role: String, _ value: JSONValue, _ keys: [Ed25519.PrivateKey]) throws -> [UInt8] {
      var object = value.objectValue ?? [:]
      change(role, &object)
      return try SignedMetadata.document(.object(object), by: keys)
    }
    versions.timestamp += 1
    versions.snapshot += 1
    versions.targets += 1
    versions.team += 1
    let teamFile = try document(
      "team", MetadataWriter.targets(version: versions.team, expires: expires.targets, files: files), [team])
    served["\(versions.team).team.json"] = teamFile
    let targets = try document(
      "targets",
      MetadataWriter.targets(
        version: versions.targets, expires: expires.targets, files: [:],
        delegations: [("team", [MetadataKey(team.publicKey)], ["names/*", "catalogue"])]), online)
    served["\(versions.targets).targets.json"] = targets
    let snapshot = try document(
      "snapshot",
      MetadataWriter.snapshot(
        version: versions.snapshot, expires: expires.snapshot,
        roles: [("targets", (targets, versions.targets)), ("team", (teamFile, versions.team))]), online)
    served["\(versions.snapshot).snapshot.json"] = snapshot
    served["timestamp.json"] = try document(
      "timestamp",
      MetadataWriter.timestamp(
        version: versions.timestamp, expires: expires.timestamp, snapshot: (snapshot, versions.snapshot)), online)
  }

  var firstRoot: [UInt8] { served["1.root.json"] ?? [] }
}

/// A client with what it has kept.
struct Client {
  var kept: [String: [UInt8]]
  private(set) var fetched: [String] = []

  init(_ publisher: Publisher) { kept = ["root.json": publisher.firstRoot] }

  /// Brings the metadata up to date, and finds a file.
  @discardableResult
  mutating func refresh(
    _ publisher: Publisher, seeking path: String? = nil, at time: Int64 = Publisher.now
  ) throws -> UpdateWorkflow.Step {
    fetched = []
    var workflow = try UpdateWorkflow(root: kept["root.json"] ?? [], kept: kept, at: time)
    if let path { workflow.seek(path) }
    while true {
      let step = try workflow.step()
      guard case .fetch(let request) = step else { return step }
      fetched.append(request.name)
      for file in try workflow.receive(publisher.served[request.name]) { kept[file.name] = file.bytes }
    }
  }

  func version(_ role: String) -> Int64? {
    kept["\(role).json"].flatMap { try? JSONCoding.parse($0) }?["signed"]?["version"]?.integerValue
  }
}
