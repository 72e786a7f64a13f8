import Cryptography
import JSON
import Testing

@testable import UpdateMetadata

/// A role of an index that describes files, and whom it asks for the others.
private struct Role {
  /// The length of each file, by which a test tells who described it.
  var files: [String: Int] = [:]
  var delegations: [(name: String, paths: [String], isTerminating: Bool)] = []
  /// The key that those have to sign with, in place of the team's.
  var key: MetadataKey?

  func signed(version: Int64, _ key: MetadataKey) -> JSONValue {
    let descriptions = files.mapValues { FileDescription(length: $0, sha256: String(repeating: "0", count: 64)) }
    let whole = MetadataWriter.targets(
      version: version, expires: Publisher.later, files: descriptions,
      delegations: delegations.map { ($0.name, [self.key ?? key], $0.paths) })
    guard !delegations.isEmpty, var object = whole.objectValue, let roles = object["delegations"]?["roles"]?.arrayValue
    else { return whole }
    let changed = zip(roles, delegations).map { role, delegation -> JSONValue in
      var role = role.objectValue ?? [:]
      role["terminating"] = delegation.isTerminating ? true : nil
      return .object(role)
    }
    object["delegations"] = ["keys": object["delegations"]?["keys"] ?? .null, "roles": .array(changed)]
    return .object(object)
  }
}

extension Publisher {
  /// Publishes roles that ask each other, all signed by the team's key, and “targets” by that of the index.
  fileprivate mutating func publish(_ roles: KeyValuePairs<String, Role>, signer: Ed25519.PrivateKey? = nil) throws {
    try publish(roles.map { ($0.key, $0.value) }, signer: signer)
  }

