import AppExtensions
import ConfigurationFiles
import Fetching
import HTTPClient
import HostServices
import JSON
import Synchronization
import Testing

@testable import ExtensionHosting
@testable import ExtensionProtocol
@testable import ExtensionTesting
@testable import IdentityServices
@testable import TokenBroker

/// What the host keeps of sign-ins and questions, for each process.
@Suite(.timeLimit(.minutes(1)))
struct `What a host keeps of sign-ins` {
  /// Runs the body with callers of two apps, as many processes as it wants.
  private func withCallers(_ body: (_ caller: (_ number: UInt64, _ app: String) -> Caller) async throws -> Void)
    async throws
  {
    try await Stage().withPeer(PeerProbe()) { process in
      try await body { number, app in
        var identity = Caller.Identity.testing()
        identity.containingApp = app
        return Caller(identity: identity, instance: number, process: process)
      }
    }
  }

  private static let way = AuthFlows.Way.password(username: "ann", scopes: .standard)

  private func code(_ body: () throws(ExtensionError) -> Void) -> ExtensionError.Code? {
    do throws(ExtensionError) {
      try body()
      return nil
    } catch { return error.code }
  }

  @Test func `has eight flows of a process at one time, which are that process's alone`() async throws {
    try await withCallers { caller in
      let (flows, one, two) = (AuthFlows(), caller(1, "a"), caller(2, "a"))
      for _ in 0..<2 {
        let ids = try (0..<8).map { _ in try flows.add(Self.way, of: one) }
        #expect(Set(ids).count == 8 && ids.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
        let error = #expect(throws: ExtensionError.self) { try flows.add(Self.way, of: one) }
        #expect(error?.code == .limitExceeded && error?.details == ["limit": 8])
        let other = try flows.add(Self.way, of: two)
        // Nobody ends or uses the flow of another process.
        flows.remove(ids[0], of: two)
        #expect(code { () throws(ExtensionError) in _ = try flows.way(ids[0], of: one) } == nil)
        #expect(code { () throws(ExtensionError) in _ = try flows.way(ids[0], of: two) } == .requestUnknown)
        #expect(code { () throws(ExtensionError) in _ = try flows.way("none", of: one) } == .requestUnknown)
        flows.remove(ids[0], of: one)
        flows.remove(ids[0], of: one)
        #expect(code { () throws(ExtensionError) in _ = try flows.way(ids[0], of: one) } == .requestUnknown)
        #expect(code { () throws(ExtensionError) in _ = try flows.add(Self.way, of: one) } == nil)
        #expect(code { () throws(ExtensionError) in _ = try flows.add(Self.way, of: one) } == .limitExceeded)
        flows.removeAll(of: one)
        #expect(code { () throws(ExtensionError) in _ = try flows.way(ids[1], of: one) } == .requestUnknown)
        #expect(code { () throws(ExtensionError) in _ = try flows.way(other, of: two) } == nil)
        flows.removeAll(of: two)
      }
    }
  }

  @Test func `asks one question for an app at one time, and none of a process whose user declined`() async throws {
    try await withCallers { caller in
      let questions = SignInQuestions()
      let (one, two, other) = (caller(1, "a"), caller(2, "a"), caller(3, "b"))
      for _ in 0..<2 {
        let begins = [try questions.begin(one), try questions.begin(other)]
        #expect(begins == [true, true])
        #expect(code { () throws(ExtensionError) in _ = try questions.begin(two) } == .limitExceeded)
        questions.end(other, declined: false)
        #expect(code { () throws(ExtensionError) in _ = try questions.begin(two) } == .limitExceeded)
        questions.end(one, declined: false)
      }
      let first = try questions.begin(two)
      questions.end(two, declined: true)
      // A process whose user declined is told so, and not to wait for the question of another.
      let later = [
        try questions.begin(two), try questions.begin(two), try questions.begin(one), try questions.begin(two),
      ]
      #expect(first && later == [false, false, true, false])
      questions.end(one, declined: false)
      questions.forget(one)
      let still = try questions.begin(two)
      questions.forget(two)
      let again = try questions.begin(two)
      #expect(!still && again)
    }
  }
}

