internal import ConfigurationFiles
internal import JSON
import Text
import Time
internal import WebTokens

/// The checks of an id token (OpenID Connect Core, 3.1.3.7), for both kinds of server.
extension TokenBroker {
  /// The seconds by which the clock of a server may be wrong.
  private static let leeway = 300

  /// Checks the id token of a grant: signature, issuer, audience, authorized party, times and nonce.
  ///
  /// - Parameter nonce: the value that the id token has to contain; nil for any.
  /// - Throws: `AuthError`, `invalidAnswer`, when the token is not the server's for this client; the errors of requesting
  ///   the keys.
  func checkIdentity(_ grant: TokenGrant, nonce: Secret? = nil) async throws(AuthError) {
    guard let secret = grant.idToken else {
      if nonce == nil { return }
      throw invalidIDToken("there is none")
    }
    guard let token = try? CompactToken(secret.revealed()), let claims = IDTokenClaims(secret),
      let header = try? JSONCoding.parse(token.header, maximumDepth: 4)
    else { throw invalidIDToken("it cannot be read") }
    guard let algorithm = header["alg"]?.stringValue, algorithm == "RS256" else {
      throw invalidIDToken(
        "it is signed as \(quotable(header["alg"]?.stringValue ?? "nothing"))",
        "Have the server sign the id tokens of this client as RS256.")
    }
    let keyID = header["kid"]?.stringValue
    guard var keys = try await identityKeys() else { throw invalidIDToken("the server names no keys") }
    if keys.hasSigned(token, keyID: keyID) == nil, let newer = try await identityKeys(anew: true) { keys = newer }
    guard keys.hasSigned(token, keyID: keyID) == true else { throw invalidIDToken("its signature is not the server's") }
    try check(claims, issuer: keys.issuer, nonce: nonce)
    try check(claims, of: grant)
  }

  /// Names are compared by their bytes: a K is not the sign of Kelvin.
  private func check(_ claims: IDTokenClaims, issuer: String, nonce: Secret?) throws(AuthError) {
    let now = clock.seconds
    let client = ExactText(configuration.clientID)
    if claims.issuer.map({ ExactText($0) }) != ExactText(issuer) { throw invalidIDToken("it is of another issuer") }
    if !claims.audiences.contains(where: { ExactText($0) == client }) {
      throw invalidIDToken("it is for another client")
    }
    let party = claims.authorizedParty.map { ExactText($0) }
    if claims.audiences.count > 1 || party != nil, party != client {
      throw invalidIDToken("it was made for another client")
    }
    if claims.subject == nil { throw invalidIDToken("it names no user") }
    guard let expires = claims.expires else { throw invalidIDToken("it has no end") }
    if expires + Self.leeway < now { throw invalidIDToken("its time is over") }
    if let nonce, claims.nonce.map({ Secret($0) }) != nonce { throw invalidIDToken("it belongs to another sign-in") }
  }

  /// What is kept under an account is that account's: in its home tenant a user has one identifier.
  private func check(_ claims: IDTokenClaims, of grant: TokenGrant) throws(AuthError) {
    guard configuration.kind == .native, let info = grant.clientInfo.flatMap(ClientInfo.init),
      let object = claims.objectID, claims.tenant?.lowercased() == info.tenant.lowercased()
    else { return }
    if object.lowercased() != info.user.lowercased() { throw invalidIDToken("it is of another user than client_info") }
  }

  private func invalidIDToken(_ why: String, _ recovery: String? = nil) -> AuthError {
    AuthError(
      .invalidAnswer, "The id token of \(configuration.environment) is not accepted: \(why).",
      recovery: recovery ?? "Sign in again; check the clock of this machine.")
  }
}
