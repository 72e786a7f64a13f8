internal import ConfigurationFiles

extension TokenBroker {
  /// Calls a web API with a token. When the API rejects the token, the broker repeats the call once with a new token
  /// and returns the second answer.
  ///
  /// - Parameters:
  ///   - limit: the scopes that the token may have at most; nil for no limit.
  ///   - send: sends the request with the token, at most twice.
  ///   - verdict: reads from the answer whether the API accepted the token.
  /// - Throws: `AuthError` when there is no token, and any error of `send`.
  package nonisolated func call<Answer>(
    scopes: [String], account: String? = nil, limit: TokenLimit? = nil,
    send: (AccessToken) async throws -> Answer,
    verdict: (Answer) -> CallVerdict
  ) async throws -> Answer {
    let token = try await token(scopes: scopes, account: account, limit: limit)
    let answer = try await send(token)
    let next: AccessToken
    do throws(AuthError) {
      switch verdict(answer) {
      case .final: return answer
      case .wantsNewToken:
        next = try await self.token(
          scopes: scopes, account: token.account, forceRefresh: true, refused: token, limit: limit)
      case .wantsClaims(let claims):
        next = try await self.token(
          scopes: scopes, account: token.account, claims: claims, refused: token, limit: limit)
      }
    } catch {
      // The identity server may be down: then the API has had its say.
      if error.isTransient { return answer }
      throw error
    }
    return try await send(next)
  }
}
