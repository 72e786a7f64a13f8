import Cryptography
import JSON
import Testing
import UpdateMetadata

@Suite(.timeLimit(.minutes(1)))
struct `The workflow of an index's client` {
  private var publisher: Publisher
  private var client: Client

  init() throws {
    publisher = try Publisher()
    publisher.files["names/com.example.clock"] = FileDescription(of: Array("clock".utf8))
    try publisher.publish()
    client = Client(publisher)
  }

  private mutating func failure(at time: Int64 = Publisher.now, seeking path: String? = nil) -> MetadataError? {
    do {
      try client.refresh(publisher, seeking: path, at: time)
      return nil
    } catch {
      return error as? MetadataError
    }
  }

  @Test mutating func `finds a file through the role of a team, and fetches nothing twice`() throws {
    guard case .found(let description, let place) = try client.refresh(publisher, seeking: "names/com.example.clock")
    else { return #expect(Bool(false)) }
    #expect(description.length == 5)
    #expect(place == "names/\(SHA256.hexadecimal(of: Array("clock".utf8))).com.example.clock")
    #expect(
      client.fetched == ["2.root.json", "timestamp.json", "2.snapshot.json", "2.targets.json", "2.team.json"])
    try client.refresh(publisher, seeking: "names/com.example.clock")
    #expect(client.fetched == ["2.root.json", "timestamp.json"])
    #expect(failure(seeking: "names/com.example.none")?.kind == .unknownFile)
    #expect(failure(seeking: "elsewhere/com.example.clock")?.kind == .unknownFile)
  }

  @Test mutating func `follows the root from key to key`() throws {
    try client.refresh(publisher)
    let (old, new) = (publisher.root, [try Ed25519.PrivateKey.generate()])
    publisher.root = new
    try publisher.publishRoot(signedBy: old + new)
    try publisher.publishRoot()
    try client.refresh(publisher)
    #expect(client.version("root") == 3)
  }

  @Test mutating func `takes no root that only one side has signed`() throws {
    let (old, new) = (publisher.root, [try Ed25519.PrivateKey.generate()])
    publisher.root = new
    try publisher.publishRoot(signedBy: new)
    #expect(failure()?.kind == .notSigned)
    publisher.versions.root -= 1
    try publisher.publishRoot(signedBy: old)
    #expect(failure()?.kind == .notSigned)
    #expect(client.version("root") == 1)
  }

  @Test mutating func `takes no root of another version than its name says`() throws {
    try publisher.publishRoot(version: 3)
    #expect(failure()?.kind == .rolledBack)
  }

  @Test mutating func `takes at most 256 roots at once`() throws {
    for _ in 0..<257 { try publisher.publishRoot() }
    #expect(failure()?.kind == .endless)
    // What was believed until then is kept, and the next refresh goes on from there.
    #expect(client.version("root") == 257)
    #expect(failure() == nil)
  }

  @Test(arguments: ["root", "timestamp", "snapshot", "targets"])
  mutating func `refuses what has expired, to the second`(role: String) throws {
    try client.refresh(publisher)
    let end = Publisher.now + 100
    switch role {
    case "root":
      publisher.expires.root = end
      try publisher.publishRoot()
    case "timestamp": publisher.expires.timestamp = end
    case "snapshot": publisher.expires.snapshot = end
    default: publisher.expires.targets = end
    }
    try publisher.publish()
    let error = failure(at: end)
    #expect(error?.kind == .expired)
    #expect(error?.file.hasPrefix(role) == true)
    // The expired file is not kept; a root is, since the next one needs it.
    #expect(client.version(role) == 2)
    #expect(failure(at: end - 1) == nil)
  }

  @Test(arguments: ["timestamp", "snapshot", "targets"])
  mutating func `refuses a version that was seen in a later one`(role: String) throws {
    try publisher.publish()
    try client.refresh(publisher)
    switch role {
    case "timestamp": publisher.versions.timestamp -= 2
    case "snapshot": publisher.versions.snapshot -= 2
    default: publisher.versions.targets -= 2
    }
    try publisher.publish()
    #expect(failure()?.kind == .rolledBack)
    #expect((client.version("timestamp"), client.version("snapshot")) == (role == "targets" ? 4 : 3, 3))
  }

