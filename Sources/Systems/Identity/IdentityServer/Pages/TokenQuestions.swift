import HTTPServer
import JSON

/// The endpoints for issued tokens: introspection (RFC 7662), revocation (RFC 7009) and the user's own information.
extension IdentityService {
  func introspectToken(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    _ = try client(call, form)
    let token = try form.required("token", limit: 32_768)
    if case .none(let claims) = inspect(token, call) {
      var body: JSONObject = ["active": true, "token_type": "Bearer"]
      let names = [
        "scope": "scp", "client_id": "azp", "sub": "sub", "aud": "aud", "iss": "iss", "exp": "exp", "iat": "iat",
        "nbf": "nbf", "jti": "jti",
      ]
      for (name, claim) in names.sorted(by: { $0.key < $1.key }) { body[name] = claims[claim] }
      let user = claims["oid"]?.stringValue.flatMap { users.user(id: $0) }
      if let user { body["username"] = .string(user.username) }
      return call.json(body)
    }
    if let record = refreshTokens.value(token, at: call.now), !record.isSpent {
      return call.json([
        "active": true, "token_type": "refresh_token", "scope": .string(record.grant.scope.text),
        "client_id": .string(record.grant.clientID),
        "sub": .string(subject(of: record.grant.userID, for: record.grant.clientID)),
      ])
    }
    return call.json(["active": false])
  }

  /// Revokes a token. The answer is the same for an unknown token (RFC 7009, 2.2).
  func revoke(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try client(call, form)
    let token = try form.required("token", limit: 32_768)
    switch refreshTokens.find(token, at: call.now) {
    case .value(let record), .expired(let record):
      if record.grant.clientID == client.id { end(record.grant.family, at: call.now) }
    case .missing:
      if case .none(let claims) = inspect(token, call), claims["azp"]?.stringValue == client.id,
        let id = claims["jti"]?.stringValue
      {
        revoked.insert(true, for: id, until: (claims["exp"]?.integerValue ?? call.now) + 300)
      }
    }
    return call.response(ServerResponse(status: 200))
  }

  func userInformation(_ call: Call) -> ServerResponse {
    let claims: JSONObject
    switch authorized(call, audience: Self.ownAudience, scopes: ["openid"], realm: "userinfo") {
    case .success(let found): claims = found
    case .failure(let refusal): return refusal.answer
    }
    guard let user = claims["oid"]?.stringValue.flatMap({ users.user(id: $0) }) else {
      return refused(call, realm: "userinfo", "invalid_token", "The account is gone.").answer
    }
    let scopes = Set((claims["scp"]?.stringValue ?? "").split(separator: " ").map(String.init))
    var body: JSONObject = ["sub": claims["sub"] ?? .null]
    if scopes.contains("profile") {
      body["preferred_username"] = .string(user.username)
      if let name = user.name { body["name"] = .string(name) }
    }
    if scopes.contains("email") { body["email"] = .string(user.username) }
    return call.json(body)
  }
}
