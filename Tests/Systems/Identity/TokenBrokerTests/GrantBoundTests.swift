import ConfigurationFiles
import JSON
import Testing
import Text

@testable import TokenBroker

/// What a server says of a token and its user, at the exact bounds, in texts of several bytes a character, and absent.
@Suite(.timeLimit(.minutes(1)))
struct `A grant at its bounds` {
  private func grant(_ members: JSONObject) -> TokenGrant? {
    var body: JSONObject = ["access_token": "at"]
    for (name, value) in members { body[name] = value.isNull ? nil : value }
    return try? TokenGrant(ServerReply(status: 200, body: .object(body)), server: "s")
  }

  @Test func `has a token of at most 128 KiB without blanks, of the kind that can be sent`() {
    let longest = String(repeating: "a", count: 1 << 17)
    #expect(grant(["access_token": .string(longest)]) != nil)
    for token in [longest + "a", "", "a b", "a\tb", " a", "a\u{7F}"] {
      #expect(grant(["access_token": .string(token)]) == nil)
    }
    #expect(grant(["access_token": .null]) == nil)
    #expect(grant(["access_token": 5]) == nil)
    #expect(grant(["access_token": "a!~"])?.accessToken == Secret("a!~"))
    #expect(grant([:])?.kind == "Bearer" && grant(["token_type": "bEARER"])?.kind == "Bearer")
    #expect(grant(["token_type": "DPoP"]) == nil)
  }

  @Test func `lives from no time to ten years, and an hour where nothing is said`() {
    let cases: [(JSONValue, Int)] = [
      (.null, 3_600), (0, 0), (-1, 0), ("7", 7), (315_360_000, 315_360_000), (315_360_001, 315_360_000),
      (1e300, 315_360_000), ("x", 3_600), (true, 3_600),
    ]
    for (value, lifetime) in cases { #expect(grant(["expires_in": value])?.lifetime == lifetime, "\(value)") }
    #expect(grant(["ext_expires_in": .null])?.extendedLifetime == nil)
    #expect(grant(["refresh_in": -5])?.refreshIn == 0)
  }

  private func info(_ user: String, _ tenant: String = "t") -> String {
    Base64URL.encode(Array(JSONCoding.text(of: ["uid": .string(user), "utid": .string(tenant)]).utf8))
  }

  @Test func `names its user in 256 plain bytes`() {
    let longest = String(repeating: "u", count: 256)
    #expect(ClientInfo(info(longest)) == ClientInfo(info(longest, "t")))
    #expect(ClientInfo(info(longest))?.user == longest)
    for user in [longest + "u", "", "a b", "é", "a\u{7F}", "a\n"] {
      #expect(ClientInfo(info(user)) == nil && ClientInfo(info("u", user)) == nil)
    }
    #expect(ClientInfo("") == nil && ClientInfo("%") == nil)
    let padded = Base64URL.encode(Array((#"{"uid":"u","utid":"t"}"# + String(repeating: " ", count: 6_122)).utf8))
    #expect(padded.utf8.count == 8_192 && ClientInfo(padded)?.user == "u")
    #expect(
      ClientInfo(Base64URL.encode(Array((#"{"uid":"u","utid":"t"}"# + String(repeating: " ", count: 6_123)).utf8)))
        == nil)
  }

  private func claims(_ members: JSONObject) -> IDTokenClaims? {
    IDTokenClaims(Secret("a.\(Base64URL.encode(Array(JSONCoding.text(of: .object(members)).utf8))).c"))
  }

  @Test func `has an id token whose claims are read up to their bounds`() {
    let longest = String(repeating: "é", count: 512)
    #expect(claims(["sub": .string(longest)])?.subject == longest)
    #expect(claims(["sub": .string(longest + "x")])?.subject == nil)
    #expect(claims(["sub": ""])?.subject == nil && claims(["sub": 5])?.subject == nil)
    let many = JSONValue.array((0..<20).map { .string("c\($0)") })
    #expect(claims(["aud": many])?.audiences.count == 16)
    #expect(claims(["aud": "c"])?.audiences == ["c"] && claims([:])?.audiences == [])
    let ends: [(JSONValue, Int?)] = [
      (0, 0), (253_402_300_799, 253_402_300_799), (253_402_300_800, nil), (-1, nil), (1.9, 1), (-0.5, nil),
      (1e300, nil),
      ("1", nil), (.null, nil),
    ]
    for (value, end) in ends { #expect(claims(["exp": value])?.expires == end, "\(value)") }
    for token in ["", "a.b", "a.e30.c.d", "a.W10.c"] { #expect(IDTokenClaims(Secret(token)) == nil) }
  }

  @Test func `takes the first name of the user that there is`() throws {
    var members: JSONObject = [
      "preferred_username": "p", "email": "e", "upn": "u", "unique_name": "n", "name": "N", "sub": "s",
    ]
    for (name, found) in [("preferred_username", "p"), ("email", "e"), ("upn", "u"), ("unique_name", "n")] {
      #expect(claims(members)?.username == found)
      members[name] = nil
    }
    func username(_ given: String?) throws -> String {
      var made = try #require(grant([:]))
      made.idToken = Secret("a.\(Base64URL.encode(Array(JSONCoding.text(of: .object(members)).utf8))).c")
      return AccountFacts(made, username: given).username
    }
    #expect(try username("given") == "given" && username(nil) == "N")
    members["name"] = nil
    #expect(try username(nil) == "s")
    members["sub"] = nil
    #expect(try username(nil) == "unknown")
  }

  @Test func `is one of 4,096 that are kept, the ones that live longest`() {
    let place = CachePlace(account: "u.t", environment: "e", client: "c", realm: "t")
    var cache = UnifiedCache()
    for number in 0..<UnifiedCache.mostEntities {
      let grant = TokenGrant(
        accessToken: Secret("\(number)"), scopes: ScopeList(granted: "api://\(number)/Read"),
        lifetime: 10_000 - number, extendedLifetime: nil, refreshIn: nil, refreshToken: nil, idToken: nil,
        clientInfo: nil)
      cache.accessTokens.append(CachedAccessToken(grant, identity: place, asked: ScopeList(granted: "x"), now: 1))
    }
    let more = TokenGrant(
      accessToken: Secret("more"), scopes: ScopeList(granted: "api://more/Read"), lifetime: 10_001,
      extendedLifetime: nil, refreshIn: nil, refreshToken: nil, idToken: nil, clientInfo: nil)
    cache.keep(more, place: place, asked: ScopeList(granted: "x"), now: 1)
    #expect(cache.accessTokens.count == UnifiedCache.mostEntities)
    let secrets = Set(cache.accessTokens.map { $0.secret.revealed() })
    #expect(secrets.contains("more") && secrets.contains("0") && secrets.contains("4094") && !secrets.contains("4095"))
  }
}
