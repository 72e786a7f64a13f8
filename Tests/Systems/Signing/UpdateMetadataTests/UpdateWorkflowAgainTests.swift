import Cryptography
import JSON
import Testing
import UpdateMetadata

/// What a client of an index does the second time, when it has kept what it fetched.
@Suite(.timeLimit(.minutes(1)))
struct `The workflow of an index's client, again` {
  private static let path = "names/com.example.clock"
  private var publisher: Publisher
  private var client: Client

  init() throws {
    publisher = try Publisher()
    publisher.files[Self.path] = FileDescription(of: Array("clock".utf8))
    try publisher.publish()
    client = Client(publisher)
  }

  private mutating func failure(at time: Int64 = Publisher.now, seeking path: String? = Self.path) -> MetadataError? {
    do {
      try client.refresh(publisher, seeking: path, at: time)
      return nil
    } catch {
      return error as? MetadataError
    }
  }

  @Test(arguments: ["root", "timestamp", "snapshot", "targets", "team"])
  mutating func `refuses what it has kept from its last second on`(role: String) throws {
    let end = Publisher.now + 100
    switch role {
    case "root":
      publisher.expires.root = end
      try publisher.publishRoot()
    case "timestamp": publisher.expires.timestamp = end
    case "snapshot": publisher.expires.snapshot = end
    case "targets": publisher.expires.targets = end
    default: break
    }
    try publisher.publish { name, signed in
      if name == "team", role == "team" { signed["expires"] = "2027-01-15T08:01:40Z" }
      if name == "team", role == "targets" { signed["expires"] = "2030-01-01T00:00:00Z" }
    }
    #expect(failure() == nil)
    #expect(failure(at: end - 1) == nil)
    let error = failure(at: end)
    #expect(error?.kind == .expired)
    #expect(error?.file == "\(role).json")
  }

  @Test mutating func `fetches a snapshot again that another one of the same version takes the place of`() throws {
    #expect(failure() == nil)
    publisher.files["names/com.example.new"] = FileDescription(of: [])
    publisher.versions.snapshot -= 1
    try publisher.publish()
    #expect(failure(seeking: "names/com.example.new") == nil)
    #expect(client.fetched.contains("2.snapshot.json"))
    #expect(failure(seeking: "names/com.example.new") == nil)
    #expect(!client.fetched.contains("2.snapshot.json"))
  }

  @Test(arguments: ["snapshot", "targets", "team"])
  mutating func `takes no file of another version than the one that is named`(role: String) throws {
    try publisher.publish { name, signed in
      if name == role { signed["version"] = 9 }
    }
    #expect(failure()?.kind == .mixed)
    #expect(client.version(role) == nil)
    try publisher.publish()
    #expect(failure() == nil)
  }

  @Test mutating func `keeps to what it knows, whatever stands in the kept files`() throws {
    #expect(failure() == nil)
    for name in ["timestamp.json", "snapshot.json", "targets.json", "team.json"] {
      let before = client.kept
      client.kept[name]?.removeLast(20)
      #expect(failure() == nil, "\(name)")
      #expect(client.kept["team.json"] == before["team.json"] && client.version("snapshot") == 2)
    }
  }

  @Test mutating func `takes files up to their longest, and not with a byte more`() throws {
    func padded(_ name: String, _ count: Int) -> [UInt8] {
      let bytes = publisher.served[name] ?? []
      return bytes + [UInt8](repeating: 0x20, count: count - bytes.count)
    }
    let short = publisher.served["timestamp.json"]
    publisher.served["timestamp.json"] = padded("timestamp.json", 16_385)
    #expect(failure()?.kind == .endless)
    publisher.served["timestamp.json"] = short
    publisher.served["timestamp.json"] = padded("timestamp.json", 16_384)
    #expect(failure() == nil)
    try publisher.publishRoot()
    let root = "\(publisher.versions.root).root.json"
    let whole = publisher.served[root]
    publisher.served[root] = padded(root, 512_001)
    #expect(failure()?.kind == .endless)
    publisher.served[root] = whole
    publisher.served[root] = padded(root, 512_000)
    #expect(failure() == nil)
    #expect(client.version("root") == publisher.versions.root)
  }

