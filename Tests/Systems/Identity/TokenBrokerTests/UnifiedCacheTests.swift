import ConfigurationFiles
import JSON
import Testing

@testable import TokenBroker

private let place = CachePlace(
  account: "U1.T1", environment: "contoso.ciamlogin.com", client: "Client", realm: "Tenant")
private let now = 1_800_000_000

private func grant(
  _ token: String, _ scopes: String? = "openid api://one/Read", refresh: String? = "rt", lifetime: Int = 3600,
  extended: Int? = nil, refreshIn: Int? = nil
) -> TokenGrant {
  TokenGrant(
    accessToken: Secret(token), scopes: scopes.map { ScopeList(granted: $0) }, lifetime: lifetime,
    extendedLifetime: extended, refreshIn: refreshIn, refreshToken: refresh.map { Secret($0) },
    idToken: Secret("a.b.c"), clientInfo: nil)
}

private func cache(_ grants: TokenGrant...) throws -> UnifiedCache {
  var cache = UnifiedCache()
  for grant in grants {
    cache.keep(grant, place: place, asked: try ScopeList(["api://one/Read"]), now: now)
  }
  return cache
}

private func object(_ cache: UnifiedCache) throws -> JSONValue { try JSONCoding.parse(cache.json) }

@Suite(.timeLimit(.minutes(1)))
struct `The unified schema` {
  @Test func `has the keys and members that other libraries look for`() throws {
    var cache = UnifiedCache()
    let facts = AccountFacts(grant("at"), username: "ann@example.com")
    cache.signIn(
      grant("at", "openid api://one/Write api://one/Read", extended: 7200, refreshIn: 1800), place: place, facts: facts,
      asked: .standard, replacing: true, now: now)
    let root = try object(cache)
    let token = root["AccessToken"]?[
      "u1.t1-contoso.ciamlogin.com-accesstoken-client-tenant-api://one/read api://one/write openid"]
    #expect(token?["credential_type"] == "AccessToken")
    #expect(token?["secret"] == "at")
    #expect(token?["home_account_id"] == "U1.T1")
    #expect(token?["target"] == "api://one/Read api://one/Write openid")
    #expect(token?["realm"] == "Tenant")
    #expect(token?["token_type"] == "Bearer")
    #expect(token?["cached_at"] == "1800000000")
    #expect(token?["expires_on"] == "1800003600")
    #expect(token?["extended_expires_on"] == "1800007200")
    #expect(token?["refresh_on"] == "1800001800")
    #expect(root["RefreshToken"]?["u1.t1-contoso.ciamlogin.com-refreshtoken-client--"]?["secret"] == "rt")
    for (section, key) in [
      ("RefreshToken", "u1.t1-contoso.ciamlogin.com-refreshtoken-client--"),
      ("IdToken", "u1.t1-contoso.ciamlogin.com-idtoken-client-tenant-"),
    ] {
      let entity = root[section]?[key]
      #expect(entity?["credential_type"] == .string(section))
      #expect(entity?["home_account_id"] == "U1.T1" && entity?["environment"] == "contoso.ciamlogin.com")
      #expect(entity?["client_id"] == "Client")
      #expect(entity?["last_modification_time"] == (section == "RefreshToken" ? "1800000000" : nil))
      #expect(entity?["realm"] == (section == "IdToken" ? "Tenant" : nil))
    }
    #expect(root["IdToken"]?["u1.t1-contoso.ciamlogin.com-idtoken-client-tenant-"]?["secret"] == "a.b.c")
    #expect(root["Account"]?["u1.t1-contoso.ciamlogin.com-tenant"]?["username"] == "ann@example.com")
    #expect(root["AppMetadata"]?["appmetadata-contoso.ciamlogin.com-client"]?["client_id"] == "Client")
    #expect(root["AppMetadata"]?["appmetadata-contoso.ciamlogin.com-client"]?["environment"] == "contoso.ciamlogin.com")
  }

  @Test func `keeps what it does not know, and reads back what it wrote`() throws {
    let text = """
      {"AccessToken": {"k": {"secret": 7, "odd": true}}, "Vendor": {"x": [1, null]},
      "RefreshToken": {"h-e-refreshtoken-c--openid profile": {"secret": "rt", "home_account_id": "h",
      "environment": "e", "client_id": "c", "family_id": "1"}}}
      """
    let read = try UnifiedCache(json: Array(text.utf8))
    #expect(try UnifiedCache(json: read.json) == read)
    let root = try object(read)
    #expect(root["AccessToken"]?["k"]?["odd"] == true)
    #expect(root["AccessToken"]?["k"]?["secret"] == 7)
    #expect(root["Vendor"]?["x"] == .array([1, .null]))
    let token = root["RefreshToken"]?["h-e-refreshtoken-c--openid profile"]
    #expect(token?["family_id"] == "1")
    #expect(token?["secret"] == "rt")
  }

