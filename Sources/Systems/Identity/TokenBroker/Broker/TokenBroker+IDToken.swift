package import ConfigurationFiles
import Time

/// An id token, which identifies the user to a server that has its own records of users.
package struct IdentityToken: Sendable, Equatable {
  /// The id token: three parts, the second of which contains the claims (RFC 7519).
  package let secret: Secret
  /// The user's identifier: the `sub` claim.
  package let subject: String
}

extension TokenBroker {
  /// Returns the subject of an account's id token from the cache, without a request; nil when no user is signed in.
  ///
  /// - Parameter account: an account's identifier or user name; nil selects the only signed-in account.
  /// - Throws: `AuthError` when the cache cannot be read, or when several accounts are signed in and `account` is nil.
  package nonisolated func subject(account: String? = nil) async throws(AuthError) -> String? {
    try await known(account)?.token?.subject
  }

  /// Returns the id token of an account; nil when no user is signed in.
  ///
  /// - Parameters:
  ///   - account: an account's identifier or user name; nil selects the only signed-in account.
  ///   - forceRefresh: whether the broker requests a new token although the cache has a valid one.
  /// - Throws: `AuthError`; `interactionRequired` when the server issues no id token.
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
      // A caller without a user may still use public data, so no account is not an error; several accounts are one.
      if account == nil, error.kind == .noAccount, error.names.isEmpty { return nil }
      throw error
    }
    guard let secret = contents.idToken(of: identity)?.secret, let subject = IDTokenClaims(secret)?.subject else {
      return (identity, nil)
    }
    return (identity, IdentityToken(secret: secret, subject: subject))
  }
}
