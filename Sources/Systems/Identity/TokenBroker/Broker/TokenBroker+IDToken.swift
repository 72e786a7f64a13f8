package import ConfigurationFiles
import Time

/// A token that says who somebody is, for servers that know their users by it.
package struct IdentityToken: Sendable, Equatable {
  /// Three parts, the second of which has the claims.
  package let secret: Secret
  /// Whom it names.
  package let subject: String
}

extension TokenBroker {
  /// Whom the id token of an account names, without a look at any server; `nil` when nobody is signed in.
  ///
  /// - Parameter account: an id or a user name; `nil` means the only account there is.
  /// - Throws: `AuthError` when the cache cannot be read, or when several accounts are signed in and none is named.
  package nonisolated func subject(account: String? = nil) async throws(AuthError) -> String? {
    try await known(account)?.token?.subject
  }

  /// The id token of an account; `nil` when nobody is signed in.
  ///
  /// - Parameters:
  ///   - account: an id or a user name; `nil` means the only account there is.
  ///   - forceRefresh: whether one of the cache does not do, however long it lives.
  /// - Throws: `AuthError`; `interactionRequired` when the server gives none.
  package nonisolated func idToken(
    account: String? = nil, forceRefresh: Bool = false
  ) async throws(AuthError) -> IdentityToken? {
    guard let found = try await known(account) else { return nil }
    if !forceRefresh, let token = found.token, lives(token) { return token }
    var failure: AuthError?
    do throws(AuthError) {
      _ = try await refreshed(TokenAsk(identity: found.identity, scopes: .standard, isForced: true))
    } catch {
      // A server that grants other scopes than these has given the token all the same.
      failure = error
    }
    if let token = try await known(account)?.token, lives(token), failure == nil || token != found.token {
      return token
    }
    throw failure
      ?? AuthError(.interactionRequired, "\(configuration.environment) gave no id token.", recovery: "Sign in again.")
  }

  private nonisolated func lives(_ token: IdentityToken) -> Bool {
    // Five minutes before its end it is renewed, as access tokens are.
    IDTokenClaims(token.secret)?.expires.map { $0 > clock.seconds + 300 } ?? false
  }

  private nonisolated func known(
    _ account: String?
  ) async throws(AuthError) -> (identity: CacheIdentity, token: IdentityToken?)? {
    let contents = try await cache.contents()
    let identity: CacheIdentity
    do throws(AuthError) {
      identity = try self.identity(of: account, in: contents)
    } catch {
      // Nobody is a user too, of what is open to everybody; several are not.
      if account == nil, error.kind == .noAccount, error.names.isEmpty { return nil }
      throw error
    }
    guard let secret = contents.idToken(of: identity)?.secret, let subject = IDTokenClaims(secret)?.subject else {
      return (identity, nil)
    }
    return (identity, IdentityToken(secret: secret, subject: subject))
  }
}