  @Test func `finds a refresh token by account and client, whatever its key says`() throws {
    let text = """
      {"RefreshToken": {"H-E-refreshtoken-C--openid": {"secret": "rt", "home_account_id": "H", "environment": "E",
      "client_id": "C", "target": "openid"}}}
      """
    let cache = try UnifiedCache(json: Array(text.utf8))
    let found = cache.refreshToken(of: CacheIdentity(account: "h", environment: "e", client: "c"))
    #expect(found?.secret == Secret("rt"))
    #expect(cache.refreshToken(of: CacheIdentity(account: "h", environment: "e", client: "d")) == nil)
  }

  @Test(arguments: [("RefreshToken", true), ("IdToken", false), ("AccessToken", true), ("AppMetadata", false)])
  func `lists an account of which anything says that it is the client's`(section: String, signedIn: Bool) throws {
    let entity: JSONValue = [
      "secret": "s", "home_account_id": "H", "environment": "e", "client_id": "c", "realm": "r", "target": "s",
      "cached_at": "1800000000", "expires_on": "1800003600",
    ]
    let account: JSONValue = ["home_account_id": "H", "environment": "e", "realm": "r", "username": "ann@example.com"]
    let root: JSONValue = ["Account": ["h-e-r": account], section: ["appmetadata-e-c": entity]]
    let cache = try UnifiedCache(json: Array(JSONCoding.text(of: root).utf8))
    let found = cache.accounts(environment: "e", client: "c", now: now)
    #expect(found.map(\.id) == ["H"] && found.map(\.username) == ["ann@example.com"])
    #expect(found.map(\.signedIn) == [signedIn])
    #expect(cache.accounts(environment: "e", client: "d", now: now).isEmpty)
    #expect(cache.accounts(environment: "f", client: "c", now: now).isEmpty)
    // A token that has ended still says whose client has the account.
    let later = cache.accounts(environment: "e", client: "c", now: now + 3600)
    #expect(later.map(\.signedIn) == [section == "RefreshToken"])
  }

  @Test(arguments: [
    #"{"expires_on": "99999999999999999999"}"#, #"{"expires_on": "-1"}"#, #"{"expires_on": true}"#,
    #"{"cached_at": ""}"#,
    #"{"secret": ""}"#, #"{"target": 1}"#, #"{"home_account_id": null}"#, #"{"expires_on": 1e300}"#,
  ])
  func `uses no entity that lacks what it needs, and keeps it`(change: String) throws {
    var entity: JSONObject = [
      "secret": "at", "home_account_id": "h", "environment": "e", "client_id": "c", "realm": "r", "target": "s",
      "cached_at": "1", "expires_on": "2",
    ]
    #expect(CachedAccessToken(entity) != nil)
    for (name, value) in try JSONCoding.parse(change).objectValue ?? [:] { entity[name] = value }
    #expect(CachedAccessToken(entity) == nil)
    let root: JSONValue = ["AccessToken": ["k": .object(entity)]]
    let cache = try UnifiedCache(json: Array(JSONCoding.text(of: root).utf8))
    #expect(cache.accessTokens.isEmpty)
    #expect(try object(cache)["AccessToken"]?["k"] == .object(entity))
  }

  @Test func `takes times as numbers too`() throws {
    let entity: JSONObject = [
      "secret": "at", "home_account_id": "h", "environment": "e", "client_id": "c", "target": "s", "cached_at": 5,
      "expires_on": 6.5,
    ]
    let token = try #require(CachedAccessToken(entity))
    #expect((token.cachedAt, token.expiresOn) == (5, 6))
  }

  @Test(arguments: ["AccessToken", "RefreshToken", "IdToken", "Account", "AppMetadata"])
  func `has its own entries written where there was no object for them`(section: String) throws {
    let root: JSONValue = [section: 5, "Vendor": 6]
    var cache = try UnifiedCache(json: Array(JSONCoding.text(of: root).utf8))
    let facts = AccountFacts(grant("at"), username: "ann@example.com")
    cache.signIn(grant("at"), place: place, facts: facts, asked: .standard, replacing: true, now: now)
    let read = try UnifiedCache(json: cache.json)
    #expect(read.accessTokens == cache.accessTokens && read.accessTokens.count == 1)
    #expect(read.refreshTokens == cache.refreshTokens && read.refreshTokens.count == 1)
    #expect(read.idTokens == cache.idTokens && read.accounts == cache.accounts)
    #expect(read.applications == cache.applications && read.applications.count == 1)
    #expect(try object(read)["Vendor"] == 6)
  }

