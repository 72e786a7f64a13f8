import Cryptography
import EventLoop
import HTTPServer
import JSON
import Synchronization
import Testing
import WebTokens

@testable import DataConnectEmulator

/// Who somebody is, at the exact bounds and where something is absent; without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The caller of an operation` {
  private func request(_ fields: [(String, String)]) -> ServerRequest {
    ServerRequest(path: "/", headers: fields.map { ServerField($0.0, $0.1) })
  }

  @Test(
    arguments: [
      [("Authorization", "Bearer secret")], [("authorization", "bearer secret")], [("Authorization", "BEARER secret")],
      [("X-Other", "Bearer x"), ("Authorization", "Bearer secret")],
    ] as [[(String, String)]]) func `is an administrator with the secret`(fields: [(String, String)]) throws
  {
    try Administrators(secret: "secret", allowsOwner: false).admit(request(fields))
  }

  @Test func `is an administrator with a secret of several words, and with all of them`() throws {
    let administrators = Administrators(secret: "a  b c", allowsOwner: false)
    try administrators.admit(request([("Authorization", "Bearer a  b c")]))
    for words in ["Bearer a", "Bearer a b c", "Bearer a  b", "Bearer a  b c d"] {
      #expect(throws: RequestFailure.self) { try administrators.admit(request([("Authorization", words)])) }
    }
  }

  @Test(
    arguments: [
      [], [("Authorization", "")], [("Authorization", "Bearer")], [("Authorization", "Bearer Secret")],
      [("Authorization", "Bearer secret secret")], [("Authorization", "Basic secret")], [("Authorization", "secret")],
      [("Authorization", "Bearer secret"), ("Authorization", "Bearer secret")],
      [("Authorization", "Bearer secret"), ("authorization", "Bearer other")], [("Authorization", "Bearer owner")],
    ] as [[(String, String)]])
  func `is none with anything else, nor with the secret beside another`(fields: [(String, String)]) {
    #expect(throws: RequestFailure.self) {
      try Administrators(secret: "secret", allowsOwner: false).admit(request(fields))
    }
    #expect(throws: RequestFailure.self) { try Administrators(secret: "", allowsOwner: false).admit(request(fields)) }
  }

  @Test func `is nobody's administrator without a secret, but for the owner where that is allowed`() throws {
    let open = Administrators(secret: "", allowsOwner: true)
    try open.admit(request([("Authorization", "Bearer owner")]))
    #expect(throws: RequestFailure.self) { try open.admit(request([("Authorization", "Bearer ")])) }
    #expect(throws: RequestFailure.self) { try open.admit(request([("Authorization", "Bearer Owner")])) }
  }

  @Test func `has a name of 1 to 1,024 bytes`() {
    let name = String(repeating: "é", count: 512)
    #expect(Claims(["sub": .string(name)])?.user == name)
    #expect(Claims(["sub": .string(name + "x")]) == nil)
    #expect(Claims(["user_id": "ann"])?.user == "ann")
    #expect(Claims(["sub": "ann", "user_id": "bob"])?.user == "ann")
    for token in [
      [:], ["sub": ""], ["sub": .null], ["sub": 7], ["sub": "", "user_id": "bob"], ["sub": .null, "user_id": "bob"],
      ["sub": 7, "user_id": "bob"], ["user_id": ""],
    ] as [JSONObject] {
      #expect(Claims(token) == nil)
    }
  }

  @Test func `is who the administrator says, one of two`() throws {
    let ann = try #require(Claims(["sub": "ann"]))
    let cases: [(JSONValue?, OperationCaller?)] = [
      (nil, .administrator), ([:], .administrator), (["impersonate": .null], .administrator),
      (["impersonate": ["unauthenticated": true]], .nobody),
      (["impersonate": ["authClaims": ["sub": "ann"]]], .user(ann)),
      (["impersonate": ["authClaims": ["sub": "ann"], "unauthenticated": false]], .user(ann)),
      (["impersonate": ["authClaims": ["sub": "ann"], "unauthenticated": true]], nil),
      (["impersonate": ["authClaims": .null, "unauthenticated": true]], nil),
      (["impersonate": ["authClaims": [:]]], nil), (["impersonate": ["unauthenticated": false]], nil),
      (["impersonate": [:]], nil), (["impersonate": true], nil), (["impersonate": ["authClaims": "ann"]], nil),
    ]
    for (extensions, caller) in cases {
      #expect((try? Impersonation.caller(extensions)) == caller, "\(extensions?.description ?? "nothing")")
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The keys of an issuer` {
  private struct Down: Error {}

  private func key(_ issuer: SignedIssuer, _ id: String?, type: String = "RSA") -> JSONValue {
    let web = JSONWebKey(issuer.key.publicKey)
    var key: JSONObject = ["kty": .string(type), "n": .string(web.n), "e": .string(web.e)]
    key["kid"] = id.map { .string($0) }
    return .object(key)
  }

  private func bytes(_ keys: [JSONValue]) -> [UInt8] {
    Array(JSONValue.object(["keys": .array(keys)]).description.utf8)
  }

  @Test func `are asked for once by all who wait, and not again for a key that is not among them`() async throws {
    let asked = Mutex(0)
    let set = bytes([key(try SignedIssuer(), "one")])
    let keys = IssuerKeys {
      asked.withLock { $0 += 1 }
      for _ in 0..<100 { await Task.yield() }
      return set
    }
    let found = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 { group.addTask { await keys.key(number.isMultiple(of: 2) ? "one" : "two") != nil } }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(found == 10)
    for _ in 0..<5 { #expect(await keys.key("three") == nil) }
    #expect(await keys.key("one") != nil)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `are not asked for again at once when the issuer is down`() async throws {
    let asked = Mutex(0)
    let keys = IssuerKeys {
      asked.withLock { $0 += 1 }
      throw Down()
    }
    for _ in 0..<5 { #expect(await keys.key("one") == nil) }
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `are waited for by those who want that, and by nobody who is cancelled`() async throws {
    let set = bytes([key(try SignedIssuer(), "one")])
    let (asked, mayEnd) = (Signal(), Signal())
    let keys = IssuerKeys {
      asked.send()
      try await mayEnd.wait(past: 0)
      return set
    }
    let first = Task { await keys.key("one") != nil }
    try await asked.wait(past: 0)
    let second = Task { await keys.key("one") != nil }
    second.cancel()
    #expect(await !second.value)
    mayEnd.send()
    #expect(await first.value)
    #expect(asked.count == 1)
  }

  @Test func `are asked for again after a pause, and those that are known are there meanwhile`() async throws {
    let (one, two) = (key(try SignedIssuer(), "one"), key(try SignedIssuer(), "two"))
    let (first, both) = (bytes([one]), bytes([one, two]))
    let (asked, mayEnd) = (Signal(), Signal())
    let keys = IssuerKeys(pause: .zero) {
      asked.send()
      if asked.count == 1 { return first }
      try await mayEnd.wait(past: 0)
      return both
    }
    #expect(await keys.key("one") != nil)
    let other = Task { await keys.key("two") != nil }
    try await asked.wait(past: 1)
    #expect(await keys.key("one") != nil)
    mayEnd.send()
    #expect(await other.value)
    #expect(asked.count == 2)
  }

  @Test func `are those of the last answer, and stay where none comes`() async throws {
    let (one, two) = (key(try SignedIssuer(), "one"), key(try SignedIssuer(1), "two"))
    let answers = Mutex<[[UInt8]?]>([bytes([one, two]), nil, bytes([two])])
    let keys = IssuerKeys(pause: .zero) {
      let next: [UInt8]? = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      guard let set = next else { throw Down() }
      return set
    }
    #expect(await keys.key("one") != nil)
    // The issuer is down when somebody names a key that is not known.
    #expect(await keys.key("three") == nil)
    for id in ["one", "two"] { #expect(await keys.key(id) != nil) }
    // It is there again, and has withdrawn a key.
    #expect(await keys.key("three") == nil)
    #expect(await keys.key("two") != nil)
    #expect(await keys.key("one") == nil)
  }

  @Test func `are 64 of RSA at most, in a document of at most 1 MiB`() async throws {
    let issuer = try SignedIssuer()
    let many = bytes((0..<65).map { key(issuer, "\($0)") })
    let keys = IssuerKeys { many }
    #expect(await keys.key("63") != nil)
    #expect(await keys.key("64") == nil)
    let others = bytes([key(issuer, "one", type: "EC"), ["kty": "RSA", "kid": "two"], key(issuer, nil)])
    let some = IssuerKeys { others }
    for id in ["one", "two"] { #expect(await some.key(id) == nil) }
    #expect(await some.key("") != nil, "a key without a name is that of a token that names none")
    let one = bytes([key(issuer, "one")])
    for (size, isTaken) in [(1 << 20, true), (1 << 20 + 1, false)] {
      let padded = one + [UInt8](repeating: 0x20, count: size - one.count)
      let keys = IssuerKeys { padded }
      #expect(await (keys.key("one") != nil) == isTaken)
    }
  }
}
