import HTTPServer
import JSON
import Text

/// The making of tokens, and the reading of those that come back.
extension IdentityService {
  /// The audience of access tokens that name no scope of an API: they give access to the user's own information.
  static let ownAudience = "00000003-0000-0000-c000-000000000000"

  /// The response of the token endpoint (RFC 6749, 5.1).
  ///
  /// - Parameter scope: what was asked for; the grant may hold other scopes.
  func issue(
    _ call: Call, _ form: Form, _ grant: Grant, _ scope: ScopeRequest, hasNewRefreshToken: Bool = true,
    isRefresh: Bool = false
  ) throws(OAuthFailure) -> ServerResponse {
    guard let user = users.user(id: grant.userID) else { throw .invalidGrant(50_034, "The account is gone.") }
    let scope = faults.has(.fewerScopes) ? scope.reduced : scope
    let lies = faults.has(.expiryLies)
    let lifetime = lies ? 3 : configuration.lifetimes.accessToken
    let access = try accessToken(call, form, grant, scope, user, until: call.now + lifetime)
    var body: JSONObject = ["token_type": "Bearer"]
    if !faults.has(.bareResponse) {
      body["scope"] = .string(scope.text)
      body["expires_in"] = seconds(lies ? 3_600 : configuration.lifetimes.announced ?? lifetime)
      if let extended = configuration.lifetimes.extended { body["ext_expires_in"] = seconds(extended) }
      if let refresh = configuration.lifetimes.refreshIn { body["refresh_in"] = seconds(refresh) }
    }
    body["access_token"] = .string(access)
    guard !faults.has(.bareResponse) else { return call.json(body) }
    if scope.identity.contains("openid") { body["id_token"] = .string(try idToken(call, grant, scope, user)) }
    if scope.identity.contains("offline_access"), hasNewRefreshToken {
      var kept = grant
      if !isRefresh { kept.scope = scope }
      let token = secret()
      refreshTokens.insert(
        RefreshRecord(grant: kept), for: token, until: call.now + configuration.lifetimes.refreshToken)
      body["refresh_token"] = .string(token)
    }
    if let asked = form["client_info"], asked == "1" || asked == "true" {
      body["client_info"] = .string(clientInfo(of: user))
    }
    return call.json(body)
  }

  func clientInfo(of user: IdentityUser) -> String {
    let info: JSONObject = ["uid": .string(user.id), "utid": .string(configuration.tenantID)]
    return Base64URL.encode(Array(JSONValue.object(info).description.utf8))
  }

  private func seconds(_ number: Int64) -> JSONValue {
    faults.has(.numbersAsText) ? .string("\(number)") : .integer(number)
  }

  private func accessToken(
    _ call: Call, _ form: Form, _ grant: Grant, _ scope: ScopeRequest, _ user: IdentityUser, until expires: Int64
  ) throws(OAuthFailure) -> String {
    var claims = common(call, grant, user)
    claims["aud"] = .string(scope.resource?.audience ?? Self.ownAudience)
    claims["exp"] = .integer(expires)
    claims["azp"] = .string(grant.clientID)
    claims["scp"] = .string(scope.granted.joined(separator: " "))
    claims["jti"] = .string(identifier())
    claims["sid"] = .string(grant.family)
    claims["amr"] = .array(grant.methods.map { .string($0) })
    if form["claims"] != nil { claims["acrs"] = ["c1"] }
    let token = try signing.sign(claims)
    guard faults.has(.opaqueTokens) else { return token }
    let opaque = secret()
    opaqueTokens.insert(token, for: opaque, until: expires + 3_600)
    return opaque
  }

  private func idToken(
    _ call: Call, _ grant: Grant, _ scope: ScopeRequest, _ user: IdentityUser
  ) throws(OAuthFailure) -> String {
    var claims = common(call, grant, user)
    claims["aud"] = .string(grant.clientID)
    claims["exp"] = .integer(call.now + configuration.lifetimes.idToken)
    claims["auth_time"] = .integer(grant.signedInAt)
    if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
    if scope.identity.contains("profile") {
      claims["preferred_username"] = .string(user.username)
      if let name = user.name { claims["name"] = .string(name) }
    }
    if scope.identity.contains("email") { claims["email"] = .string(user.username) }
    return try signing.sign(claims)
  }

  private func common(_ call: Call, _ grant: Grant, _ user: IdentityUser) -> JSONObject {
    [
      "iss": .string(call.issuer), "sub": .string(subject(of: user.id, for: grant.clientID)), "oid": .string(user.id),
      "tid": .string(configuration.tenantID), "iat": .integer(call.now), "nbf": .integer(call.now), "ver": "2.0",
    ]
  }

  /// The name of a user in the tokens of one client.
  func subject(of userID: String, for clientID: String) -> String {
    configuration.subjects == .pairwise ? signing.pairwiseSubject(of: userID, for: clientID) : userID
  }

  // MARK: Coming back

  /// The reason for which an access token is not accepted.
  enum TokenFault {
    case none(JSONObject)
    case bad
    case expired
  }

  /// The claims of an access token of this server: signature, issuer, time, and whether it was revoked.
  func inspect(_ token: String, _ call: Call) -> TokenFault {
    let text: String
    switch opaqueTokens.find(token, at: .min) {
    case .value(let signed), .expired(let signed): text = signed
    case .missing: text = token
    }
    guard let claims = signing.claims(of: text), let issuer = claims["iss"]?.stringValue,
      [call.base, "\(call.base)/\(configuration.tenantID)/v2.0"].contains(issuer), claims["scp"] != nil,
      let expires = claims["exp"]?.integerValue, let begins = claims["nbf"]?.integerValue
    else { return .bad }
    for name in ["jti", "sid"] {
      if let id = claims[name]?.stringValue, revoked.value(id, at: call.now) != nil { return .bad }
    }
    return expires > call.now ? begins <= call.now + 300 ? .none(claims) : .bad : .expired
  }
}
