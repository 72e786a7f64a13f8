import ConfigurationFiles
import Files
import JSON
import TestSupport
import Testing
import Text

@testable import TokenBroker

/// What is asked for, and which token of the cache is an answer to it by now.
@Suite(.timeLimit(.minutes(1)))
struct `A question for a token` {
  private static let place = CachePlace(account: "u.t", environment: "e", client: "c", realm: "t")
  private static let now = 10_000

  private func ask(
    _ scopes: [String] = ["api://one/Read"], account: String = "u.t", limit: TokenLimit? = nil, claims: String? = nil,
    isForced: Bool = false, refused: CachedAccessToken? = nil
  ) throws -> TokenAsk {
    TokenAsk(
      identity: CacheIdentity(account: account, environment: "e", client: "c"), scopes: try ScopeList(scopes),
      limit: limit, claims: claims, isForced: isForced, refused: refused.map(RefusedToken.init))
  }

  private func token(
    _ secret: String, scope: String = "api://one/Read", cachedAt: Int = now, lifetime: Int = 3_600
  ) throws -> CachedAccessToken {
    let body: JSONObject = [
      "access_token": .string(secret), "scope": .string(scope), "expires_in": .integer(Int64(lifetime)),
    ]
    let grant = try TokenGrant(ServerReply(status: 200, body: .object(body)), server: "s")
    return CachedAccessToken(grant, identity: Self.place, asked: try ScopeList(["api://one/Read"]), now: cachedAt)
  }

  @Test func `is the same for the same account, scopes, claims and limit, however it is asked`() throws {
    let limit = TokenLimit([try ScopeList(["api://one/Read"])])
    let one = try ask(limit: limit, claims: "{}")
    #expect(one.isSame(as: try ask(["API://one/read"], limit: limit, claims: "{}", isForced: true)))
    #expect(one.isSame(as: try ask(limit: limit, claims: "{}", refused: token("a"))))
    for other in [
      try ask(["api://one/Write"], limit: limit, claims: "{}"), try ask(account: "v.t", limit: limit, claims: "{}"),
      try ask(claims: "{}"), try ask(limit: limit), try ask(limit: limit, claims: "{ }"),
      try ask(limit: TokenLimit([]), claims: "{}"),
    ] {
      #expect(!one.isSame(as: other) && !other.isSame(as: one))
    }
  }

  @Test func `is answered by a fresh token of the cache that was not refused`() throws {
    var cache = UnifiedCache()
    #expect(try ask().answer(in: cache, now: Self.now) == nil)
    let found = try token("a")
    cache.accessTokens = [found]
    #expect(try ask().answer(in: cache, now: Self.now)?.secret == Secret("a"))
    // Five minutes before its end it is no answer any more.
    let end = Self.now + 3_600 - CachedAccessToken.margin
    #expect(try ask().answer(in: cache, now: end - 1) != nil && ask().answer(in: cache, now: end) == nil)
    #expect(try ask(claims: "{}").answer(in: cache, now: Self.now) == nil)
    #expect(try ask(["api://one/Write"]).answer(in: cache, now: Self.now) == nil)
    #expect(try ask(account: "v.t").answer(in: cache, now: Self.now) == nil)
    #expect(try ask(limit: TokenLimit([])).answer(in: cache, now: Self.now) == nil)
    #expect(try ask(refused: found).answer(in: cache, now: Self.now) == nil)
    #expect(try ask(refused: token("b")).answer(in: cache, now: Self.now) != nil)
    #expect(try ask(isForced: true).answer(in: cache, now: Self.now) == nil)
  }

  @Test func `that is forced is answered by a token that came after the refused one`() throws {
    let refused = try token("a")
    for (secret, scope, cachedAt, isAnswer) in [
      ("a", "api://one/Read", Self.now + 1, false), ("b", "api://one/Read", Self.now, true),
      ("b", "api://one/Read api://one/Write", Self.now, false),
      ("b", "api://one/Read api://one/Write", Self.now + 1, true),
      ("b", "api://one/Read", Self.now - 1, true), ("b", "api://one/Read api://one/Write", Self.now - 1, false),
    ] {
      let other = try token(secret, scope: scope, cachedAt: cachedAt)
      #expect(RefusedToken(refused).isOlder(than: other) == isAnswer, "\(secret) \(scope) \(cachedAt)")
      var cache = UnifiedCache()
      cache.accessTokens = [other]
      let answer = try ask(isForced: true, refused: refused).answer(in: cache, now: Self.now + 1)
      #expect((answer != nil) == isAnswer)
    }
  }

  // MARK: Recent tokens

  private func answer(_ token: CachedAccessToken) -> AccessToken {
    AccessToken(token, account: "u.t", source: .cache)
  }

  private func key(_ name: String, account: String? = nil, limit: TokenLimit? = nil) -> RecentTokens.Key {
    RecentTokens.Key(scopes: [name], account: account, limit: limit)
  }