  @Test(arguments: ["", "[]", "nothing", "{\"a\":1,\"a\":2}", "{\"AccessToken\":"]) func `is an object`(text: String) {
    #expect(throws: JSONError.self) { try UnifiedCache(json: Array(text.utf8)) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A token of the cache` {
  private func token(lifetime: Int = 3600, extended: Int? = nil, refreshIn: Int? = nil) throws -> CachedAccessToken {
    let cache = try cache(grant("at", lifetime: lifetime, extended: extended, refreshIn: refreshIn))
    return try #require(cache.accessTokens.first)
  }

  @Test func `is due five minutes before its end, to the second`() throws {
    let token = try token()
    #expect(token.freshness(now: now) == .fresh)
    #expect(token.freshness(now: now + 3299) == .fresh)
    #expect(token.freshness(now: now + 3300) == .due)
    #expect(token.freshness(now: now + 3599) == .due)
    #expect(token.freshness(now: now + 3600) == .over)
  }

  @Test func `is over when it was kept in the future`() throws {
    #expect(try token(extended: 9999).freshness(now: now - 1) == .over)
  }

  @Test func `is due when the server wants it renewed`() throws {
    let token = try token(refreshIn: 1000)
    #expect(token.freshness(now: now + 999) == .fresh)
    #expect(token.freshness(now: now + 1000) == .due)
  }

  @Test func `lives longer where the server allows it`() throws {
    let token = try token(extended: 7200)
    #expect(token.freshness(now: now + 3600) == .extended)
    #expect(token.freshness(now: now + 7199) == .extended)
    #expect(token.freshness(now: now + 7200) == .over)
  }

  @Test func `is found by a part of its scopes in any case, and by nobody else`() throws {
    let cache = try cache(grant("at", "openid api://one/Read api://one/Write"))
    #expect(cache.accessToken(for: try ScopeList(["API://ONE/WRITE"]), of: place.identity)?.secret == Secret("at"))
    #expect(cache.accessToken(for: try ScopeList(["api://one/Delete"]), of: place.identity) == nil)
    #expect(cache.accessToken(for: try ScopeList(["api://two/Read"]), of: place.identity) == nil)
    let upper = CacheIdentity(account: "u1.T1", environment: "CONTOSO.ciamlogin.com", client: "CLIENT")
    #expect(cache.accessToken(for: try ScopeList(["api://one/Read"]), of: upper) != nil)
    for other in [
      CacheIdentity(account: "u2.t1", environment: place.environment, client: place.client),
      CacheIdentity(account: place.account, environment: "other", client: place.client),
      CacheIdentity(account: place.account, environment: place.environment, client: "other"),
    ] { #expect(cache.accessToken(for: try ScopeList(["api://one/Read"]), of: other) == nil) }
    #expect(cache.accessToken(for: try ScopeList(["api://one/Read"]), of: place.identity, realm: "x") == nil)
    #expect(cache.accessToken(for: try ScopeList(["api://one/Read"]), of: place.identity, realm: "tenant") != nil)
  }

  @Test func `takes the place of the one with its scopes, and lives beside narrower and wider ones`() throws {
    var cache = try cache(
      grant("read", "openid api://one/Read"), grant("two", "openid api://two/Read"))
    #expect(cache.accessTokens.count == 2)
    cache.keep(grant("both", "openid api://one/Read api://one/Write"), place: place, asked: .standard, now: now)
    cache.keep(grant("write", "openid api://one/Write", lifetime: 10), place: place, asked: .standard, now: now)
    #expect(Set(cache.accessTokens.map { $0.secret.revealed() }) == ["read", "two", "both", "write"])
    // The same scopes, with others of the server itself, in another case; one is over by now.
    cache.keep(grant("new", "API://one/READ profile"), place: place, asked: .standard, now: now + 10)
    #expect(Set(cache.accessTokens.map { $0.secret.revealed() }) == ["new", "two", "both"])
    #expect(try UnifiedCache(json: cache.json).accessTokens.count == 3)
    let read = try ScopeList(["api://one/Read"])
    let limit = TokenLimit([read])
    #expect(cache.accessToken(for: read, of: place.identity, within: limit)?.secret == Secret("new"))
    let write = try ScopeList(["api://one/Write"])
    #expect(cache.accessToken(for: write, of: place.identity, within: limit) == nil)
  }

  @Test func `keeps the refresh token when none came with it, and takes a new one`() throws {
    var cache = try cache(grant("one", refresh: "rt-1"))
    cache.keep(grant("two", refresh: nil), place: place, asked: .standard, now: now)
    #expect(cache.refreshToken(of: place.identity)?.secret == Secret("rt-1"))
    cache.keep(grant("three", refresh: "rt-3"), place: place, asked: .standard, now: now)
    #expect(cache.refreshTokens.map(\.secret) == [Secret("rt-3")])
  }

  @Test func `answers for what was asked as the default of its resource`() throws {
    var cache = UnifiedCache()
    let asked = try ScopeList(["api://one/.default"])
    cache.keep(grant("at", "api://one/Read api://one/Write"), place: place, asked: asked, now: now)
    #expect(cache.accessToken(for: asked, of: place.identity) != nil)
    let again = try UnifiedCache(json: cache.json)
    #expect(again.accessToken(for: asked, of: place.identity)?.scopes.names == ["api://one/Read", "api://one/Write"])
  }

  @Test func `goes with its account, and leaves the others`() throws {
    var cache = UnifiedCache()
    var other = place
    other.account = "u2.t1"
    for (place, token) in [(place, "one"), (other, "two")] {
      let facts = AccountFacts(grant(token), username: token)
      cache.signIn(grant(token), place: place, facts: facts, asked: .standard, replacing: false, now: now)
    }
    #expect(cache.signOut(place.identity) == [Secret("rt")])
    #expect(!String(decoding: cache.json, as: UTF8.self).lowercased().contains("u1.t1"))
    #expect(cache.accounts.map(\.username) == ["two"])
    #expect(cache.accessTokens.map(\.secret) == [Secret("two")])
    #expect(cache.refreshTokens.count == 1 && cache.idTokens.count == 1)
  }

  @Test func `of one account takes the place of another's where there is one only`() throws {
    var cache = UnifiedCache()
    var other = place
    other.account = "u2.t1"
    for (place, token) in [(place, "one"), (other, "two")] {
      let facts = AccountFacts(grant(token), username: token)
      cache.signIn(grant(token), place: place, facts: facts, asked: .standard, replacing: true, now: now)
    }
    #expect(cache.accounts.map(\.username) == ["two"])
    #expect(cache.accessTokens.map(\.secret) == [Secret("two")])
  }

  @Test(arguments: ["access", "refresh", "id"])
  func `of one account takes the place of the last that another has, and leaves what another client has`(
    kind: String
  ) throws {
    var other = place
    other.account = "u2.t1"
    var foreign = other
    foreign.client = "second"
    var cache = UnifiedCache()
    for place in [other, foreign] {
      let facts = AccountFacts(grant("old"), username: "bob@example.com")
      cache.signIn(grant("old"), place: place, facts: facts, asked: .standard, replacing: false, now: now)
    }
    let (gone, left) = (other.identity, foreign.identity)
    // Nothing of this kind is another's.
    cache.accessTokens.removeAll { $0.identity == (kind == "access" ? left : gone) }
    cache.refreshTokens.removeAll { $0.identity == (kind == "refresh" ? left : gone) }
    cache.idTokens.removeAll { $0.identity == (kind == "id" ? left : gone) }
    cache.signIn(
      grant("new"), place: place, facts: AccountFacts(grant("new"), username: "ann@example.com"), asked: .standard,
      replacing: true, now: now)
    #expect(!cache.accessTokens.contains { $0.identity == gone } && !cache.idTokens.contains { $0.identity == gone })
    #expect(!cache.refreshTokens.contains { $0.identity == gone })
    #expect(cache.accessTokens.contains { $0.identity == left } == (kind != "access"))
    #expect(cache.refreshTokens.contains { $0.identity == left } == (kind != "refresh"))
    #expect(cache.idTokens.contains { $0.identity == left } == (kind != "id"))
  }

  @Test func `is not seen in any description`() throws {
    let cache = try cache(grant("very-secret", refresh: "very-secret"))
    var text = "\(cache) \(String(reflecting: cache)) "
    dump(cache, to: &text)
    for token in cache.accessTokens { dump(token, to: &text) }
    for token in cache.refreshTokens { dump(token, to: &text) }
    #expect(!text.contains("very-secret"))
  }
}
