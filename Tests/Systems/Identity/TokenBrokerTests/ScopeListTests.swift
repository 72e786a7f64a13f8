import Testing

@testable import TokenBroker

@Suite(.timeLimit(.minutes(1)))
struct `A list of scopes` {
  @Test func `has at least one name`() throws {
    for empty in [[], [""], ["  ", ""]] as [[String]] {
      #expect(throws: AuthError.emptyScopes) { try ScopeList(empty) }
    }
  }

  @Test(arguments: ["a\"b", "a\\b", "a\u{7}", "caf\u{E9}", String(repeating: "a", count: 600)])
  func `takes no name that a request could not carry`(name: String) {
    let error = #expect(throws: AuthError.self) { try ScopeList([name]) }
    #expect(error?.kind == .invalidScope)
    #expect(error?.message.unicodeScalars.contains("\u{7}") == false)
  }

  @Test func `has an end`() {
    let many = (0..<65).map { "s\($0)" }
    #expect(throws: AuthError.tooManyScopes) { try ScopeList(many) }
    #expect(throws: AuthError.self) { try ScopeList([many.joined(separator: " ")]) }
    #expect(throws: Never.self) { try ScopeList(Array(many.dropLast())) }
  }

  @Test(arguments: [
    (["api://one/Read", "api://two/Read"], ["api://one", "api://two"]),
    (["User.Read", "api://one/Read"], ["the default resource", "api://one"]),
    (["https://graph.microsoft.com/.default", "api://one/.default"], ["https://graph.microsoft.com", "api://one"]),
  ])
  func `belongs to one resource`(names: [String], resources: [String]) {
    let error = #expect(throws: AuthError.self) { try ScopeList(names) }
    #expect(error?.kind == .severalResources)
    #expect(error?.names == resources)
  }

  @Test(arguments: [
    ["api://one/Read", "api://ONE/Write", "openid", "offline_access"], ["read", "write"], ["openid", "profile"],
    ["https://graph.microsoft.com/User.Read https://graph.microsoft.com/Mail.Read"],
  ])
  func `has scopes of the server itself beside those of a resource`(names: [String]) {
    #expect(throws: Never.self) { try ScopeList(names) }
  }

  @Test func `is the same in any case and order, and has each name once`() throws {
    let list = try ScopeList(["api://one/Write api://one/Read", "API://ONE/read"])
    #expect(list.names == ["api://one/Write", "api://one/Read"])
    #expect(list == (try ScopeList(["api://one/read", "api://one/write"])))
    #expect(list.hashValue == (try ScopeList(["api://one/read", "api://one/write"])).hashValue)
    #expect(list.target == "api://one/Read api://one/Write")
  }

  @Test func `covers what is part of it`() throws {
    let granted = ScopeList(granted: "openid profile api://one/Read api://one/Write")
    #expect(granted.covers(try ScopeList(["API://one/READ"])))
    #expect(granted.covers(try ScopeList(["api://one/Read", "openid", "email", "offline_access"])))
    #expect(granted.covers(try ScopeList(["openid", "offline_access"])))
    #expect(!granted.covers(try ScopeList(["api://one/Delete", "api://one/Read"])))
    #expect(!granted.covers(try ScopeList(["email"])))
    #expect(granted.missing(of: try ScopeList(["api://one/Delete", "api://one/Read"])) == ["api://one/Delete"])
  }

  @Test func `of a grant leaves out what is no name, and never fails`() {
    #expect(ScopeList(granted: "a \"b\" c\u{1}d  e").names == ["a", "e"])
    #expect(ScopeList(granted: "").isEmpty)
    #expect(ScopeList(granted: String(repeating: "x ", count: 100_000)).names == ["x"])
  }

  @Test func `has names of at most 512 bytes, of plain letters`() throws {
    let longest = String(repeating: "a", count: 512)
    #expect(try ScopeList([longest]).names == [longest])
    #expect(throws: AuthError.self) { try ScopeList([longest + "a"]) }
    #expect(ScopeList(granted: "\(longest) \(longest)a b").names == [longest, "b"])
    #expect(try ScopeList(["! ~ #[]^"]).names == ["!", "~", "#[]^"])
    for name in ["\u{1F}", "\u{7F}", "\t", "é", "a\"", "\\"] {
      let error = #expect(throws: AuthError.self) { try ScopeList(["ok", name]) }
      #expect(error?.kind == .invalidScope && ScopeList(granted: "ok \(name)").names == ["ok"])
    }
  }