/// What is left of a process that has exited, and what a server says that nobody believes.
@Suite(.timeLimit(.minutes(1)))
struct `A service of sign-ins` {
  @Test func `forgets the flows and the refusal of a process that exited, and of no other`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let service = AuthService(identities: IdentityBook(state: folder.state))
    try await Stage().withPeer(PeerProbe()) { process in
      let callers = ["com.example.one", "com.example.two"].enumerated().map { number, app in
        var identity = Caller.Identity.testing()
        identity.containingApp = app
        return Caller(identity: identity, instance: UInt64(number + 1), process: process)
      }
      var flows: [String] = []
      for caller in callers {
        flows.append(try service.flows.add(.password(username: "ann", scopes: .standard), of: caller))
        let isAsked = try service.questions.begin(caller)
        #expect(isAsked)
        service.questions.end(caller, declined: true)
      }
      await service.callerDidExit(callers[0])
      let error = #expect(throws: ExtensionError.self) { try service.flows.way(flows[0], of: callers[0]) }
      #expect(error?.code == .requestUnknown)
      _ = try service.flows.way(flows[1], of: callers[1])
      let asks = try callers.map { try service.questions.begin($0) }
      #expect(asks == [true, false])
    }
  }

  @Test(
    arguments: [
      (.min, 0, 0), (-1, 0, 0), (0, 0, 0), (6, 6, 6), (1_000, 1_000, 1_000), (1_001, 1_000, 1_001),
      (86_400, 1_000, 86_400), (86_401, 1_000, 86_400), (.max, 1_000, 86_400), (nil, nil, nil),
    ] as [(Int?, Int?, Int?)])
  func `says how long a code is, and when there is another, within reason`(said: Int?, length: Int?, seconds: Int?) {
    let code = Auth.SentCode(SentCode(sentTo: "a***b", channel: "sms", length: said, resendAfter: said))
    #expect(code == Auth.SentCode(sentTo: "a***b", channel: "sms", length: length, resendAfterSeconds: seconds))
  }
}

/// The entries of a manifest, as they bound tokens. Pure.
@Suite(.timeLimit(.minutes(1)))
struct `The rules for tokens` {
  private let rules = AuthRules(scope: [
    "r/a r/b → https://one.example", "r/a → https://two.example (token)", "r/c → https://one.example (token)", "odd",
  ])

  private func granted(_ text: String) -> ScopeList { ScopeList(granted: text) }

