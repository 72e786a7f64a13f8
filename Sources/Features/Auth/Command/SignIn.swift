import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import ExtensionProtocol
import CommandRuntime
import HTTPServer
import IdentityServer
import JSON
import TokenBroker

/// `host auth sign-in`, `sign-up` and `reset-password`.
struct SignIn {
  private let invocation: Invocation
  private let broker: TokenBroker
  private let username: String
  private let scopes: ScopeList

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    broker = try await AuthPlace(invocation).broker
    username = invocation.parsed.argument("USER") ?? ""
    let named = invocation.parsed.values("scope")
    scopes = named.isEmpty ? .standard : try ScopeList(named)
  }

  func run() async throws -> ExitStatus {
    if broker.configuration.kind == .openIDConnect { return try await openIDConnect() }
    guard !invocation.parsed.flag("device-code"), !invocation.parsed.flag("browser") else {
      throw CommandLineError(
        "The server is asked by native authentication, which knows no device code and no browser.",
        help: "Add --kind openid.")
    }
    guard !username.isEmpty else { throw Self.noUser }
    let account = try await withAnswers { answers in
      let flow = try broker.makeFlow(try start(answers))
      return try await FlowRun(invocation, flow, answers).run()
    }
    return report(account)
  }

  private func withAnswers<Value>(_ body: (AuthAnswers) async throws -> Value) async throws -> Value {
    guard Dialogue.isPossible(invocation) else {
      return try await body(try AuthAnswers(invocation, dialogue: nil, username: username))
    }
    return try await Dialogue.with(invocation) { dialogue in
      try await body(try AuthAnswers(invocation, dialogue: dialogue, username: username))
    }
  }

  private func start(_ answers: AuthAnswers) throws -> FlowStart {
    switch invocation.parsed.path[1] {
    case "sign-up":
      return FlowStart(
        .signUp, username: username, password: answers.givenPassword(), attributes: answers.givenAttributes(),
        scopes: scopes)
    case "reset-password": return FlowStart(.resetPassword, username: username, scopes: scopes)
    default: return FlowStart(.signIn, username: username, scopes: scopes)
    }
  }

  private static let noUser = CommandLineError(
    "Name the account to sign in: host auth sign-in USER.", help: "Name the user.")

  // MARK: OpenID Connect

  private static let pages: RedirectListener = { page, body in
    do {
      try await HTTPServer.withPages(page, body)
    } catch let error as HTTPServerError {
      throw AuthError(.cacheUnusable, error.message, recovery: error.recovery)
    }
  }

  private func openIDConnect() async throws -> ExitStatus {
    let parsed = invocation.parsed
    guard parsed.path[1] == "sign-in" else {
      throw AuthError(
        .notSupported, "\(broker.configuration.environment) is asked by OpenID Connect, which only signs in.",
        recovery: "Do it at the pages of the server.")
    }
    let console = invocation.console
    if parsed.flag("device-code") {
      let flow = try await broker.makeDeviceCodeFlow(scopes: scopes)
      console.note("Open \(flow.verificationURL) on any device, and type \(flow.userCode)")
      return report(try await flow.wait())
    }
    if parsed.flag("browser") {
      let flow = try await broker.makeAuthorizationCodeFlow(
        scopes: scopes, loginHint: username.isEmpty ? nil : username)
      return report(
        try await flow.run(listening: Self.pages) { url in
          console.note("Open \(ShownText(whole: url)) in a browser.")
        })
    }
    guard !username.isEmpty else { throw Self.noUser }
    let account = try await withAnswers { answers in
      guard case .password(let password) = try await answers.input(for: .passwordRequired) else { throw Self.noUser }
      return try await broker.signIn(username: username, password: password, scopes: scopes)
    }
    return report(account)
  }

  // MARK: Results

  private func report(_ account: Account?) -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(["account": account.map { AccountList.value($0) } ?? .null])
    } else if let account {
      invocation.console.print("Signed in as \(account.username).")
    } else {
      invocation.console.print("The password is set. Sign in with it.")
    }
    return .success
  }

  /// `host auth password-hash`
  static func printHash(_ invocation: Invocation) async throws -> ExitStatus {
    let password: Secret
    if let given = try invocation.parsed.secret("password") {
      password = Secret(given)
    } else if Dialogue.isPossible(invocation) {
      password = try await Dialogue.with(invocation) { dialogue in
        try await AuthAnswers(invocation, dialogue: dialogue, username: "").newPassword()
      }
    } else {
      throw CommandLineError("No password is given.", help: "Give --password-fd N or --password-file FILE.")
    }
    guard let hash = try? PasswordHash(password.revealed()) else {
      throw ExtensionError(.internalError, "The hash of the password could not be made.")
    }
    if invocation.wantsJSON {
      invocation.printJSON(["hash": .string(hash.text)])
    } else {
      invocation.console.print("\(hash.text)")
    }
    return .success
  }
}