  fileprivate mutating func publish(_ roles: [(name: String, role: Role)], signer: Ed25519.PrivateKey? = nil) throws {
    let version = versions.timestamp + 1
    versions = (versions.root, version, version, version, version)
    var written: [(name: String, file: MetadataWriter.Written)] = []
    for (name, role) in roles {
      let bytes = try SignedMetadata.document(
        role.signed(version: version, MetadataKey(team.publicKey)), by: name == "targets" ? online : [signer ?? team])
      served["\(version).\(name).json"] = bytes
      written.append((name, (bytes, version)))
    }
    let snapshot = try SignedMetadata.document(
      MetadataWriter.snapshot(version: version, expires: Self.later, roles: written), by: online)
    served["\(version).snapshot.json"] = snapshot
    served["timestamp.json"] = try SignedMetadata.document(
      MetadataWriter.timestamp(version: version, expires: Self.later, snapshot: (snapshot, version)), by: online)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The search for a file among roles` {
  private var publisher: Publisher
  private var client: Client

  init() throws {
    publisher = try Publisher()
    client = Client(publisher)
  }

  /// The length of the file that was found, and the roles that were fetched for it.
  private mutating func find(_ path: String) throws -> (length: Int?, roles: [String]) {
    guard case .found(let description, _) = try client.refresh(publisher, seeking: path) else { return (nil, []) }
    return (description.length, fetchedRoles)
  }

  private var fetchedRoles: [String] {
    client.fetched.compactMap { name in
      let parts = name.split(separator: ".")
      return parts.count == 3 && !["root", "snapshot"].contains(parts[1]) ? String(parts[1]) : nil
    }
  }

  private mutating func failure(seeking path: String) -> MetadataError? {
    do {
      try client.refresh(publisher, seeking: path)
      return nil
    } catch {
      return error as? MetadataError
    }
  }

  /// The length of the file that a workflow seeks, and how many files it has fetched for it.
  private func answer(of workflow: inout UpdateWorkflow) throws -> (length: Int?, fetched: Int) {
    var fetched = 0
    while true {
      switch try workflow.step() {
      case .fetch(let request):
        fetched += 1
        _ = try workflow.receive(publisher.served[request.name])
      case .current: return (nil, fetched)
      case .found(let description, _): return (description.length, fetched)
      }
    }
  }

  @Test mutating func `goes deep first, in the order of the delegations, and asks each role once`() throws {
    try publisher.publish([
      "targets": Role(delegations: [("a", ["*"], false), ("b", ["*"], false)]),
      "a": Role(delegations: [("c", ["*"], false), ("b", ["*"], false)]), "b": Role(files: ["x": 2]),
      "c": Role(files: ["y": 3], delegations: [("a", ["*"], false)]),
    ])
    #expect(try find("x") == (2, ["targets", "a", "c", "b"]))
    client = Client(publisher)
    #expect(try find("y") == (3, ["targets", "a", "c"]))
    client = Client(publisher)
    #expect(failure(seeking: "z")?.kind == .unknownFile)
    #expect(fetchedRoles == ["targets", "a", "c", "b"])
  }

  @Test mutating func `takes the description of who is asked first`() throws {
    try publisher.publish([
      "targets": Role(files: ["own": 1], delegations: [("a", ["*"], false), ("b", ["*"], false)]),
      "a": Role(files: ["own": 2, "x": 3]), "b": Role(files: ["x": 4]),
    ])
    #expect(try find("own") == (1, ["targets"]))
    #expect(try find("x") == (3, ["a"]))
  }

  @Test mutating func `ends at a role that ends it, and goes on where that has no say`() throws {
    try publisher.publish([
      "targets": Role(delegations: [("a", ["names/*"], true), ("b", ["*", "names/*"], false)]), "a": Role(),
      "b": Role(files: ["x": 2, "names/x": 3]),
    ])
    #expect(failure(seeking: "names/x")?.kind == .unknownFile)
    #expect(fetchedRoles == ["targets", "a"])
    #expect(try find("x") == (2, ["b"]))
  }

  @Test mutating func `ends at such a role below another one, too`() throws {
    try publisher.publish([
      "targets": Role(delegations: [("a", ["*"], false), ("b", ["*"], false)]),
      "a": Role(delegations: [("c", ["*"], true)]), "b": Role(files: ["x": 2]), "c": Role(),
    ])
    #expect(failure(seeking: "x")?.kind == .unknownFile)
    #expect(fetchedRoles == ["targets", "a", "c"])
  }

  @Test(arguments: [31, 32]) mutating func `asks 32 roles and no more`(others: Int) throws {
    var roles: [(name: String, role: Role)] = [("targets", Role(delegations: [("r1", ["*"], false)]))]
    for number in 1..<others { roles.append(("r\(number)", Role(delegations: [("r\(number + 1)", ["*"], false)]))) }
    roles.append(("r\(others)", Role(files: ["x": 7])))
    try publisher.publish(roles)
    if others == 31 {
      #expect(try find("x").length == 7)
    } else {
      #expect(failure(seeking: "x")?.kind == .unknownFile)
    }
  }

  @Test mutating func `begins anew for each file`() throws {
    try publisher.publish([
      "targets": Role(delegations: [("a", ["*"], false)]), "a": Role(files: ["x": 1, "y": 2]),
    ])
    try client.refresh(publisher)
    var workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: client.kept, at: Publisher.now)
    func length() throws -> Int? {
      while true {
        switch try workflow.step() {
        case .fetch(let request): _ = try workflow.receive(publisher.served[request.name])
        case .current: return nil
        case .found(let description, _): return description.length
        }
      }
    }
    for (path, expected) in [("x", 1), ("y", 2), ("x", 1)] {
      workflow.seek(path)
      #expect(try length() == expected)
      #expect(try length() == expected, "the answer stays")
    }
    workflow.seek("z")
    #expect(throws: MetadataError.self) { try length() }
    workflow.seek("y")
    #expect(try length() == 2)
    #expect(workflow.files(of: "a").keys.sorted() == ["x", "y"] && workflow.files(of: "b").isEmpty)
    #expect(workflow.delegations(of: "targets") == ["a"] && workflow.delegations(of: "a").isEmpty)
  }

  @Test mutating func `fetches a role once for all of its files`() throws {
    try publisher.publish([
      "targets": Role(delegations: [("a", ["*"], false)]), "a": Role(files: ["x": 1, "y": 2]),
    ])
    var workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: [:], at: Publisher.now)
    for (path, length, fetched) in [("x", 1, 5), ("y", 2, 0), ("x", 1, 0)] {
      workflow.seek(path)
      let found = try answer(of: &workflow)
      #expect(found.length == length && found.fetched == fetched, "\(path)")
    }
  }

  @Test mutating func `takes what the key of one delegator has signed for no other delegator`() throws {
    let stranger = MetadataKey(try Ed25519.PrivateKey.generate().publicKey)
    try publisher.publish([
      "targets": Role(delegations: [("a", ["x"], false), ("b", ["y"], false)]),
      "a": Role(delegations: [("c", ["*"], false)]), "b": Role(delegations: [("c", ["*"], false)], key: stranger),
      "c": Role(files: ["x": 1, "y": 2]),
    ])
    var workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: [:], at: Publisher.now)
    workflow.seek("x")
    let first = try answer(of: &workflow)
    #expect(first.length == 1)
    workflow.seek("y")
    do {
      let second = try answer(of: &workflow)
      Issue.record("\(second) is taken")
    } catch {
      #expect((error as? MetadataError)?.kind == .notSigned)
    }
  }

  @Test mutating func `fetches and keeps a role under a name that leads nowhere else`() throws {
    let name = "../ü/a b"
    try publisher.publish([("targets", Role(delegations: [(name, ["*"], false)])), (name, Role(files: ["x": 1]))])
    let kept = "..%2F%C3%BC%2Fa%20b.json"
    publisher.served["2.\(kept)"] = publisher.served["2.\(name).json"]
    #expect(try find("x").length == 1)
    #expect(client.fetched.last == "2.\(kept)" && client.kept[kept] == publisher.served["2.\(kept)"])
  }

  @Test mutating func `takes no role that another key than the delegated one has signed`() throws {
    let roles: KeyValuePairs<String, Role> = [
      "targets": Role(delegations: [("a", ["*"], false)]), "a": Role(files: ["x": 1]),
    ]
    try publisher.publish(roles, signer: try .generate())
    #expect(failure(seeking: "x")?.kind == .notSigned)
    #expect(client.version("a") == nil)
    try publisher.publish(roles)
    #expect(try find("x").length == 1)
  }

  @Test mutating func `refuses a role that the snapshot does not name`() throws {
    try publisher.publish(["targets": Role(delegations: [("a", ["*"], false)])])
    #expect(failure(seeking: "x")?.kind == .mixed)
    client = Client(publisher)
    try publisher.publish(["a": Role()])
    #expect(failure(seeking: "x")?.kind == .mixed)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A delegation` {
  private func read(_ change: (inout JSONObject) -> Void = { _ in }) throws -> TargetsMetadata? {
    let key = try Ed25519.PrivateKey.generate()
    let role = Role(delegations: [("a", ["names/*"], false)])
    var signed = role.signed(version: 1, MetadataKey(key.publicKey)).objectValue ?? [:]
    var delegation = signed["delegations"]?["roles"]?[0]?.objectValue ?? [:]
    change(&delegation)
    signed["delegations"] = ["keys": signed["delegations"]?["keys"] ?? .null, "roles": [.object(delegation)]]
    let metadata = try SignedMetadata(SignedMetadata.document(.object(signed), by: [key]), file: "targets.json")
    return try? TargetsMetadata(metadata)
  }

  @Test func `has a name of 64 bytes at most, which is that of no role of the root`() throws {
    for (name, isOne) in [
      ("a", true), ("", false), (String(repeating: "é", count: 32), true),
      (String(repeating: "é", count: 32) + "a", false),
      ("root", false), ("timestamp", false), ("snapshot", false), ("targets", false), ("Root", true),
    ] { #expect((try read { $0["name"] = .string(name) } != nil) == isOne, "\(name)") }
    #expect(try read { $0["name"] = nil } == nil)
  }

  @Test func `is one of 1024 at most, no two of which have one name`() throws {
    let pair = try Ed25519.PrivateKey.generate()
    func count(_ names: [String]) throws -> Int? {
      let signed = MetadataWriter.targets(
        version: 1, expires: Publisher.later, files: [:],
        delegations: names.map { ($0, [MetadataKey(pair.publicKey)], ["*"]) })
      let metadata = try SignedMetadata(SignedMetadata.document(signed, by: [pair]), file: "targets.json")
      return (try? TargetsMetadata(metadata))?.delegations.count
    }
    let many = (1...1_025).map { "r\($0)" }
    #expect(try count(Array(many.dropLast())) == 1_024)
    #expect(try count(many) == nil)
    #expect(try count(["a", "b"]) == 2)
    #expect(try count(["a", "b", "a"]) == nil)
  }

  @Test func `covers by patterns or by the beginnings of digests, never by both`() throws {
    let digest = SHA256.hexadecimal(of: "names/x".utf8)
    let byDigest = try #require(
      try read {
        $0["paths"] = nil
        $0["path_hash_prefixes"] = [.string(String(digest.prefix(3)))]
      }?.delegations.first)
    #expect(byDigest.covers("names/x"))
    let other = try #require(
      (0..<9).map { "names/\($0)" }.first { !SHA256.hexadecimal(of: $0.utf8).hasPrefix(digest.prefix(3)) })
    #expect(!byDigest.covers(other))
    #expect(try read { $0["path_hash_prefixes"] = [.string(digest)] } == nil)
    #expect(try read { $0["path_hash_prefixes"] = [] }?.delegations.first?.covers("names/x") == true)
    #expect(try read { $0["paths"] = nil }?.delegations.first?.covers("names/x") == false)
    #expect(try read { $0["paths"] = ["names/*", 1] } == nil)
    #expect(try read { $0["paths"] = "names/*" } == nil)
  }

  @Test func `has 1024 patterns of 1024 bytes at most`() throws {
    let longest = String(repeating: "é", count: 512)
    #expect(try read { $0["paths"] = [.string(longest)] }?.delegations.first?.covers(longest) == true)
    #expect(try read { $0["paths"] = [.string(longest + "a")] } == nil)
    #expect(try read { $0["paths"] = .array([JSONValue](repeating: "a", count: 1_024)) } != nil)
    #expect(try read { $0["paths"] = .array([JSONValue](repeating: "a", count: 1_025)) } == nil)
  }

  @Test func `ends the search only where it says so`() throws {
    #expect(try read()?.delegations.first?.isTerminating == false)
    #expect(try read { $0["terminating"] = true }?.delegations.first?.isTerminating == true)
  }
}
