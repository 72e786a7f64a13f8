import ExtensionProtocol
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `What a manifest says of signing in` {
  private typealias Manifests = `A manifest`

  private static let entry: [String: PropertyListValue] = [
    "Scopes": ["api://notes/Notes.Read"], "Servers": ["api.example.com"],
  ]
  private static let identity: [String: PropertyListValue] = [
    "Authority": "https://login.example.com/tenant", "ClientID": "notes", "ChallengeTypes": ["password", "oob"],
  ]

  private func auth(_ changes: [String: PropertyListValue?]) -> ManifestValidation {
    var entry = Self.entry
    for (key, value) in changes { entry[key] = value }
    return ManifestValidation(Manifests.widget(["Annex": ["Auth": [.dictionary(entry)]]]))
  }

  private func identity(_ changes: [String: PropertyListValue?]) -> ManifestValidation {
    var identity = Self.identity
    for (key, value) in changes { identity[key] = value }
    return ManifestValidation(Manifests.app(["Annex": ["Identity": .dictionary(identity)]]))
  }

  @Test func `is read, and each entry is a part of the permission`() throws {
    let twice: PropertyListValue = [
      "Scopes": ["api://notes/Notes.Read", "API://notes/notes.read"], "Servers": ["api.example.com"],
    ]
    let token: PropertyListValue = ["Scopes": ["https://graph.example/.default"], "Token": true]
    let validation = ManifestValidation(
      Manifests.widget(["Annex": ["Auth": [.dictionary(Self.entry), twice, token]]]))
    #expect(validation.problems == [])
    let manifest = try #require(validation.manifest)
    #expect(manifest.authEntries.map(\.scopes) == [["api://notes/Notes.Read"], ["https://graph.example/.default"]])
    #expect(manifest.authEntries.map(\.allowsToken) == [false, true])
    let scope = try #require(manifest.askedPermissions.first { $0.name == "auth" }?.scope)
    #expect(scope.compactMap { AuthEntry($0) } == manifest.authEntries)
  }

  @Test(
    arguments: [
      (["Scopes": nil], "Annex.Auth[0].Scopes"), (["Scopes": []], "Annex.Auth[0].Scopes"),
      (["Scopes": ["a b"]], "Annex.Auth[0].Scopes[0]"), (["Scopes": ["a", "\""]], "Annex.Auth[0].Scopes[1]"),
      (["Scopes": ["api://\u{E9}"]], "Annex.Auth[0].Scopes[0]"), (["Scopes": "api://a/b"], "Annex.Auth[0].Scopes"),
      (["Scopes": [7]], "Annex.Auth[0].Scopes[0]"), (["Servers": nil], "Annex.Auth[0]"),
      (["Servers": ["https://a.example/path"]], "Annex.Auth[0].Servers[0]"),
      (["Servers": ["*"]], "Annex.Auth[0].Servers[0]"), (["Token": "yes"], "Annex.Auth[0].Token"),
    ] as [([String: PropertyListValue?], String)])
  func `is refused where an entry is none`(changes: [String: PropertyListValue?], path: String) {
    let problems = auth(changes).problems.filter { $0.severity == .error }
    #expect(problems.map(\.keyPath).contains(path), "\(problems)")
  }

  @Test func `warns of a key that no entry has, in each of them`() {
    var second = Self.entry
    second["Scope"] = "a"
    let found = ManifestValidation(
      Manifests.widget(["Annex": ["Auth": [.dictionary(Self.entry), .dictionary(second)]]]))
    #expect(found.problems.map(\.keyPath) == ["Annex.Auth[1].Scope"])
    #expect(found.problems.map(\.severity) == [.warning])
  }

  @Test func `has an end`() {
    let scopes = (0..<65).map { PropertyListValue.string("api://a/\($0)") }
    #expect(auth(["Scopes": .array(scopes)]).problems.map(\.keyPath) == ["Annex.Auth[0].Scopes"])
    let entries = (0..<65).map { _ in PropertyListValue.dictionary(Self.entry) }
    let many = ManifestValidation(Manifests.widget(["Annex": ["Auth": .array(entries)]]))
    #expect(many.problems.map(\.keyPath) == ["Annex.Auth"])
  }

  @Test func `may reach its end`() throws {
    let scopes = (0..<64).map { PropertyListValue.string("api://a/\($0)") }
    let servers = (0..<64).map { PropertyListValue.string("s\($0).example") }
    let entry = auth(["Scopes": .array(scopes), "Servers": .array(servers)])
    #expect(entry.problems == [])
    #expect(entry.manifest?.authEntries.first?.scopes.count == 64)
    #expect(entry.manifest?.authEntries.first?.servers.count == 64)
    #expect(
      auth(["Servers": .array(servers + ["more.example"])]).problems.map(\.keyPath) == ["Annex.Auth[0].Servers"])
    let entries = (0..<64).map { PropertyListValue.dictionary(["Scopes": [.string("s\($0)")], "Token": true]) }
    let many = ManifestValidation(Manifests.widget(["Annex": ["Auth": .array(entries)]]))
    #expect(many.problems == [] && many.manifest?.authEntries.count == 64)
    let longest = String(repeating: "a", count: 512)
    #expect(auth(["Scopes": [.string(longest)]]).problems == [])
    #expect(auth(["Scopes": [.string(longest + "a")]]).problems.map(\.keyPath) == ["Annex.Auth[0].Scopes[0]"])
    #expect(auth(["Scopes": ["\u{21}\u{7E}"]]).problems == [])
  }

  @Test(
    arguments: [
      ("a → (token)", true), ("a b → h.example", true), ("a → h.example (token)", true), ("→ h.example", false),
      ("a →", false), ("a", false), ("", false), ("a → h.example/x", false), ("a → (token) h.example", false),
      ("a\" → h.example", false),
    ])
  func `is a text and comes back from it`(text: String, isEntry: Bool) {
    #expect(AuthEntry(text)?.description == (isEntry ? text : nil))
    #expect((AuthEntry(text)?.allowsToken ?? false) == (isEntry && text.hasSuffix("(token)")))
  }

  @Test func `covers what is asked whole, in any case of letters`() throws {
    let entry = try #require(AuthEntry("api://Notes.Read offline → h.example"))
    #expect(entry.covers(["API://notes.read"]) && entry.covers(["offline", "api://notes.read"]))
    #expect(!entry.covers([]) && !entry.covers(["offline", "api://Notes.Write"]) && !entry.covers(["api://notes"]))
  }

  @Test func `takes an address and a client of their longest`() {
    let start = "https://login.example.com/"
    let address = start + String(repeating: "a", count: 2_048 - start.utf8.count)
    #expect(identity(["Authority": .string(address)]).manifest?.identity?.authority == address)
    #expect(
      identity(["Authority": .string(address + "a")]).problems.map(\.keyPath) == ["Annex.Identity.Authority"])
    let client = String(repeating: "a", count: 256)
    #expect(identity(["ClientID": .string(client)]).manifest?.identity?.clientID == client)
    for authority in ["https://login.example.com:*", "http://login.example.com", "ftp://login.example.com"] {
      let found = identity(["Authority": .string(authority)])
      #expect(found.problems.map(\.keyPath) == ["Annex.Identity.Authority"], "\(authority)")
    }
    for authority in ["http://localhost", "HTTPS://Login.example.com:8443/x"] {
      #expect(identity(["Authority": .string(authority)]).manifest?.identity?.authority == authority)
    }
    #expect(identity(["ChallengeTypes": []]).manifest?.identity?.challengeTypes == [])
    #expect(identity(["ChallengeTypes": ["redirect"]]).problems == [])
  }

  @Test func `names the identity server of an app, and of nobody else`() throws {
    let native = try #require(identity([:]).manifest?.identity)
    #expect(native.authority == "https://login.example.com/tenant" && native.clientID == "notes")
    #expect(native.challengeTypes == ["password", "oob"])
    let openID = identity(["ChallengeTypes": nil, "Authority": "http://127.0.0.1:8080"])
    #expect(openID.problems == [] && openID.manifest?.identity?.challengeTypes == nil)
    let widget = ManifestValidation(Manifests.widget(["Annex": ["Identity": .dictionary(Self.identity)]]))
    #expect(widget.manifest?.identity == nil)
    #expect(widget.problems.map(\.keyPath) == ["Annex.Identity"] && widget.problems.map(\.severity) == [.warning])
  }

  @Test(
    arguments: [
      (["Authority": nil], "Authority"), (["ClientID": nil], "ClientID"),
      (["Authority": "login.example.com"], "Authority"), (["Authority": "http://login.example.com"], "Authority"),
      (["Authority": "https://user@login.example.com"], "Authority"),
      (["Authority": "https://login.example.com?x=1"], "Authority"),
      (["Authority": "https://*.example.com"], "Authority"),
      (["Authority": "https://a b"], "Authority"), (["ClientID": "a b"], "ClientID"), (["ClientID": ""], "ClientID"),
      (["ClientID": .string(String(repeating: "a", count: 257))], "ClientID"),
      (["ChallengeTypes": ["password", "smoke"]], "ChallengeTypes[1]"), (["ChallengeTypes": "oob"], "ChallengeTypes"),
    ] as [([String: PropertyListValue?], String)])
  func `is refused where the server or the client is none`(changes: [String: PropertyListValue?], path: String) {
    let problems = identity(changes).problems.filter { $0.severity == .error }
    #expect(problems.map(\.keyPath).contains("Annex.Identity.\(path)"), "\(problems)")
  }
}
