import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The keys of the page` {
  /// The name and value of a cookie, without its attributes.
  private func pair(_ cookie: String) -> String { String(cookie.prefix { $0 != ";" }) }

  @Test func `open once each, the last eight of them`() throws {
    let keys = PageKeys()
    let tokens = (0..<9).map { _ in keys.newToken() }
    #expect(Set(tokens).count == 9 && tokens.allSatisfy { $0.utf8.count == 64 })
    #expect(keys.open(with: tokens[0]) == nil)
    for token in tokens.dropFirst() {
      #expect(keys.open(with: token) != nil)
      #expect(keys.open(with: token) == nil)
    }
    #expect(keys.open(with: "") == nil)
  }

  @Test func `belong to the last 32 sessions, each with a form of its own`() throws {
    let keys = PageKeys()
    let cookies = try (0..<33).map { _ in pair(try #require(keys.open(with: keys.newToken()))) }
    #expect(keys.session(cookies: [cookies[0]]) == nil)
    let forms = cookies.dropFirst().compactMap { keys.session(cookies: [$0])?.form }
    #expect(Set(forms).count == 32)
    #expect(keys.session(cookies: [cookies[1]]) === keys.session(cookies: ["a=b;  \(cookies[1]) ;c=d"]))
  }

  @Test func `are one cookie and no two`() throws {
    let keys = PageKeys()
    let cookie = pair(try #require(keys.open(with: keys.newToken())))
    #expect(keys.session(cookies: ["a=b", cookie]) != nil)
    for cookies in [
      [], [cookie, cookie], ["\(cookie); \(cookie)"], ["\(cookie); annex-page=x"], ["x\(cookie)"], ["\(cookie)0"],
      ["annex-page"], [String(cookie.dropLast())],
    ] {
      #expect(keys.session(cookies: cookies) == nil, "\(cookies)")
    }
  }

  @Test func `go over a secure connection only where there is one`() throws {
    for isSecure in [false, true] {
      let keys = PageKeys(isSecure: isSecure)
      let cookie = try #require(keys.open(with: keys.newToken()))
      #expect(
        cookie.dropFirst(pair(cookie).count)
          == "; Path=/\(keys.path)/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")")
    }
  }

  @Test func `keep a note for one look`() {
    let session = PageKeys.Session()
    #expect(session.takeNote() == nil)
    session.note("first")
    session.note("second")
    #expect(session.takeNote() == "second" && session.takeNote() == nil)
    session.note("third")
    #expect(session.takeNote() == "third")
  }
}
