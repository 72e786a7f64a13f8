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
      let console = invocation.console
      let start = try start(answers)
      let flow = try broker.makeFlow(start) {
        console.note(
          "Waiting for the server to set the new password, for at most \(AuthFlowMachine.longestWait / 60) minutes …")
      }
      do {
        return try await FlowRun(invocation, flow, answers).run()
      } catch {
        if Task.isCancelled || error is CancellationError {
          console.note(Self.outcome(of: start.kind, in: await flow.state))
        }
        throw error
      }
    }
    return report(account)
  }

  /// What a flow that the user ended has done, and what it has not.
  private static func outcome(of kind: FlowKind, in state: FlowState?) -> ShownText {
    switch (kind, state) {
    case (.signIn, _): "Nobody was signed in; the tokens that were kept before are still there."
    case (.signUp, .passwordRequired), (.signUp, .attributesRequired), (.signUp, .codeRequired), (.signUp, nil):
      "No account was made."
    case (.signUp, _): "The account may have been made: try to sign in."
    case (.resetPassword, .polling): "The new password was sent, and may hold: try to sign in with it."
    case (.resetPassword, _): "The password is as it was."
    }
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

  private static func pages(at port: Int) -> RedirectListener {
    { page, body in
      do {
        try await HTTPServer.withPages(port: port, page, body)
      } catch let error as HTTPServerError {
        throw AuthError(.cacheUnusable, error.message, recovery: error.recovery)
      }
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
      let path = parsed.value("redirect-path") ?? "/"
      guard path.hasPrefix("/"), path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }) else {
        throw CommandLineError("“\(path.escapedForTerminal)” is not a path.", help: "Write it as /callback.")
      }
      let flow = try await broker.makeAuthorizationCodeFlow(
        scopes: scopes, loginHint: username.isEmpty ? nil : username, path: path)
      let port = try parsed.integer("redirect-port", in: 1...65535) ?? 0
      return report(
        try await flow.run(listening: Self.pages(at: port)) { url in
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
      let isSignUp = invocation.parsed.path[1] == "sign-up"
      invocation.console.print(
        "\(isSignUp ? "The account is made. Sign in to it." : "The password is set. Sign in with it.")")
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
