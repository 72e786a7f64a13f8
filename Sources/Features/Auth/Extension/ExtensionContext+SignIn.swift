public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
public import JSON

/// A containing app's own sign-in form. For extensions these calls fail with `pointDisallows`.
extension ExtensionContext {
  /// Begins to sign a user in.
  ///
  /// - Parameters:
  ///   - password: the password, if the form already has it.
  ///   - scopes: the scopes of the first tokens.
  /// - Throws: `authFailed` with the kind, for example `userNotFound`, `invalidCredentials` or `browserRequired`.
  public func beginSignIn(
    _ username: String, password: SecretText? = nil, scopes: [String]? = nil
  ) async throws(ExtensionError) -> SignInStep {
    try await begin(Auth.Begin(flow: .signIn, username: username, password: password, scopes: scopes))
  }

  /// Begins to create an account.
  ///
  /// - Parameter attributes: the attributes that the form already has, by the server's names.
  /// - Throws: as ``beginSignIn(_:password:scopes:)``; `userAlreadyExists`, `weakPassword`.
  public func beginSignUp(
    _ username: String, password: SecretText? = nil, attributes: JSONObject? = nil, scopes: [String]? = nil
  ) async throws(ExtensionError) -> SignInStep {
    try await begin(
      Auth.Begin(flow: .signUp, username: username, password: password, attributes: attributes, scopes: scopes))
  }

  /// Begins to reset a user's password.
  ///
  /// - Throws: as ``beginSignIn(_:password:scopes:)``; `noPassword` for an account without one.
  public func beginPasswordReset(_ username: String) async throws(ExtensionError) -> SignInStep {
    try await begin(Auth.Begin(flow: .resetPassword, username: username))
  }

  /// Deletes everything of an account, and has the server revoke its tokens where it can.
  ///
  /// - Throws: `interactionRequired` when there is no such account, `storeFailed`.
  public func signOut(_ account: Auth.Account) async throws(ExtensionError) {
    _ = try await call(Auth.SignOut(account: account.id))
  }

  private func begin(_ params: Auth.Begin) async throws(ExtensionError) -> SignInStep {
    let begun = try await call(params, deadline: .seconds(125))
    return try SignInStep(begun.state, SignInFlow(id: begun.flowID, context: self))
  }
}
