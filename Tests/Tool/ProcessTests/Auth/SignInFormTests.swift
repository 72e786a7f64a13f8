import JSONRPC
import Foundation
import JSON
import Testing

/// The form of the sample app, which a user started at a terminal, and which the tool reaches with URLs.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The sign-in form of the sample app` {
  private static let app = "com.example.adventures"

  private struct Form {
    let stage: AuthStage
    let terminal: TerminalProgram

    init(_ options: String...) async throws {
      stage = try await AuthStage(options)
      terminal = try stage.host.atTerminal(product: "Adventures")
      try await terminal.hear("is running")
    }

    /// Opens a page of the app from another terminal.
    func open(_ page: String) throws -> Program { try stage.host.start(["open-url", "adventures://\(page)"]) }

    /// What opening a page comes to that asks nothing.
    func shown(_ page: String) async throws -> String { try await open(page).finish().stdout }

    func enter(_ email: String, _ password: String) async throws {
      try await terminal.answer("Email:", with: email)
      try await terminal.hear("Password:")
      #expect(!terminal.isCooked)
      terminal.type("\(password)\n")
    }

    /// Names an API, as a user of the sample does.
    func configure(_ number: Int, _ url: String, _ scope: String) async throws {
      for (key, value) in [("url", url), ("scopes", scope)] {
        let written = try await stage.host("defaults", "write", "group.\(app)", "api\(number).\(key)", value)
        #expect(written.status == 0, "\(written)")
      }
    }

    func allowCalls() async throws {
      #expect(try await stage.host("permissions", app, "grant", "auth").status == 0)
    }
  }

  @Test func `signs in after a wrong password, and calls two APIs with a token each`() async throws {
    let form = try await Form()
    let opened = try form.open("sign-in")
    try await form.enter(AuthStage.rider, "Not-The-Horse-1!")
    #expect(try await form.terminal.hear("Password:").contains("The user name or the password is wrong."))
    form.terminal.type("\(AuthStage.password)\n")
    let output = try await opened.finish()
    #expect(output.status == 0 && output.stdout == "Signed in as \(AuthStage.rider).\n", "\(output)")
    #expect(form.terminal.isCooked)
    #expect(try await form.shown("api/1") == "API 1 not configured.\n")
    try await form.configure(1, "\(form.stage.url)/api1", AuthStage.api1)
    try await form.configure(2, "\(form.stage.url)/api2", AuthStage.api2)
    try await form.allowCalls()
    for number in [1, 2] {
      let lines = try await form.shown("api/\(number)").split(separator: "\n")
      #expect(lines.first == "Retrieving access token to use with API \(number)...", "\(lines)")
      #expect(lines.dropFirst().prefix(2) == ["Accessed API successfully using access token.", "HTTP 200"], "\(lines)")
      #expect(lines.last?.contains("\"api\":\"api\(number)\"") == true && !lines.joined().contains("eyJ"), "\(lines)")
    }
    #expect(try await form.shown("sign-out") == "Signed out.\n")
    #expect(try await form.shown("sign-out") == "Nobody is signed in.\n")
    form.terminal.signal(SIGTERM)
    let (text, _) = try await form.terminal.finish()
    for secret in [AuthStage.password, "Not-The-Horse", "eyJ"] { #expect(!text.contains(secret), "\(text)") }
  }

  @Test func `has the tutorial's sentences for what goes wrong`() async throws {
    let form = try await Form("--fault", "/api1=page")
    for (email, password) in [("", ""), (AuthStage.rider, "")] {
      let opened = try form.open("sign-in")
      try await form.terminal.answer("Email:", with: email)
      if !email.isEmpty { try await form.terminal.answer("Password:", with: password) }
      #expect(try await opened.finish().stdout == "Email or password not set\n")
    }
    try await form.configure(1, "notes.example.com", AuthStage.api1)
    #expect(try await form.shown("api/1") == "Invalid API url\n")
    try await form.configure(1, form.stage.url, " ")
    #expect(try await form.shown("api/1") == "API 1 not configured.\n")
    try await form.configure(1, "\(form.stage.url)/nowhere", AuthStage.api1)
    try await form.allowCalls()
    // Nobody is signed in: the form comes first, and the call after it.
    let opened = try form.open("api/1")
    try await form.enter(AuthStage.rider, AuthStage.password)
    let refused = try await opened.finish().stdout
    #expect(
      refused
        == "Retrieving access token to use with API 1...\nUnsuccessful response found when accessing the API\nHTTP 404\n"
    )
    try await form.configure(1, "\(form.stage.url)/api1", AuthStage.api1)
    #expect(
      try await form.shown("api/1")
        == "Retrieving access token to use with API 1...\nCouldn't deserialize result JSON\nHTTP 200\n")
  }

  @Test func `goes through every step that a server may want`() async throws {
    let form = try await Form("--attribute", "city:[A-Z].*", "--lifetime", "poll=1")
    let host = form.stage
    func code(_ user: String) async throws {
      try await form.terminal.hear("Code that was sent to")
      form.terminal.type("\(try await host.code(for: user))\n")
    }
    let chosen = try form.open("sign-in")
    try await form.enter(AuthStage.factors, AuthStage.password)
    try await form.terminal.answer("A second factor (1–2", with: "1")
    try await code("first@example.com")
    #expect(try await chosen.finish().stdout == "Signed in as \(AuthStage.factors).\n")
    let registered = try form.open("sign-in")
    try await form.enter(AuthStage.lacking, AuthStage.password)
    try await form.terminal.answer("A second factor", with: "1")
    try await form.terminal.answer("Where its codes go", with: "second@example.com")
    try await code("second@example.com")
    #expect(try await registered.finish().stdout == "Signed in as \(AuthStage.lacking).\n")
    let made = try form.open("sign-up")
    try await form.enter("new@example.com", AuthStage.password)
    try await form.terminal.hear("Code that was sent to")
    form.terminal.type("00000000\n")
    try await form.terminal.hear("wrong")
    form.terminal.type("\(try await host.code(for: "new@example.com"))\n")
    try await form.terminal.answer("city:", with: "Orsk")
    #expect(try await made.finish().stdout == "Signed in as new@example.com.\n")
    let reset = try form.open("reset-password")
    try await form.terminal.answer("Email:", with: "new@example.com")
    try await code("new@example.com")
    try await form.terminal.answer("New password:", with: "weak")
    try await form.terminal.answer("New password:", with: "Another-Horse-7?")
    #expect(try await reset.finish().stdout == "Signed in as new@example.com.\n")
  }

  @Test func `ends when the user gives nothing, and says what ended it otherwise`() async throws {
    let form = try await Form()
    let given = try form.open("sign-in")
    try await form.enter(AuthStage.factors, AuthStage.password)
    try await form.terminal.answer("A second factor", with: "")
    #expect(try await given.finish().stdout == "The sign-in was cancelled.\n")
    let unknown = try form.open("sign-in")
    try await form.enter("nobody@example.com", AuthStage.password)
    let output = try await unknown.finish()
    #expect(output.status == 1 && output.stdout == "" && output.stderr.contains("no such user"), "\(output)")
    #expect(try await form.terminal.hear("Correlation id ").contains("no such user"))
    #expect(try await form.stage.auth("accounts --app com.example.adventures --json").json["accounts"] == [])
  }

  @Test(arguments: [SIGTERM, SIGINT]) func `leaves its terminal as it was when it is ended`(signal: Int32) async throws
  {
    let form = try await Form()
    let opened = try form.open("sign-in")
    try await form.terminal.answer("Email:", with: AuthStage.rider)
    try await form.terminal.hear("Password:")
    #expect(!form.terminal.isCooked)
    form.terminal.signal(signal)
    #expect(try await form.terminal.finish().status == 128 + signal)
    #expect(form.terminal.isCooked)
    #expect(try await opened.finish().status != 0)
  }

  @Test func `is the host's where the app runs in the sandbox`() async throws {
    let stage = try await AuthStage()
    let nobody = try await stage.host("open-url", "adventures://sign-in")
    #expect(nobody.status == 0 && nobody.stdout.hasPrefix("Email or password not set\n"), "\(nobody)")
    let terminal = try stage.host.atTerminal("open-url", "adventures://sign-in")
    #expect(try await terminal.hear("User name").contains("asks you to sign in"))
    terminal.type("\(AuthStage.rider)\n")
    try await terminal.answer("Password of", with: AuthStage.password)
    let (text, status) = try await terminal.finish()
    #expect(status == 0 && text.hasSuffix("Signed in as \(AuthStage.rider).\n"), "\(text)")
    #expect(!text.contains(AuthStage.password), "\(text)")
  }
}
