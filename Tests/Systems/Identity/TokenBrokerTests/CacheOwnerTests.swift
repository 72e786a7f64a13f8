import ConfigurationFiles
import JSON
import Testing
import Text

@testable import TokenBroker

private let now = 1_800_000_000

private func place(
  _ account: String = "u1.t1", _ client: String = "client", _ environment: String = "id.example", realm: String = "t1"
) -> CachePlace {
  CachePlace(account: account, environment: environment, client: client, realm: realm)
}

private func grant(
  _ token: String, _ scopes: String = "api://one/Read", refresh: String? = nil, id: String? = nil, lifetime: Int = 3_600
) -> TokenGrant {
  TokenGrant(
    accessToken: Secret(token), scopes: ScopeList(granted: scopes), lifetime: lifetime,
    refreshToken: refresh.map { Secret($0) }, idToken: id.map { Secret($0) })
}

/// Whose entries the calls of a cache look at, change and delete, among those of other accounts, clients and servers.
@Suite(.timeLimit(.minutes(1)))
struct `The owner of what is in a cache` {
  private func signIn(_ cache: inout UnifiedCache, _ place: CachePlace, _ token: String, replacing: Bool) {
    let made = grant(token, refresh: "rt-\(token)", id: "id-\(token)")
    cache.signIn(
      made, place: place, facts: AccountFacts(made, username: token), asked: .standard, replacing: replacing, now: now)
  }

  @Test func `at another server, or of another client, stays when a client gets its only account anew`() {
    var cache = UnifiedCache()
    signIn(&cache, place("u0.t1", "client", "other.example"), "elsewhere", replacing: true)
    signIn(&cache, place("u2.t1", "other"), "client2", replacing: true)
    signIn(&cache, place("u3.t1"), "before", replacing: true)
    signIn(&cache, place("u1.t1"), "now", replacing: true)
    #expect(cache.accounts.map(\.username) == ["elsewhere", "client2", "now"])
    #expect(cache.accessTokens.map { $0.secret.revealed() } == ["elsewhere", "client2", "now"])
    #expect(cache.refreshTokens.map { $0.secret.revealed() } == ["rt-elsewhere", "rt-client2", "rt-now"])
    #expect(cache.idTokens.map { $0.secret.revealed() } == ["id-elsewhere", "id-client2", "id-now"])
  }

  @Test func `is one account to several clients, which stays until the last of them has signed it out`() {
    var cache = UnifiedCache()
    for client in ["client", "other"] { signIn(&cache, place("u1.t1", client), client, replacing: false) }
    #expect(cache.accounts.count == 1)
    #expect(cache.signOut(place().identity) == [Secret("rt-client")])
    #expect(cache.accounts.count == 1 && cache.accessTokens.map(\.secret) == [Secret("other")])
    #expect(cache.refreshTokens.map(\.secret) == [Secret("rt-other")] && cache.idTokens.count == 1)
    #expect(cache.accounts(environment: "id.example", client: "other", now: now).map(\.signedIn) == [true])
    #expect(cache.signOut(place("u1.t1", "other").identity) == [Secret("rt-other")])
    #expect(cache.accounts.isEmpty && cache.signOut(place().identity) == [])
  }

  @Test(arguments: ["AccessToken", "RefreshToken", "IdToken"])
  func `goes with it though it cannot be used, and what is nobody's or another's stays`(section: String) throws {
    func entity(_ account: String) -> JSONValue {
      ["home_account_id": .string(account), "environment": "ID.example", "client_id": "client", "odd": true]
    }
    let root: JSONValue = [section: ["own": entity("U1.t1"), "other": entity("u2.t1"), "nobody": ["odd": 1], "n": 5]]
    var cache = try UnifiedCache(json: Array(JSONCoding.text(of: root).utf8))
    cache.signOut(place().identity)
    let left = try JSONCoding.parse(cache.json)[section]?.objectValue
    #expect(left?.map(\.key).sorted() == ["n", "nobody", "other"])
  }

