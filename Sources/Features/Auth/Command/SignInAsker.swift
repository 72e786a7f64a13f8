import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import IdentityServices
import TokenBroker

/// Signs the user in at the terminal when an extension asks for it.
struct SignInAsker: Sendable {
  private let invocation: Invocation
  private let identities: IdentityBook

  /// - Returns: the closure that asks; `nil` without a terminal.
  static func asker(_ invocation: Invocation, _ identities: IdentityBook) -> AuthService.SignIn? {
    guard Dialogue.isPossible(invocation) else { return nil }
    let asker = SignInAsker(invocation: invocation, identities: identities)
    return { question in
      try await withTaskExecutorPreference(invocation.loop) { try await asker.ask(question) }
    }
  }

  private func ask(_ question: SignInQuestion) async throws -> Auth.RequestSignIn.State {
    let broker = try await identities.broker(for: question.app)
    do {
      return try await Dialogue.interrupting(invocation) { dialogue in
        try await signIn(question, broker, dialogue) ? .signedIn : .cancelled
      }
    } catch is CancellationError {
      return .cancelled
    } catch let error as AuthError {
      if error.kind == .cancelled { return .cancelled }
      throw ExtensionError(error)
    } catch let failure as Failure {
      throw failure.error
    }
  }

  private func signIn(_ question: SignInQuestion, _ broker: TokenBroker, _ dialogue: Dialogue) async throws -> Bool {
    let caller = question.caller
    dialogue.say("\(caller.displayName) (\(caller.id)) asks you to sign in at \(broker.configuration.environment).")
    if !question.reason.isEmpty { dialogue.say("  It says: \(question.reason)") }
    let known: ShownText = question.loginHint.map { " (Enter for none, = for \($0))" } ?? " (Enter for none)"
    guard let typed = try await dialogue.ask("User name\(known):"), !typed.isEmpty else { return false }
    let username = typed == "=" ? question.loginHint ?? typed : typed
    let scopes = question.scopes.isEmpty ? ScopeList.standard : try ScopeList(question.scopes)
    let answers = try AuthAnswers(invocation, dialogue: dialogue, username: username)
    if broker.configuration.kind == .openIDConnect {
      guard case .password(let password) = try await answers.input(for: .passwordRequired) else { return false }
      _ = try await broker.signIn(username: username, password: password, scopes: scopes)
      return true
    }
    let flow = try broker.makeFlow(FlowStart(.signIn, username: username, scopes: scopes))
    return try await FlowRun(invocation, flow, answers).run() != nil
  }
}