  @Test func `has the answer of before while the file is the same and the token fresh`() throws {
    let directory = try TemporaryDirectory()
    let stamps = try ["one", "two"].map { FileStamp(try directory.write("x", to: $0)) }
    #expect(stamps[0] != nil && stamps[1] != nil && stamps[0] != stamps[1])
    let recent = RecentTokens()
    let cached = try token("a")
    func found(_ name: String, _ stamp: FileStamp?, now: Int = Self.now, account: String? = nil) -> Secret? {
      recent.token(for: key(name, account: account), stamp: stamp, now: now)?.secret
    }
    recent.keep(answer(cached), of: cached, for: key("a"), stamp: nil)
    #expect(found("a", nil) == nil && found("a", stamps[0]) == nil)
    for stamp in [stamps[0], stamps[1], stamps[0]] {
      recent.keep(answer(cached), of: cached, for: key("a"), stamp: stamp)
      recent.keep(answer(cached), of: cached, for: key("b"), stamp: stamp)
      #expect(found("a", stamp) == Secret("a") && found("b", stamp) == Secret("a"))
      #expect(found("c", stamp) == nil && found("a", stamp, account: "u.t") == nil && found("a", nil) == nil)
      // What was known of the file before is not known of this one.
      #expect(found("a", stamp == stamps[0] ? stamps[1] : stamps[0]) == nil)
    }
    let end = Self.now + 3_600 - CachedAccessToken.margin
    #expect(found("a", stamps[0], now: end - 1) != nil && found("a", stamps[0], now: end) == nil)
    #expect(recent.token(for: key("a", limit: TokenLimit([])), stamp: stamps[0], now: Self.now) == nil)
    recent.keep(answer(cached), of: cached, for: key("c"), stamp: stamps[1])
    #expect(found("c", stamps[1]) != nil && found("a", stamps[1]) == nil && found("a", stamps[0]) == nil)
  }

  @Test func `has 256 answers at most, and begins anew with the next one`() throws {
    let directory = try TemporaryDirectory()
    let stamp = FileStamp(try directory.write("x", to: "one"))
    let recent = RecentTokens()
    let cached = try token("a")
    func isKnown(_ number: Int) -> Bool { recent.token(for: key("\(number)"), stamp: stamp, now: Self.now) != nil }
    for number in 0..<256 { recent.keep(answer(cached), of: cached, for: key("\(number)"), stamp: stamp) }
    #expect((0..<256).allSatisfy(isKnown))
    recent.keep(answer(cached), of: cached, for: key("256"), stamp: stamp)
    #expect(isKnown(256) && !(0..<256).contains(where: isKnown))
  }

  // MARK: Bounds

  @Test func `goes to a server whose address has 2,048 bytes, from a client whose name has 256`() throws {
    func isTaken(_ authority: String, _ client: String = "c") -> Bool {
      (try? IdentityConfiguration(authority: authority, clientID: client, kind: .native)) != nil
    }
    let longest = "https://h/" + String(repeating: "a", count: 2_038)
    #expect(longest.utf8.count == 2_048 && isTaken(longest) && !isTaken(longest + "a"))
    // A slash at the end does not count.
    #expect(isTaken(longest + "//"))
    let client = String(repeating: "c", count: 256)
    #expect(isTaken("https://h/t", client) && !isTaken("https://h/t", client + "c"))
    for wrong in ["", "a b", "é", "a\u{7F}"] { #expect(!isTaken("https://h/t", wrong), "\(wrong)") }
  }

  @Test func `is answered with scopes of 32 KiB, and no more than eight of those too many are told`() throws {
    func scopes(_ count: Int) throws -> ScopeList? {
      let text = "a " + String(repeating: "b", count: count - 2)
      let body: JSONObject = ["access_token": "at", "scope": .string(text)]
      return try TokenGrant(ServerReply(status: 200, body: .object(body)), server: "s").scopes
    }
    #expect(try scopes(32_768) != nil && scopes(32_769) == nil)
    let longest = String(repeating: "n", count: 512)
    #expect(try ScopeList([longest]).names == [longest] && (try? ScopeList([longest + "n"])) == nil)
    #expect(ScopeList(granted: "x \(longest)n \(longest)").names == ["x", longest])
    let names = (1...9).map { "s\($0)" }
    let error = AuthError.excessiveScopes(names)
    #expect(error.names == Array(names[..<8]))
    #expect(error.message == "The server grants s1, s2, s3, s4, s5, s6, s7, s8 too, which this caller may not use.")
    #expect(AuthError.excessiveScopes(["x"]).message == "The server grants x too, which this caller may not use.")
  }

  @Test func `is answered for a user whose claims have 64 KiB, not nested deeper than sixteen`() throws {
    func subject(_ text: String) -> String? {
      IDTokenClaims(Secret("a.\(Base64URL.encode(Array(text.utf8))).c"))?.subject
    }
    // Four letters for three bytes.
    let longest = #"{"sub":"s"}"# + String(repeating: " ", count: 49_152 - 11)
    #expect(subject(longest) == "s" && subject(longest + " ") == nil)
    func nested(_ depth: Int, _ members: String) -> String {
      "{\(members),\"a\":\(String(repeating: "[", count: depth - 1))\(String(repeating: "]", count: depth - 1))}"
    }
    #expect(subject(nested(16, #""sub":"s""#)) == "s" && subject(nested(17, #""sub":"s""#)) == nil)
    func user(_ depth: Int) -> String? {
      ClientInfo(Base64URL.encode(Array(nested(depth, #""uid":"u","utid":"t""#).utf8)))?.user
    }
    #expect(user(4) == "u" && user(5) == nil)
  }
}