  @Test func `loses tokens that are over or replaced, and no others of anybody`() {
    var cache = UnifiedCache()
    let others = [place("u2.t1"), place("u1.t1", "other"), place("u1.t1", "client", "x.example"), place(realm: "t2")]
    for (number, other) in others.enumerated() {
      cache.keep(grant("\(number)", lifetime: 10), place: other, asked: .standard, now: now)
    }
    cache.keep(grant("a", lifetime: 10), place: place(), asked: .standard, now: now)
    cache.keep(grant("b", "api://one/Write", lifetime: 11), place: place(), asked: .standard, now: now)
    cache.keep(grant("c", "api://two/Read"), place: place(), asked: .standard, now: now + 10)
    #expect(cache.accessTokens.map { $0.secret.revealed() } == ["0", "1", "2", "3", "b", "c"])
  }

  @Test func `has one refresh token forgotten that was refused, and keeps another's of the same name`() {
    var cache = UnifiedCache()
    cache.keep(grant("a", refresh: "rt"), place: place(), asked: .standard, now: now)
    cache.keep(grant("b", refresh: "rt"), place: place("u2.t1"), asked: .standard, now: now)
    cache.forget(refreshToken: Secret("rt-2"), of: place().identity)
    #expect(cache.refreshTokens.count == 2)
    cache.forget(refreshToken: Secret("rt"), of: place().identity)
    #expect(cache.refreshTokens.map(\.identity) == [place("u2.t1").identity])
  }

  // MARK: Which one of several

  @Test(arguments: [[100, 300, 200], [300, 200, 100], [100, 200, 300]])
  func `has the token given that lives longest`(lifetimes: [Int]) throws {
    var cache = UnifiedCache()
    for life in lifetimes {
      cache.keep(
        grant("\(life)", "api://one/Read api://one/\(life)", lifetime: life), place: place(), asked: .standard, now: now
      )
    }
    let read = try ScopeList(["api://one/Read"])
    #expect(cache.accessToken(for: read, of: place().identity)?.secret == Secret("300"))
    let found = cache.accessToken(for: read, of: place().identity) { $0.secret != Secret("300") }
    #expect(found?.secret == Secret("200"))
    let limit = TokenLimit([try ScopeList(["api://one/Read", "api://one/100"])])
    #expect(cache.accessToken(for: read, of: place().identity, within: limit)?.secret == Secret("100"))
  }

