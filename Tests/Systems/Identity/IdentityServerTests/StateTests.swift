import Testing

@testable import IdentityServer

@Suite(.timeLimit(.minutes(1)))
struct `What the server remembers` {
  @Test func `is found by its secret until its time is over`() {
    var table = ExpiringTable<Int>(limit: 3)
    table.insert(1, for: "a", until: 10)
    #expect(table.value("a", at: 9) == 1 && table.value("a", at: 10) == nil && table.value("b", at: 0) == nil)
    guard case .expired(1) = table.find("a", at: 10), case .missing = table.find("b", at: 0) else {
      Issue.record("an end is not the same as nothing")
      return
    }
    table.update("a") { $0 += 1 }
    table.update("b") { $0 += 1 }
    #expect(table.remove("a") == 2 && table.remove("a") == nil)
  }

  @Test func `gives way to the newer, the oldest first`() {
    var table = ExpiringTable<Int>(limit: 3)
    for number in 1...5 { table.insert(number, for: "\(number)", until: 10) }
    #expect(table.count == 3)
    #expect((1...5).map { table.value("\($0)", at: 0) } == [nil, nil, 3, 4, 5])
    table.insert(6, for: "4", until: 10)
    #expect((3...5).map { table.value("\($0)", at: 0) } == [3, 6, 5], "what is replaced takes no place of another")
    table.removeAll { $0 == 6 }
    #expect(table.count == 2)
  }

  @Test func `is as new as it was last put there, and lasts from then`() {
    var table = ExpiringTable<Int>(limit: 2)
    for (number, secret) in [(1, "a"), (2, "b"), (3, "a"), (4, "c")] {
      table.insert(number, for: secret, until: Int64(number) * 10)
    }
    #expect(table.value("a", at: 29) == 3 && table.value("a", at: 30) == nil)
    #expect(table.value("b", at: 0) == nil && table.value("c", at: 0) == 4)
  }

  @Test func `does not hold the secret`() {
    var table = ExpiringTable<Int>(limit: 3)
    table.insert(1, for: "hunter2", until: 10)
    var dumped = ""
    dump(table, to: &dumped)
    #expect(!dumped.contains("hunter2"))
  }

  @Test func `counts tries in a window, for each name`() {
    var limiter = AttemptLimiter(most: 2, seconds: 60, limit: 2)
    limiter.count("a", at: 0)
    #expect(limiter.wait("a", at: 0) == nil)
    limiter.count("a", at: 10)
    #expect(limiter.wait("a", at: 10) == 50 && limiter.wait("b", at: 10) == nil && limiter.wait("a", at: 60) == nil)
    limiter.count("a", at: 60)
    #expect(limiter.wait("a", at: 60) == nil, "a window begins anew")
    limiter.count("b", at: 60)
    for name in ["c", "d"] { for _ in 0..<2 { limiter.count(name, at: 61) } }
    #expect(limiter.wait("c", at: 61) == nil, "who is known is not forgotten for who is new")
    for _ in 0..<2 { limiter.count("c", at: 120) }
    #expect(limiter.wait("c", at: 120) == 60)
    limiter.reset("c")
    #expect(limiter.wait("c", at: 120) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00Z"), (951_782_400, "2000-02-29 00:00:00Z"), (1_709_251_199, "2024-02-29 23:59:59Z"),
    (4_102_444_799, "2099-12-31 23:59:59Z"), (-5, "1970-01-01 00:00:00Z"), (.max, "9999-12-31 23:59:59Z"),
  ])
  func `has its time in the calendar`(seconds: Int64, text: String) {
    #expect(OAuthFailure.timestamp(seconds) == text)
  }

  @Test(arguments: [
    ("c@x.de", "c***@x.de"), ("caller@example.com", "c***r@example.com"), ("+49151123", "***23"), ("@", "***@"),
    ("", "***"),
  ])
  func `shows of an address what its owner knows by it`(address: String, hint: String) {
    #expect(IdentityUser.Method.masked(address) == hint)
  }

  @Test(arguments: [
    ("a@b.de", "email", true), ("a@b", "email", false), ("@b.de", "email", false), ("a@b.de@c.de", "email", false),
    ("a b@c.de", "email", false), ("a@.de", "email", false), ("a\u{0}@b.de", "email", false),
    ("+4915112345", "sms", true), ("4915112345", "sms", false), ("+49x15112", "sms", false), ("+123", "sms", false),
  ])
  func `takes contacts that can be reached`(contact: String, channel: String, isOne: Bool) {
    #expect(IdentityService.isContact(contact, channel: channel) == isOne)
  }

  @Test func `is written in pages with its characters only`() {
    #expect(Page.escaped("<a href=\"x\">'&") == "&lt;a href=&quot;x&quot;&gt;&#39;&amp;")
    let form = Page.form(
      title: "<t>", problem: "<p>", hidden: ("h", "\"><script>"),
      fields: [Page.Field(name: "n", label: "<l>", value: "\"onfocus=x")], buttons: [("v", "<b>")])
    #expect(!form.contains("<script>") && !form.contains("\"onfocus") && !form.contains("<t>") && !form.contains("<l>"))
  }

  @Test(arguments: [
    ("http://127.0.0.1", true), ("http://127.0.0.1:1", true), ("http://127.0.0.1:65535/a?b", true),
    ("http://[::1]:80/", true), ("http://localhost/", true), ("http://127.0.0.1:", false),
    ("http://127.0.0.1:65536", false), ("http://127.0.0.1:1a", false), ("http://127.0.0.1:1.evil", false),
    ("https://127.0.0.1", false), ("http://127.0.0.12/", false), ("http://localhost?x", false),
  ])
  func `lets browsers back to this machine`(address: String, isAllowed: Bool) {
    #expect(IdentityClient.native.allows(redirectURI: address) == isAllowed)
  }

  @Test(arguments: [
    ("$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", true),
    ("$scrypt$ln=4,r=8,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAAAA", false), ("$scrypt$r=8,ln=4,p=1$A$A", false),
    ("$scrypt$ln=4,r=8$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA", false), ("", false), ("$$$$", false),
    ("$scrypt$ln=99999999999999999999,r=8,p=1$AAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA", false),
    ("$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAA=$AAAAAAAAAAAAAAAAAAAAAAAA", false),
  ])
  func `keeps of passwords what scrypt makes of them`(text: String, isOne: Bool) {
    #expect((PasswordHash(parsing: text) != nil) == isOne)
    #expect(PasswordHash(parsing: text)?.matches("x") != true)
  }

  @Test func `is told apart by salt, and found again by the password`() throws {
    let (one, other) = (
      try PasswordHash("Ä-1", cost: TestedServer.cheap), try PasswordHash("Ä-1", cost: TestedServer.cheap)
    )
    #expect(one != other && one.matches("Ä-1") && other.matches("Ä-1") && !one.matches("ä-1"))
  }

  @Test func `has scopes of one resource in any case of letters`() throws {
    let resources = ProtectedResource.samples
    let scope = try ScopeRequest(
      "openid API://11112222-bbbb-3333-cccc-4444dddd5555/items.read",
      resources: resources)
    #expect(scope.granted == ["Items.Read"])
    #expect(try ScopeRequest("", resources: resources).isEmpty)
    #expect(throws: OAuthFailure.self) { try ScopeRequest("OPENID", resources: resources) }
    #expect(throws: OAuthFailure.self) { try ScopeRequest(String(repeating: "a", count: 5_000), resources: resources) }
  }
}
