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
}