  @Test func `has no token given that is of another kind`() throws {
    var entity: JSONObject = [
      "secret": "at", "home_account_id": "u1.t1", "environment": "id.example", "client_id": "client", "target": "s",
      "cached_at": "1", "expires_on": "2",
    ]
    for (kind, isFound) in [(nil, true), ("BEARER", true), ("pop", false), ("", false)] as [(String?, Bool)] {
      entity["token_type"] = kind.map { .string($0) }
      var cache = UnifiedCache()
      cache.accessTokens = [try #require(CachedAccessToken(entity))]
      #expect((cache.accessToken(for: try ScopeList(["s"]), of: place().identity) != nil) == isFound)
    }
  }

  @Test func `has the refresh token of its own key before another, and the last of the others`() throws {
    func token(_ secret: String, _ key: String) throws -> CachedCredential {
      let object: JSONObject = [
        "secret": .string(secret), "home_account_id": "u1.t1", "environment": "id.example", "client_id": "client",
      ]
      return try #require(CachedCredential(object, key: key))
    }
    var cache = UnifiedCache()
    #expect(cache.refreshToken(of: place().identity) == nil && cache.idToken(of: place().identity) == nil)
    cache.refreshTokens = [try token("a", "k--a"), try token("b", "k--b")]
    cache.idTokens = cache.refreshTokens
    #expect(cache.refreshToken(of: place().identity)?.secret == Secret("b"))
    #expect(cache.idToken(of: place().identity)?.secret == Secret("b"))
    cache.refreshTokens.insert(try token("c", "k--"), at: 0)
    #expect(cache.refreshToken(of: place().identity)?.secret == Secret("c"))
  }

  @Test func `is listed once, though it is kept for several tenants`() throws {
    var cache = UnifiedCache()
    for realm in ["t1", "t2"] {
      let facts = AccountFacts(grant("at"), username: realm)
      cache.accounts.append(CachedAccount(place: place(realm: realm), facts: facts))
      cache.keep(grant(realm, refresh: "rt"), place: place(realm: realm), asked: .standard, now: now)
    }
    let found = cache.accounts(environment: "ID.example", client: "CLIENT", now: now)
    #expect(found == [Account(id: "u1.t1", username: "t1", name: nil, signedIn: true)])
  }

  @Test func `is signed in by a token that is fresh or due, and by none that is over`() {
    var cache = UnifiedCache()
    var made = grant("at", lifetime: 400)
    made.extendedLifetime = 1_000
    signIn(&cache, place(), "x", replacing: false)
    cache.accessTokens = []
    cache.refreshTokens = []
    cache.keep(made, place: place(), asked: .standard, now: now)
    for (time, signedIn) in [(0, true), (100, true), (399, true), (400, false), (999, false)] {
      let found = cache.accounts(environment: "id.example", client: "client", now: now + time)
      #expect(found.map(\.signedIn) == [signedIn], "after \(time) seconds")
    }
  }

  // MARK: Members

  @Test func `has times from 1970 to the year 9999, as texts and as numbers`() {
    for (value, time) in [
      ("0", 0), ("253402300799", 253_402_300_799), ("253402300800", nil), ("-1", nil), ("1.5", nil), ("", nil),
      (0, 0), (253_402_300_799, 253_402_300_799), (253_402_300_800, nil), (-1, nil), (1.9, 1), (-0.5, nil),
      (true, nil), (.null, nil),
    ] as [(JSONValue, Int?)] {
      #expect(CacheEntity(["t": value]).time("t") == time, "\(value)")
    }
    #expect(CacheEntity([:]).time("t") == nil && CacheEntity(["secret": "s"]).text("secret") == nil)
  }

  @Test func `has the extended end under either name, and none that is absent`() {
    var entity: JSONObject = [
      "secret": "at", "home_account_id": "h", "environment": "e", "client_id": "c", "target": "s", "cached_at": 5,
      "expires_on": 6, "ext_expires_on": 8,
    ]
    #expect(CachedAccessToken(entity)?.extendedExpiresOn == 8 && CachedAccessToken(entity)?.refreshOn == nil)
    entity["extended_expires_on"] = 9
    entity["refresh_on"] = 7
    #expect(CachedAccessToken(entity)?.extendedExpiresOn == 9 && CachedAccessToken(entity)?.refreshOn == 7)
    for name in ["ext_expires_on", "extended_expires_on"] { entity[name] = nil }
    #expect(CachedAccessToken(entity)?.extendedExpiresOn == nil)
    #expect(CachedAccessToken(entity)?.freshness(now: 6) == .over)
  }

  @Test func `is named by the server, and by what was typed where the server names nobody`() {
    let claims = #"{"sub":"S","oid":"O","tid":"T"}"#
    func facts(_ info: Bool, _ claims: String?, _ username: String?) -> AccountFacts {
      var made = grant("at", id: claims.map { "a.\(Base64URL.encode(Array($0.utf8))).c" })
      made.clientInfo = info ? clientInfo : nil
      return AccountFacts(made, username: username)
    }
    let both = facts(true, claims, "Ann")
    #expect(both.homeAccountID == "u1.t1" && both.realm == "T" && both.localID == "O" && both.clientInfo == clientInfo)
    let subject = facts(false, #"{"sub":"S"}"#, "Ann")
    #expect(subject.homeAccountID == "S" && subject.realm == nil && subject.localID == "S" && subject.clientInfo == nil)
    let info = facts(true, nil, "Ann")
    #expect(info.homeAccountID == "u1.t1" && info.realm == "t1" && info.localID == "u1" && info.username == "Ann")
    #expect(facts(false, nil, "Ann").homeAccountID == "ann" && facts(false, nil, nil).homeAccountID == "unknown")
    #expect(facts(false, nil, "Ann").localID == nil)
    let account = CachedAccount(place: place("Ann"), facts: facts(false, nil, "Ann"))
    #expect(account.entity.text("local_account_id") == "Ann" && account.entity.text("client_info") == nil)
  }
}
