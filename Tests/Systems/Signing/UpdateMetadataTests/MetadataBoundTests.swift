import Cryptography
import JSON
import Testing

@testable import UpdateMetadata

@Suite(.timeLimit(.minutes(1)))
struct `The form of metadata` {
  private func metadata(_ signed: JSONValue) throws -> SignedMetadata {
    try SignedMetadata(SignedMetadata.document(signed, by: [try .generate()]), file: "x.json")
  }

  private func header(_ change: (inout JSONObject) -> Void = { _ in }) throws -> MetadataHeader? {
    var members = MetadataHeader.members("x", version: 1, expires: Publisher.later)
    change(&members)
    return try? MetadataHeader(metadata(.object(members)), type: "x")
  }

  @Test func `orders names by bytes, also those that texts order otherwise, and has no fraction in any depth`() {
    func text(_ value: JSONValue) -> String? {
      CanonicalJSON.bytes(of: value).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(text(["f": 1, "e\u{301}": 2]).map { Array($0.utf8) } == Array("{\"e\u{301}\":2,\"f\":1}".utf8))
    #expect(text(["\u{E9}": 1, "f": 2]) == "{\"f\":2,\"\u{E9}\":1}")
    #expect(text([false, .unsigned(.max), [], [:], ["a"]]) == "[false,18446744073709551615,[],{},[\"a\"]]")
    #expect(text([[1.5]]) == nil)
    #expect(text(["a": ["b": 1.5]]) == nil)
    #expect(text(["a\"": "\\"]) == "{\"a\\\"\":\"\\\\\"}")
  }

  @Test func `begins with its type, the specification, a version and an end`() throws {
    #expect(try header() == (try header { $0["spec_version"] = "1.99" }))
    #expect(try header()?.version == 1 && (try header()?.expires) == Publisher.later)
    for (name, value) in [
      ("_type", "y"), ("_type", .null), ("spec_version", "2.0"), ("spec_version", "10.0"), ("spec_version", 1),
      ("version", 0), ("version", 9_007_199_254_740_992), ("expires", "2027-01-15T08:00:00+00:00"),
      ("expires", "2027-01-15"), ("expires", "Z"), ("expires", 1),
    ] as [(String, JSONValue)] { #expect(try header { $0[name] = value } == nil, "\(name) \(value)") }
    for name in ["_type", "spec_version", "version", "expires"] {
      #expect(try header { $0[name] = nil } == nil, "\(name)")
    }
    #expect(try header { $0["version"] = 9_007_199_254_740_991 }?.version == 9_007_199_254_740_991)
    #expect(try header { $0["expires"] = "2027-01-15T08:00:00Z" }?.expires == 1_800_000_000)
  }

  @Test func `describes files by a length within the limit, and by 16 digests at most`() {
    let digest: JSONValue = "00"
    for (value, isOne) in [
      ([:], true), (["length": 0], true), (["length": 9], true), (["length": 10], false), (["length": "9"], false),
      (["hashes": [:]], false), (["hashes": ["sha256": ""]], false), (["hashes": ["sha256": "0"]], false),
      (["hashes": ["sha256": "0g"]], false), (["hashes": ["sha256": 1]], false), (["hashes": ["sha512": "aF"]], true),
      (["hashes": "00"], false),
    ] as [(JSONValue, Bool)] { #expect((FileDescription(value, limit: 9) != nil) == isOne, "\(value)") }
    func hashes(_ count: Int) -> JSONValue {
      ["hashes": .object(JSONObject([("sha256", digest)] + (1..<count).map { ("h\($0)", digest) }))]
    }
    #expect(FileDescription(hashes(16), limit: 9)?.hashes.count == 16)
    #expect(FileDescription(hashes(17), limit: 9) == nil)
  }

  @Test func `compares every digest that it knows, in any case of letters, and the length where it is said`() throws {
    let bytes: [UInt8] = [1, 2]
    let (small, large) = (SHA256.hexadecimal(of: bytes), Hexadecimal.text(for: SHA512.digest(of: bytes)))
    func isSame(_ hashes: JSONObject, length: JSONValue? = nil) -> Bool {
      var value: JSONObject = ["hashes": .object(hashes)]
      value["length"] = length
      return (try? FileDescription(.object(value), limit: 9)?.require(bytes, file: "x")) != nil
    }
    #expect(isSame(["sha256": .string(small.uppercased()), "sha512": .string(large), "md5": "00"]))
    #expect(isSame(["sha512": .string(large.uppercased())], length: 2))
    #expect(!isSame(["sha256": .string(small), "sha512": .string(small)]))
    #expect(!isSame(["sha256": .string(large), "sha512": .string(large)]))
    #expect(!isSame(["sha512": .string(large)], length: 1))
    let open = FileDescription([:], limit: 9)
    #expect(throws: Never.self) { try open?.require(bytes, file: "x") }
    #expect(open?.length == nil && open?.hashes.isEmpty == true)
  }

  @Test func `names files with a version each, and a timestamp names one of them`() throws {
    func timestamp(_ meta: JSONValue?) throws -> TimestampMetadata? {
      var members = MetadataHeader.members("timestamp", version: 1, expires: Publisher.later)
      members["meta"] = meta
      return try? TimestampMetadata(metadata(.object(members)))
    }
    #expect(try timestamp(["snapshot.json": ["version": 1]])?.snapshot.version == 1)
    for meta in [
      nil, [:], ["snapshot.json": ["version": 0]], ["snapshot.json": [:]], ["targets.json": ["version": 1]],
      ["snapshot.json": ["version": 1], "targets.json": ["version": 1]],
      ["snapshot.json": ["version": 1, "length": 2_000_001]],
    ] as [JSONValue?] { #expect(try timestamp(meta) == nil, "\(String(describing: meta))") }
    #expect(try timestamp(["snapshot.json": ["version": 1, "length": 2_000_000]]) != nil)
    func snapshot(_ meta: JSONValue?) throws -> SnapshotMetadata? {
      var members = MetadataHeader.members("snapshot", version: 1, expires: Publisher.later)
      members["meta"] = meta
      return try? SnapshotMetadata(metadata(.object(members)))
    }
    #expect(try snapshot([:])?.files.isEmpty == true)
    #expect(try snapshot(nil) == nil)
    #expect(try snapshot(["a.json": ["version": 1], "b.json": [:]]) == nil)
    #expect(try snapshot(["a.json": ["version": 1, "length": 5_000_000]])?.files.keys.sorted() == ["a.json"])
    #expect(try snapshot(["a.json": ["version": 1, "length": 5_000_001]]) == nil)
  }

  @Test func `names ten thousand files at most`() throws {
    func count(_ count: Int) throws -> Int? {
      var members = MetadataHeader.members("snapshot", version: 1, expires: Publisher.later)
      let version: JSONValue = ["version": 1]
      members["meta"] = .object(JSONObject((0..<count).map { ("\($0).json", version) }))
      return (try? SnapshotMetadata(metadata(.object(members))))?.files.count
    }
    #expect(try count(10_000) == 10_000)
    #expect(try count(10_001) == nil)
  }

  @Test func `describes targets by length and digest, both`() throws {
    func targets(_ value: JSONValue?) throws -> TargetsMetadata? {
      var members = MetadataHeader.members("targets", version: 1, expires: Publisher.later)
      members["targets"] = value
      return try? TargetsMetadata(metadata(.object(members)))
    }
    #expect(try targets([:])?.files.isEmpty == true)
    #expect(try targets(nil) == nil)
    #expect(try targets(["x": ["length": 4_294_967_296, "hashes": ["sha256": "00"]]])?.files["x"]?.length == 4 << 30)
    for value in [
      ["length": 1], ["hashes": ["sha256": "00"]], ["length": 4_294_967_297, "hashes": ["sha256": "00"]],
    ] as [JSONValue] { #expect(try targets(["x": value]) == nil, "\(value)") }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A key in metadata` {
  private func key(_ type: String?, _ scheme: String?, _ text: String?) -> MetadataKey? {
    var object: JSONObject = [:]
    object["keytype"] = type.map { .string($0) }
    object["scheme"] = scheme.map { .string($0) }
    object["keyval"] = text.map { ["public": .string($0)] }
    return MetadataKey(.object(object))
  }

  @Test func `signs by the algorithm that it names, or counts for nothing`() throws {
    let pair = try Ed25519.PrivateKey.generate()
    let text = Hexadecimal.text(for: pair.publicKey.bytes)
    #expect(key("ed25519", "ed25519", text)?.algorithm == .ed25519(pair.publicKey))
    #expect(key("ecdsa", "ecdsa-sha2-nistp256", "pem")?.algorithm == .foreign(.ecdsaP256, pem: "pem"))
    #expect(key("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256", "pem")?.algorithm == .foreign(.ecdsaP256, pem: "pem"))
    #expect(key("rsa", "rsassa-pss-sha256", "pem")?.algorithm == .foreign(.rsaPSS, pem: "pem"))
    #expect(key("rsa", "rsa-pkcs1v15-sha256", "pem")?.algorithm == .foreign(.rsaPKCS1, pem: "pem"))
    for (type, scheme, text) in [
      ("ed25519", "ed448", text), ("rsa", "ed25519", text), ("ed25519", "ed25519", String(text.dropLast(2))),
      ("ed25519", "ed25519", "x"),
    ] {
      let known = try #require(key(type, scheme, text))
      #expect(known.algorithm == nil)
      #expect(!known.isValid(Hexadecimal.text(for: try pair.signature(of: [1])), for: [1]))
    }
    let own = MetadataKey(pair.publicKey)
    #expect(own.isValid(Hexadecimal.text(for: try pair.signature(of: [1])), for: [1]))
    #expect(!own.isValid(Hexadecimal.text(for: try pair.signature(of: [1])), for: [2]))
    #expect(MetadataKey(own.json) == own)
  }

  @Test func `has its three parts, in 8192 bytes`() {
    #expect(key(nil, "s", "x") == nil && key("t", nil, "x") == nil && key("t", "s", nil) == nil)
    #expect(key("t", "s", String(repeating: "é", count: 4_096))?.text.utf8.count == 8_192)
    #expect(key("t", "s", String(repeating: "é", count: 4_096) + "a") == nil)
  }

  @Test(
    arguments: [
      ("", []), ("00", [0]), ("09afAF", [0x09, 0xAF, 0xAF]), ("0", nil), ("0/", nil), ("0:", nil), ("0@", nil),
      ("0G", nil),
      ("0`", nil), ("0g", nil), ("g0", nil), ("é", nil),
    ] as [(String, [UInt8]?)])
  func `is written in pairs of hexadecimal digits`(text: String, bytes: [UInt8]?) {
    #expect(HexadecimalText.bytes(text) == bytes)
  }

  @Test func `is written in 8192 digits at most`() {
    #expect(HexadecimalText.bytes(String(repeating: "0", count: 8_192))?.count == 4_096)
    #expect(HexadecimalText.bytes(String(repeating: "0", count: 8_194)) == nil)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The signatures of metadata` {
  private let signed: JSONValue = ["_type": "x"]

  private func document(_ signatures: [JSONValue], _ signed: JSONValue? = nil) -> [UInt8] {
    let whole: JSONValue = ["signed": signed ?? self.signed, "signatures": .array(signatures)]
    return Array(whole.description.utf8)
  }

  private func read(_ bytes: [UInt8]) -> SignedMetadata? { try? SignedMetadata(bytes, file: "x.json") }

  @Test func `are of 256 keys at most, each with a value`() {
    func many(_ count: Int) -> [JSONValue] { (0..<count).map { ["keyid": .string("\($0)"), "sig": ""] } }
    #expect(read(document(many(256))) != nil)
    #expect(read(document(many(257))) == nil)
    #expect(read(document([["keyid": "a"]])) == nil)
    #expect(read(document([["sig": "a"]])) == nil)
    #expect(read(Array(#"{"signed": {}}"#.utf8)) == nil && read(Array(#"{"signatures": []}"#.utf8)) == nil)
    #expect(read(document([], [])) == nil)
  }

  @Test func `lie in 24 levels at most`() {
    func nested(_ levels: Int) -> JSONValue { (0..<levels).reduce(1) { inner, _ in .array([inner]) } }
    #expect(read(document([], ["a": nested(22)])) != nil)
    #expect(read(document([], ["a": nested(23)])) == nil)
  }

  @Test func `are enough from the threshold on, of keys of the role only`() throws {
    let keys = try (0..<3).map { _ in try Ed25519.PrivateKey.generate() }
    let names = keys.map { MetadataKey($0.publicKey).identifier }
    let known = Dictionary(uniqueKeysWithValues: zip(names, keys.map { MetadataKey($0.publicKey) }))
    let two = try SignedMetadata(SignedMetadata.document(signed, by: Array(keys[..<2])), file: "x.json")
    func isEnough(_ keys: [String], _ threshold: Int, _ known: [String: MetadataKey]) -> Bool {
      (try? two.requireSignatures(of: MetadataRole(keys: keys, threshold: threshold), keys: known)) != nil
    }
    #expect(isEnough(names, 2, known))
    #expect(!isEnough(names, 3, known))
    #expect(isEnough([names[2], names[1]], 1, known))
    #expect(!isEnough([names[2]], 1, known))
    #expect(!isEnough([names[0], names[2]], 2, known))
    #expect(!isEnough([], 1, known))
    #expect(!isEnough(names, 1, [:]))
    // A key under the name of another has not signed.
    #expect(!isEnough([names[0]], 1, [names[0]: MetadataKey(keys[2].publicKey)]))
  }

  @Test func `are of roles of 64 keys at most`() {
    func role(_ count: Int, _ threshold: Int) -> MetadataRole? {
      MetadataRole(["keyids": .array((0..<count).map { .string("\($0)") }), "threshold": .integer(Int64(threshold))])
    }
    #expect(role(64, 64) == MetadataRole(keys: (0..<64).map { "\($0)" }, threshold: 64))
    #expect(role(65, 1) == nil)
    #expect(role(0, 1)?.keys.isEmpty == true)
    #expect(MetadataRole(["keyids": ["a", 1], "threshold": 1] as JSONValue) == nil)
    #expect(MetadataRole(["keyids": ["a"]] as JSONValue) == nil)
    #expect(MetadataRole(["threshold": 1] as JSONValue) == nil)
  }

  @Test func `are of 1024 known keys at most, each with its parts`() {
    let key: JSONValue = ["keytype": "t", "scheme": "s", "keyval": ["public": "x"]]
    func keys(_ count: Int) -> JSONValue { .object(JSONObject((0..<count).map { ("\($0)", key) })) }
    #expect(MetadataRole.keys(keys(1_024))?.count == 1_024)
    #expect(MetadataRole.keys(keys(1_025)) == nil)
    #expect(MetadataRole.keys(["a": key, "b": [:]]) == nil)
    #expect(MetadataRole.keys(nil) == nil)
  }

  @Test func `of a root are those of its own keys, and every role has some`() throws {
    let keys = try (0..<2).map { _ in try Ed25519.PrivateKey.generate() }
    let (own, online) = (MetadataKey(keys[0].publicKey), MetadataKey(keys[1].publicKey))
    let whole = RootMetadata.signed(version: 1, expires: Publisher.later, root: [own], online: [online])
    let root = try RootMetadata(SignedMetadata.document(whole, by: [keys[0]]))
    #expect(root.rootKeys == [own] && root.onlineKeys == [online])
    #expect(root.keys(of: "targets") == [online.identifier] && root.keys(of: "other").isEmpty)
    let error = #expect(throws: MetadataError.self) {
      try RootMetadata(SignedMetadata.document(whole, by: [keys[1]]))
    }
    #expect(error?.kind == .notSigned)
    for name in RootMetadata.roles + ["keys", "consistent_snapshot"] {
      var object = whole.objectValue ?? [:]
      if RootMetadata.roles.contains(name) {
        var roles = object["roles"]?.objectValue ?? [:]
        roles[name] = nil
        object["roles"] = .object(roles)
      } else {
        object[name] = nil
      }
      let error = #expect(throws: MetadataError.self) {
        try RootMetadata(SignedMetadata.document(.object(object), by: [keys[0]]))
      }
      #expect(error?.kind == .malformed, "\(name)")
    }
  }
}