  @Test func `limit a token by the entries that have all its scopes, and that name its server`() throws {
    let (one, two) = (HTTPOrigin(url: "https://one.example"), HTTPOrigin(url: "https://two.example"))
    for (scopes, origin, allowed, refused) in [
      ("r/a", nil, ["r/a", "r/a r/b", "r/b"], ["r/c", "r/a r/c"]), ("r/a", one, ["r/a r/b"], ["r/c"]),
      ("r/a", two, ["r/a"], ["r/b", "r/a r/b"]), ("r/a r/b", two, [], ["r/a", "r/b"]), ("R/C", one, ["r/c"], ["r/a"]),
      ("r/a r/c", nil, [], ["r/a", "r/c"]),
    ] as [(String, HTTPOrigin?, [String], [String])] {
      let limit = rules.limit(for: granted(scopes), at: origin)
      for text in allowed { #expect(limit.allows(granted(text)), "\(scopes) \(text)") }
      for text in refused { #expect(!limit.allows(granted(text)), "\(scopes) \(text)") }
    }
    #expect(rules.limitOfToken(for: granted("r/a")).allows(granted("r/a")))
    #expect(!rules.limitOfToken(for: granted("r/a")).allows(granted("r/a r/b")))
  }

  @Test func `give the token itself by an entry with all its scopes that says so`() throws {
    for (scopes, isGiven) in [
      ("r/a", true), ("r/c", true), ("r/b", false), ("r/a r/b", false), ("r/a r/c", false), ("r/d", false),
    ] {
      let caller = CallerRules(
        .testing(permissions: [
          AskedPermission("network", scope: ["r/d → https://x.example (token)"]),
          AskedPermission("auth", scope: rules.entries.map(\.description)),
        ]))
      // The second time it is known.
      for _ in 0..<2 {
        do throws(ExtensionError) {
          let wanted = try caller.wanted([scopes])
          #expect(isGiven && wanted.scopes == granted(scopes) && !wanted.limit.allows(granted("r/b")))
        } catch {
          #expect(!isGiven && error.code == .permissionDenied && error.details["permission"] == "auth")
          #expect(error.details["scopes"] == .array(scopes.split(separator: " ").map { .string(String($0)) }))
        }
      }
    }
    #expect(rules.entries.count == 3)
    let none = #expect(throws: ExtensionError.self) { try CallerRules(.testing()).wanted(["r/a"]) }
    #expect(none?.code == .permissionDenied)
  }

  @Test func `lead a call to the servers of every entry that has its scopes`() throws {
    func allows(_ scopes: String, _ url: String) throws -> Bool {
      let origin = try #require(HTTPOrigin(url: url))
      return try rules.servers(for: granted(scopes)).allows(origin)
    }
    for (scopes, url, isAllowed) in [
      ("r/a", "https://one.example", true), ("r/a", "https://two.example", true), ("r/b", "https://one.example", true),
      ("r/b", "https://two.example", false), ("r/a", "https://three.example", false),
    ] { #expect(try allows(scopes, url) == isAllowed) }
    let error = #expect(throws: ExtensionError.self) { try rules.servers(for: granted("r/b r/c")) }
    #expect(error?.code == .permissionDenied && error?.details["scopes"] == ["r/b", "r/c"])
    let many = (0..<9).map { "r/\($0)" }
    let long = #expect(throws: ExtensionError.self) { try rules.servers(for: granted(many.joined(separator: " "))) }
    #expect(long?.details["scopes"] == .array(many.prefix(8).map { .string($0) }))
  }

  @Test(
    arguments: [
      (.emptyScopes, .invalidParams), (.severalResources, .invalidParams), (.wrongState, .invalidParams),
      (.noAccount, .interactionRequired), (.interactionRequired, .interactionRequired),
      (.consentRequired, .interactionRequired), (.invalidConfiguration, .serviceUnavailable),
      (.cacheUnusable, .storeFailed), (.busy, .storeFailed), (.cancelled, .cancelled),
      (.excessiveScopes, .permissionDenied), (.invalidScope, .invalidParams), (.invalidRequest, .invalidParams),
    ] as [(AuthError.Kind, ExtensionError.Code)])
  func `have a code for some failures, and one for all others`(kind: AuthError.Kind, code: ExtensionError.Code) {
    let bare = ExtensionError(AuthError(kind, "What happened.", recovery: "Do.", names: ["n"]))
    #expect(bare.code == code && bare.details["kind"] == .string(kind.rawValue) && bare.details["names"] == ["n"])
    let full = ExtensionError(
      AuthError(kind, "What happened.", code: 7, serverError: "w", correlationID: "c", retryAfter: 9))
    let isOfServer = [.invalidScope, .invalidRequest].contains(kind)
    #expect(full.code == (isOfServer ? .authFailed : code))
    var details: [String: JSONValue] = [
      "kind": .string(kind.rawValue), "correlationID": "c", "serverCode": 7, "serverError": "w", "retryAfterSeconds": 9,
    ]
    if kind == .excessiveScopes { (details["permission"], details["state"]) = ("auth", "denied") }
    #expect(full.details == details)
  }

  private static let known: Set<AuthError.Kind> = [
    .emptyScopes, .severalResources, .wrongState, .noAccount, .interactionRequired, .consentRequired,
    .invalidConfiguration, .cacheUnusable, .busy, .cancelled, .excessiveScopes, .invalidScope, .invalidRequest,
  ]

  @Test func `have one code for all other failures`() {
    for kind in AuthError.Kind.allCases where !Self.known.contains(kind) {
      let error = ExtensionError(AuthError(kind, "What happened.", recovery: "Do."))
      #expect(error.code == .authFailed && error.message == "What happened." && error.recovery == "Do.")
      #expect(error.details == ["kind": .string(kind.rawValue)])
    }
  }
}

/// Where the users of an app sign in.
@Suite(.timeLimit(.minutes(1)))
struct `The book of identity servers` {
  private typealias Settings = IdentityBook.Settings

  private func configuration(_ settings: Settings) throws -> IdentityConfiguration? { try settings.configuration() }

  @Test func `reads settings, of which an empty one is none`() throws {
    for settings in [
      Settings(), Settings(authority: "", clientID: ""), Settings(challengeTypes: "oob", kind: "native"),
    ] {
      #expect(try configuration(settings) == nil)
    }
    for (settings, key) in [
      (Settings(authority: "https://h"), "IDENTITY_CLIENT_ID"), (Settings(clientID: "c"), "IDENTITY_AUTHORITY"),
      (Settings(authority: "https://h", clientID: ""), "IDENTITY_CLIENT_ID"),
      (Settings(authority: "https://h", clientID: "c", kind: "other"), "native or openid"),
    ] {
      let error = #expect(throws: AuthError.self) { try configuration(settings) }
      #expect(error?.kind == .invalidConfiguration && "\(error?.description ?? "")".contains(key))
    }
    for (types, kind, authority, expected, challenges) in [
      (nil, nil, "https://h", .openIDConnect, ["password", "oob", "redirect"]),
      (nil, "", "https://a.CIAMLOGIN.com", .native, ["password", "oob", "redirect"]),
      (nil, nil, "https://ciamlogin.com", .openIDConnect, ["password", "oob", "redirect"]),
      ("oob", nil, "https://h", .native, ["oob", "redirect"]),
      ("", nil, "https://h", .openIDConnect, ["password", "oob", "redirect"]),
      ("oob, password", "OpenID", "https://h", .openIDConnect, ["oob", "password", "redirect"]),
      (nil, "NATIVE", "https://h", .native, ["password", "oob", "redirect"]),
      (nil, "oidc", "https://a.ciamlogin.com", .openIDConnect, ["password", "oob", "redirect"]),
      (nil, "openidconnect", "https://h", .openIDConnect, ["password", "oob", "redirect"]),
    ] as [(String?, String?, String, IdentityConfiguration.Kind, [String])] {
      var settings = Settings(authority: authority, clientID: "c", challengeTypes: types, kind: kind)
      settings.clientSecret = Secret("s")
      let found = try configuration(settings)
      #expect(found?.kind == expected && found?.challengeTypes == challenges && found?.clientSecret == Secret("s"))
    }
  }

  private func book(
    _ folder: TestFolder, _ settings: Settings?, _ manifest: Manifest.Identity? = nil
  ) -> IdentityBook {
    IdentityBook(state: folder.state, settings: settings) { _ in manifest }
  }

  @Test func `gives the secret of the configured client to that client's server, and to no other`() throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    var settings = Settings(authority: "https://h", clientID: "c", kind: "openid")
    settings.clientSecret = Secret("s")
    for (authority, client, secret) in [
      ("https://h", "c", Secret("s")), ("https://h", "d", nil), ("https://i", "c", nil),
    ] as [(String, String, Secret?)] {
      for types in [nil, ["oob"]] as [[String]?] {
        let manifest = Manifest.Identity(authority: authority, clientID: client, challengeTypes: types)
        let found = try book(folder, settings, manifest).configuration(of: "a")
        #expect(found.authority == authority && found.clientID == client && found.clientSecret == secret)
        #expect(found.kind == (types == nil ? .openIDConnect : .native))
        #expect(found.challengeTypes == (types ?? []) + ["redirect"])
      }
    }
    #expect(try book(folder, settings).configuration(of: "a").clientSecret == Secret("s"))
    for none in [nil, Settings()] as [Settings?] {
      let error = #expect(throws: ExtensionError.self) { try book(folder, none).configuration(of: "a.b") }
      #expect(error?.code == .serviceUnavailable && error?.message.contains("a.b") == true)
    }
    let wrong = #expect(throws: ExtensionError.self) {
      try book(folder, Settings(authority: "x", clientID: "c")).configuration(of: "a")
    }
    #expect(wrong?.code == .serviceUnavailable && wrong?.details["kind"] == "invalidConfiguration")
  }

  @Test func `has one broker for each app, with a cache in a folder that no name leads out of`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let book = book(folder, Settings(authority: "https://h", clientID: "c"))
    let one = try await book.broker(for: "com.example.one")
    #expect(try await book.broker(for: "com.example.one") === one)
    #expect(try await book.broker(for: "com.example.two") !== one)
    #expect(one.cache.folder == "\(folder.state.path)/auth/com.example.one")
    for name in ["", "..", "../x", "a/b", "a b", "é"] {
      let error = await #expect(throws: ExtensionError.self) { try await book.broker(for: name) }
      #expect(error?.code == .invalidParams, "\(name)")
    }
  }

  @Test func `has the brokers renew their tokens that were there and those that come, each time that it runs`()
    async throws
  {
    let folder = try TestFolder()
    defer { folder.remove() }
    let book = book(folder, Settings(authority: "https://h", clientID: "c"))
    var brokers = [try await book.broker(for: "com.example.zero")]
    for name in ["one", "two"] {
      let running = Task { await book.run() }
      for broker in brokers { while await broker.jobs == nil { await Task.yield() } }
      brokers.append(try await book.broker(for: "com.example.\(name)"))
      for broker in brokers { while await broker.jobs == nil { await Task.yield() } }
      running.cancel()
      await running.value
      for broker in brokers { #expect(await broker.jobs == nil) }
    }
  }
}
