import JSON
import Foundation
import JSONRPC
import Testing

/// A sign-in of a user who sits at a terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A sign-in at a terminal` {
  @Test func `asks again after a wrong password, and shows none`() async throws {
    let stage = try await AuthStage()
    // A shell may allow no core files anyway.
    var limit = rlimit()
    try #require(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
    var wide = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &wide)
    defer { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) }
    let program = try stage.host.atTerminal("auth", "sign-in", AuthStage.rider)
    try await program.hear("Password of \(AuthStage.rider):")
    #expect(!program.isCooked)
    program.type("Not-The-Horse-1!\n")
    // What is typed before the terminal asks for it is shown, as at every terminal.
    try await program.hear("The user name or the password is wrong.", then: "Password of \(AuthStage.rider):")
    for name in ["cmdline", "environ"] { #expect(try !program.told(name).contains("Not-The-Horse")) }
    // The soft limit comes first: a crash writes no memory with a password in it.
    #expect(try program.told("limits").contains(#/Max core file size +0 /#))
    program.type("\(AuthStage.password)\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.hasSuffix("Signed in as \(AuthStage.rider).\n"), "\(text)")
    #expect(!text.contains(AuthStage.password) && !text.contains("Not-The-Horse"), "\(text)")
    #expect(program.isCooked)
  }

  @Test func `sends another code when it is asked to`() async throws {
    let stage = try await AuthStage()
    let program = try stage.host.atTerminal("auth", "sign-in", AuthStage.coded)
    try await program.hear("Code (Enter sends another one):")
    let first = try await stage.code(for: AuthStage.coded)
    program.type("\n")
    try await program.hear("Code (Enter sends another one):")
    let second = try await stage.code(for: AuthStage.coded)
    #expect(first != second)
    program.type("\(second)\n")
    let (text, status) = try await program.finish()
    #expect(status == 0, "\(text)")
  }

  @Test func `tells a wrong code from one that can be right no more, and says once that one was sent`() async throws {
    let stage = try await AuthStage()
    let program = try stage.host.atTerminal("auth", "sign-in", AuthStage.coded)
    try await program.hear("Code (Enter sends another one):")
    for said in Array(repeating: "The code is wrong.", count: 4) + ["tried too often"] {
      program.type("00000000\n")
      try await program.hear(said, then: "Code (Enter sends another one):")
    }
    program.type("\n")
    try await program.hear("was sent to", then: "Code (Enter sends another one):")
    program.type("\(try await stage.code(for: AuthStage.coded))\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.components(separatedBy: "was sent to").count == 3, "\(text)")
  }

  @Test func `offers the second factors`() async throws {
    let stage = try await AuthStage()
    let program = try stage.host.atTerminal("auth", "sign-in", AuthStage.factors)
    try await program.answer("Password of", with: AuthStage.password)
    let offer = try await program.hear("Send a code to which")
    #expect(offer.contains("1  email  f***t@example.com") && offer.contains("2  sms"), "\(offer)")
    program.type("1\n")
    try await program.hear("Code (Enter")
    program.type("\(try await stage.code(for: "first@example.com"))\n")
    let (text, status) = try await program.finish()
    #expect(status == 0, "\(text)")
  }

  @Test func `asks for attributes, and twice for a new password`() async throws {
    let stage = try await AuthStage("--attribute", "city")
    let program = try stage.host.atTerminal("auth", "sign-up", "new@example.com")
    try await program.hear("Code (Enter")
    program.type("\(try await stage.code(for: "new@example.com"))\n")
    try await program.answer("assword", with: AuthStage.password)
    var heard = try await program.hear(":")
    if heard.contains("Again") {
      program.type("\(AuthStage.password)\n")
      heard = try await program.hear("city")
    }
    program.type("Orsk\n")
    let (text, status) = try await program.finish()
    #expect(status == 0 && text.contains("Signed in as new@example.com."), "\(text)")
  }

  @Test(arguments: ["\u{3}", "\u{4}"]) func `can be given up, and leaves the terminal as it was`(
    key: String
  ) async throws {
    let stage = try await AuthStage()
    let program = try stage.host.atTerminal("auth", "sign-in", AuthStage.rider)
    try await program.hear("Password of \(AuthStage.rider):")
    // The child has no controlling terminal that would make a signal of the key.
    if key == "\u{3}" { program.signal(SIGINT) } else { program.type(key) }
    let (text, status) = try await program.finish()
    #expect(status == (key == "\u{3}" ? 130 : 1), "\(status) \(text)")
    #expect(program.isCooked)
    #expect(try await stage.auth("accounts --json").json["accounts"] == [])
  }
}
