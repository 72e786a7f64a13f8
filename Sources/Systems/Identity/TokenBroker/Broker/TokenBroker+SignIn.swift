internal import ConfigurationFiles
internal import Files
import Time

extension TokenBroker {
  /// A flow of native authentication, not begun.
  ///
  /// - Parameter waits: called when the flow begins to wait for the server to set a new password, for at most
  ///   ``AuthFlowMachine/longestWait`` seconds.
  /// - Throws: `AuthError`, `notSupported`, for a server that speaks OpenID Connect.
  package nonisolated func makeFlow(
    _ start: FlowStart, waits: @escaping @Sendable () -> Void = {}
  ) throws(AuthError) -> AuthFlow {
    guard configuration.kind == .native else {
      throw AuthError(
        .notSupported, "\(configuration.environment) is asked by OpenID Connect, which has no such flow.",
        recovery: "Sign in with a browser, a device code, or by password where the server allows it.")
    }
    return AuthFlow(start, exchange: exchange(), clock: clock, waits: waits) { grant, start throws(AuthError) in
      try await self.checkIdentity(grant)
      return try await self.signedIn(grant, username: start.username, asked: start.scopes)
    }
  }

  /// Stores the tokens of a user who has just signed in. With native authentication a client has one account, and the
  /// new account replaces it.
  func signedIn(_ grant: TokenGrant, username: String?, asked: ScopeList) async throws(AuthError) -> Account {
    let facts = AccountFacts(grant, username: username)
    let place = CachePlace(
      account: facts.homeAccountID, environment: configuration.environment, client: configuration.clientID,
      realm: facts.realm ?? configuration.realm)
    let now = clock.seconds
    let isOnly = configuration.kind == .native
    // A refresh that is on its way belongs to what was before.
    let lock = try await cache.lockForRefresh(place.identity)
    do throws(AuthError) {
      try await cache.change {
        $0.signIn(grant, place: place, facts: facts, asked: asked, replacing: isOnly, now: now)
      }
    } catch {
      lock.unlock()
      throw error
    }
    lock.unlock()
    shortfalls.forget(place.identity)
    lastEarlyRefresh[place.identity] = nil
    return Account(id: facts.homeAccountID, username: facts.username, name: facts.name, signedIn: true)
  }

  /// Deletes everything of an account, then has the server revoke its refresh token where it can. What the server says to
  /// that does not matter: the account is signed out here.
  ///
  /// - Parameter account: an id or a user name; `nil` means the only account there is.
  /// - Returns: whether the server confirmed it; `nil` when it has no place for that.
  /// - Throws: `AuthError`, `noAccount`, or when the cache cannot be written.
  @discardableResult
  package func signOut(_ account: String? = nil) async throws(AuthError) -> Bool? {
    let identity = try identity(of: account, in: try await cache.contents())
    // A refresh that is on its way would bring back what is deleted now.
    let lock = try await cache.lockForRefresh(identity)
    let secrets: [Secret]
    do throws(AuthError) {
      secrets = try await cache.change { $0.signOut(identity) }.value
    } catch {
      lock.unlock()
      throw error
    }
    lock.unlock()
    shortfalls.forget(identity)
    lastEarlyRefresh[identity] = nil
    return await revoke(secrets)
  }

  private func revoke(_ secrets: [Secret]) async -> Bool? {
    guard configuration.kind == .openIDConnect, !secrets.isEmpty, let endpoints = try? await endpoints(),
      let url = endpoints.revocationEndpoint
    else { return nil }
    var isDone = true
    for secret in secrets.prefix(8) {
      var form: FormFields = ["client_id": configuration.clientID, "token_type_hint": "refresh_token"]
      form["token"] = secret
      let reply = try? await exchange().post(form, to: url, endsWithCaller: false, timeout: .seconds(5))
      isDone = isDone && reply?.isSuccess ?? false
    }
    return isDone
  }
}