  @Test mutating func `asks for as many bytes as are described, and for the most where nothing is said`() throws {
    var workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: [:], at: Publisher.now)
    workflow.seek(Self.path)
    var limits: [String: Int] = [:]
    while case .fetch(let request) = try workflow.step() {
      limits[request.name] = request.limit
      _ = try workflow.receive(publisher.served[request.name])
    }
    #expect(limits["2.root.json"] == 512_000 && limits["timestamp.json"] == 16_384)
    for name in ["2.snapshot.json", "2.targets.json", "2.team.json"] {
      #expect(limits[name] == publisher.served[name]?.count, "\(name)")
    }
    try publisher.publish { role, signed in
      if role == "timestamp" { signed["meta"] = ["snapshot.json": ["version": 3]] }
      if role == "snapshot" {
        signed["meta"] = [
          "targets.json": ["version": 3], "team.json": signed["meta"]?["team.json"] ?? .null,
        ]
      }
    }
    workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: [:], at: Publisher.now)
    while case .fetch(let request) = try workflow.step() {
      limits[request.name] = request.limit
      _ = try workflow.receive(publisher.served[request.name])
    }
    #expect(limits["3.snapshot.json"] == 2_000_000 && limits["3.targets.json"] == 5_000_000)
  }

  @Test mutating func `knows the versions that it believes, and the first end of them`() throws {
    func workflow() throws -> UpdateWorkflow {
      var workflow = try UpdateWorkflow(root: publisher.firstRoot, kept: [:], at: Publisher.now)
      #expect(workflow.version(of: "timestamp") == nil && workflow.version(of: "targets") == nil)
      while case .fetch(let request) = try workflow.step() {
        _ = try workflow.receive(publisher.served[request.name])
      }
      return workflow
    }
    for role in ["root", "timestamp", "snapshot"] {
      let end = Publisher.now + 1_000
      publisher.expires = (Publisher.later, Publisher.later, Publisher.later, Publisher.later)
      if role == "root" { publisher.expires.root = end }
      if role == "timestamp" { publisher.expires.timestamp = end }
      if role == "snapshot" { publisher.expires.snapshot = end }
      try publisher.publishRoot()
      try publisher.publish()
      #expect(try workflow().expires == end, "\(role)")
    }
    let last = try workflow()
    #expect(last.version(of: "root") == 4 && last.version(of: "timestamp") == 5 && last.version(of: "snapshot") == 5)
    #expect(last.version(of: "targets") == 5 && last.version(of: "team") == nil)
  }

  @Test mutating func `names files without version and digest where the root does not ask for them`() throws {
    let signed = RootMetadata.signed(
      version: 2, expires: Publisher.later, root: publisher.root.map { MetadataKey($0.publicKey) },
      online: publisher.online.map { MetadataKey($0.publicKey) })
    var root = try #require(signed.objectValue)
    root["consistent_snapshot"] = false
    publisher.served["2.root.json"] = try SignedMetadata.document(.object(root), by: publisher.root)
    for role in ["snapshot", "targets", "team"] {
      publisher.served["\(role).json"] = publisher.served.removeValue(forKey: "2.\(role).json")
    }
    guard case .found(_, let place) = try client.refresh(publisher, seeking: Self.path) else {
      Issue.record("nothing was found")
      return
    }
    #expect(place == Self.path)
    #expect(client.fetched.suffix(3) == ["snapshot.json", "targets.json", "team.json"])
  }

  @Test mutating func `finds a file by its digest, the longer one when there is no other, and escapes its name`() throws
  {
    let digest = String(repeating: "ab", count: 64)
    try publisher.publish { role, signed in
      guard role == "team" else { return }
      signed["targets"] = [
        "catalogue": ["length": 1, "hashes": ["sha512": .string(digest)]],
        "names/a b": ["length": 1, "hashes": ["sha512": .string(digest), "sha256": "00"]],
      ]
    }
    for (path, expected) in [("catalogue", "\(digest).catalogue"), ("names/a b", "names/00.a%20b")] {
      guard case .found(_, let place) = try client.refresh(publisher, seeking: path) else {
        Issue.record("nothing was found")
        return
      }
      #expect(place == expected)
    }
  }
}
