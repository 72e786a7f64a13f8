import Contracts
import ExtensionHosting
import ExtensionProtocol
import TokenBroker

/// Serves the requests for sign-in of extensions.
extension AuthService {
  func requestSignIn(_ params: Auth.RequestSignIn, for caller: Caller) async throws -> Auth.RequestSignIn.Result {
    var scopes: ScopeList?
    if let asked = params.scopes, !asked.isEmpty {
      let wanted = try AuthRules.scopes(asked)
      _ = try AuthRules(caller.identity).servers(for: wanted)
      scopes = wanted
    }
    guard params.loginHint?.utf8.count ?? 0 <= 1_024 else {
      throw ExtensionError(.invalidParams, "A user name has at most 1,024 bytes.")
    }
    if let account = try await account(params.loginHint, with: scopes, of: caller) {
      return Auth.RequestSignIn.Result(state: .signedIn, account: account)
    }
    guard let signIn else { return Auth.RequestSignIn.Result(state: .unavailable) }
    guard try questions.begin(caller) else { return Auth.RequestSignIn.Result(state: .cancelled) }
    let question = SignInQuestion(
      caller: caller.identity, reason: String(params.reason.prefix(200)), scopes: scopes?.names ?? [],
      loginHint: params.loginHint)
    var state: Auth.RequestSignIn.State
    do {
      state = try await caller.process.whileUserIsAsked { try await signIn(question) }
    } catch {
      questions.end(caller, declined: false)
      throw error
    }
    questions.end(caller, declined: state == .cancelled)
    guard state == .signedIn else { return Auth.RequestSignIn.Result(state: state) }
    // Whoever signed in now is not always the first account there is.
    var account = try await account(params.loginHint, with: scopes, of: caller)
    if account == nil, scopes != nil { account = try await self.account(params.loginHint, with: nil, of: caller) }
    // The result depends on the stored account, because the code that asks the user may be wrong.
    if account == nil { state = .cancelled }
    return Auth.RequestSignIn.Result(state: state, account: account)
  }

  /// Returns the first signed-in account that can get the scopes without asking the user.
  ///
  /// - Throws: what failed first, when no account can get them and not only for want of an answer of the user's.
  private func account(
    _ hint: String?, with scopes: ScopeList?, of caller: Caller
  ) async throws -> Auth.Account? {
    let app = caller.identity.containingApp
    let accounts = try await accounts(of: app)
      .filter { account in
        account.signedIn && hint.map { $0.lowercased() == account.username.lowercased() } ?? true
      }
    guard let scopes else { return accounts.first }
    let broker = try await identities.broker(for: app)
    let limit = AuthRules(caller.identity).limit(for: scopes)
    var failure: AuthError?
    for account in accounts {
      do throws(AuthError) {
        _ = try await broker.token(scopes: scopes.names, account: account.id, limit: limit)
        return account
      } catch {
        if [.interactionRequired, .consentRequired, .noAccount].contains(error.kind) { continue }
        // Nothing is asked any more for a caller that is gone.
        guard error.kind != .cancelled else { throw ExtensionError(error) }
        failure = failure ?? error
      }
    }
    if let failure { throw ExtensionError(failure) }
    return nil
  }
}