  @Test func `of a grant is read up to 32,832 bytes`() {
    let start = String(repeating: "s ", count: 16_415)
    #expect(start.utf8.count == 32_830)
    #expect(ScopeList(granted: start + "ab").names == ["s", "ab"])
    #expect(ScopeList(granted: start + "abc").names == ["s", "ab"])
    #expect(throws: AuthError.self) { try ScopeList([String(repeating: " ", count: 32_832) + "s"]) }
    #expect(throws: Never.self) { try ScopeList([String(repeating: " ", count: 32_831) + "s"]) }
  }

  @Test func `takes letters of ASCII alone for the same in either case`() throws {
    #expect(try ScopeList(["AZ"]) == ScopeList(["az"]))
    #expect(try ScopeList(["@["]) != ScopeList(["`{"]))
    #expect(ScopeList(granted: "AZ").contains("az") && !ScopeList(granted: "a@").contains("a`"))
    let list = ScopeList(granted: "a b")
    #expect(list.intersects(ScopeList(granted: "B c")) && !list.intersects(ScopeList(granted: "c")))
    #expect(try ScopeList(["b", "a"]).union(ScopeList(["A", "c"])).names == ["b", "a", "c"])
  }

  @Test func `knows its resource by what is before the last slash, in any case`() throws {
    for (name, resource) in [
      ("api://one/Read", "api://one"), ("https://G/v1/a/Read", "https://g/v1/a"), ("Read", ""), ("/x", ""), ("a/", "a"),
    ] { #expect(ScopeList.resource(of: name) == resource) }
    #expect(try ScopeList(["API://one/Read", "api://ONE/Write", "email"]).resources == ["api://one"])
    let list = try ScopeList(["api://one/.DEFAULT", "OpenID", "PROFILE", "Email", "offline_ACCESS", "api://one/a"])
    #expect(list.ofResources.names == ["api://one/.DEFAULT", "api://one/a"])
    #expect(list.ofDefaults.names == ["api://one/.DEFAULT"] && ScopeList(granted: ".default").ofDefaults.isEmpty)
    #expect(
      ScopeList.standard.names == ["openid", "profile", "offline_access"] && ScopeList.standard.ofResources.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A limit of scopes` {
  private func limit(_ lists: String...) -> TokenLimit { TokenLimit(lists.map { ScopeList(granted: $0) }) }

  @Test func `is exceeded by what the best of its lists lacks`() {
    let granted = ScopeList(granted: "openid profile r/a r/b r/c")
    for (limit, excess) in [
      (limit(), ["r/a", "r/b", "r/c"]), (limit("r/a"), ["r/b", "r/c"]), (limit("r/a", "R/B r/c"), ["r/a"]),
      (limit("R/B r/c", "r/a"), ["r/a"]), (limit("r/a r/b r/c r/d"), []), (limit("r/.default"), []),
      (limit("R/.Default r/x"), []), (limit("q/.default r/a r/b"), ["r/c"]), (limit(""), ["r/a", "r/b", "r/c"]),
    ] {
      #expect(limit.excess(of: granted) == excess && limit.allows(granted) == excess.isEmpty)
    }
    #expect(limit("r/a").allows(ScopeList(granted: "openid email")) && limit().allows(ScopeList(granted: "openid")))
    #expect(!limit("r/a").allows(ScopeList(granted: "s")) && limit(".default").allows(ScopeList(granted: "s")) == false)
  }

  @Test func `is another one with other lists, and the same in any case`() {
    #expect(limit("r/a r/b") != limit("r/a", "r/b") && limit("r/a") != limit() && limit("r/a") != limit("r/b"))
    #expect(limit("r/b R/A") == limit("r/a r/b") && limit("r/b R/A").hashValue == limit("r/a r/b").hashValue)
  }
}