  @Test mutating func `begins again with low versions when the keys were changed`() throws {
    try publisher.publish()
    try client.refresh(publisher)
    publisher.online = [try .generate()]
    try publisher.publishRoot()
    (publisher.versions.timestamp, publisher.versions.snapshot, publisher.versions.targets) = (0, 0, 0)
    try publisher.publish()
    #expect(failure() == nil)
    #expect(client.version("timestamp") == 1)
  }

  @Test mutating func `refuses files of two publications`() throws {
    let old = publisher.served
    publisher.files["names/com.example.other"] = FileDescription(of: [])
    try publisher.publish()
    publisher.served["3.targets.json"] = old["2.targets.json"]
    #expect(failure()?.kind == .mixed)
    #expect(client.version("targets") == nil)
  }

  @Test mutating func `refuses one role in the place of another`() throws {
    publisher.served["timestamp.json"] = publisher.served["2.snapshot.json"]
    #expect(failure()?.kind == .malformed)
  }

  @Test mutating func `refuses files that are longer than any may be`() throws {
    publisher.served["timestamp.json"] =
      [UInt8](repeating: 0x20, count: 20_000) + (publisher.served["timestamp.json"] ?? [])
    #expect(failure()?.kind == .endless)
    publisher.served["timestamp.json"] = nil
    #expect(failure()?.kind == .missing)
  }

  @Test mutating func `refuses a snapshot that leaves out a role which was there`() throws {
    try client.refresh(publisher)
    try publisher.publish { role, signed in
      if role == "snapshot", var meta = signed["meta"]?.objectValue {
        meta["team.json"] = nil
        signed["meta"] = .object(meta)
      }
    }
    #expect(failure()?.kind == .rolledBack)
  }

  @Test mutating func `takes no role that its delegator's keys have not signed`() throws {
    let name = "2.team.json"
    let bytes = try #require(publisher.served[name])
    let signed = try #require(try JSONCoding.parse(bytes)["signed"])
    // As long, and signed by somebody else: the digest in the snapshot tells as well.
    publisher.served[name] = try SignedMetadata.document(signed, by: [try .generate()])
    #expect(failure(seeking: "names/com.example.clock")?.kind == .mixed)
  }

  @Test(arguments: [
    "{}", "[]", "{\"signed\":{},\"signatures\":[]}", "{\"signed\":{\"a\":1.5},\"signatures\":[]}", "\u{FEFF}{}",
    "{\"signed\":{},\"signatures\":[{\"keyid\":\"a\",\"sig\":\"\"},{\"keyid\":\"a\",\"sig\":\"\"}]}",
    String(repeating: "[", count: 2_000), "{\"signed\":{\"_type\":\"timestamp\",\"version\":1e300},\"signatures\":[]}",
  ])
  mutating func `answers nonsense with a reason`(text: String) throws {
    publisher.served["timestamp.json"] = Array(text.utf8)
    let kind = try #require(failure()?.kind)
    #expect([.malformed, .notSigned].contains(kind))
    #expect(client.version("timestamp") == nil)
  }

  @Test mutating func `takes numbers only within their bounds`() throws {
    let values: [JSONValue] = [0, -1, 9_007_199_254_740_992, .unsigned(.max), "1", .null, 1.5]
    for value in values.dropLast() {
      try publisher.publish { role, signed in
        if role == "timestamp" { signed["version"] = value }
      }
      #expect(failure()?.kind == .malformed, "\(value)")
    }
  }

  @Test mutating func `says nothing new of a timestamp of the same version`() throws {
    try client.refresh(publisher)
    publisher.versions.timestamp -= 1
    try publisher.publish()
    #expect(failure() == nil)
    #expect(client.version("snapshot") == 2)
  }
}
