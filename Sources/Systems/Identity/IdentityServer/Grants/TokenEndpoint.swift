import Cryptography
import HTTPServer
import JSON
import Text

/// The token endpoint `/oauth2/v2.0/token`, with every grant.
extension IdentityService {
  static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
  static let grantTypes = [
    "authorization_code", "refresh_token", "password", "client_credentials", deviceGrant, "oob", "mfa_oob",
    "continuation_token",
  ]

  func token(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try client(call, form)
    // Before anything is spent.
    if let claims = form["claims"] {
      guard claims.utf8.count <= 8_192, (try? JSONCoding.parse(claims, maximumDepth: 16).objectValue) != nil else {
        throw .badParameter("claims")
      }
    }
    switch try form.required("grant_type") {
    case "password" where form["continuation_token"] == nil: return try await passwordGrant(call, form, client)
    case "password": return try await nativePassword(call, form, client)
    case "oob": return try nativeCode(call, form, client)
    case "mfa_oob": return try nativeSecondFactor(call, form, client)
    case "continuation_token": return try nativeContinuation(call, form, client)
    case "client_credentials": return try clientCredentials(call, form, client)
    case "refresh_token": return try refresh(call, form, client)
    case "authorization_code": return try redeem(call, form, client)
    case Self.deviceGrant, "device_code": return try deviceToken(call, form, client)
    default: throw .unsupportedGrant
    }
  }

  // MARK: The native authentication API

  private func nativePassword(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) async throws(OAuthFailure) -> ServerResponse {
    guard client.isNative else { throw .nativeDisabled }
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .passwordAsked = flow.step else { throw .wrongStep }
    let scope = try nativeScope(form)
    let user = try user(of: flow)
    try await check(password: try form.required("password", limit: 4_096), of: user, at: call.now)
    flow.methods = ["pwd"]
    return try finish(call, form, token, flow, scope)
  }

  private func nativeCode(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) throws(OAuthFailure) -> ServerResponse {
    guard client.isNative else { throw .nativeDisabled }
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .codeSent(let sent) = flow.step else { throw .wrongStep }
    let scope = try nativeScope(form)
    let tried = try check(form, sent, at: call.now)
    guard tried.isRight else {
      flow.step = .codeSent(tried.sent)
      keep(flow, for: token)
      throw wrongCode(tried.sent, at: call.now)
    }
    flow.methods = ["otp"]
    return try finish(call, form, token, flow, scope)
  }

  private func nativeSecondFactor(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) throws(OAuthFailure) -> ServerResponse {
    guard client.isNative else { throw .nativeDisabled }
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .secondFactorSent(let sent) = flow.step else { throw .wrongStep }
    let scope = try nativeScope(form)
    let tried = try check(form, sent, at: call.now)
    guard tried.isRight else {
      flow.step = .secondFactorSent(tried.sent)
      keep(flow, for: token)
      throw wrongCode(tried.sent, at: call.now)
    }
    flow.methods += ["otp", "mfa"]
    return try complete(call, form, token, flow, scope)
  }

  private func nativeContinuation(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) throws(OAuthFailure) -> ServerResponse {
    guard client.isNative else { throw .nativeDisabled }
    let (token, flow) = try flow(form, of: client, at: call.now)
    guard case .proven = flow.step else { throw .wrongStep }
    if let username = form["username"], IdentityUser.key(username) != IdentityUser.key(flow.username) {
      throw .badParameter("username")
    }
    // A reset of the password is one factor only.
    if flow.methods.contains("mfa") { return try complete(call, form, token, flow, try nativeScope(form)) }
    return try finish(call, form, token, flow, try nativeScope(form))
  }

  private func nativeScope(_ form: Form) throws(OAuthFailure) -> ScopeRequest {
    let scope = try scope(form["scope"])
    return scope.isEmpty ? try self.scope("openid profile offline_access") : scope
  }

  /// After the first factor.
  private func finish(
    _ call: Call, _ form: Form, _ token: String, _ flow: Flow, _ scope: ScopeRequest
  ) throws(OAuthFailure) -> ServerResponse {
    // The capabilities may come with this request only.
    var flow = flow
    let capabilities = form["capabilities"] ?? form["capability"] ?? ""
    flow.capabilities.formUnion(capabilities.split(separator: " ").prefix(16).map(String.init))
    if let answer = try missing(call, token, flow, try user(of: flow)) { return answer }
    return try complete(call, form, token, flow, scope)
  }

  /// Spends the continuation token for tokens.
  private func complete(
    _ call: Call, _ form: Form, _ token: String, _ flow: Flow, _ scope: ScopeRequest
  ) throws(OAuthFailure) -> ServerResponse {
    let user = try user(of: flow)
    try spend(token, of: flow)
    let grant = grant(to: user, client: flow.clientID, scope: scope, methods: flow.methods, at: call.now)
    return try issue(call, form, grant, scope)
  }

  func grant(
    to user: IdentityUser, client: String, scope: ScopeRequest, methods: [String], nonce: String? = nil, at now: Int64
  ) -> Grant {
    Grant(
      userID: user.id, clientID: client, scope: scope, methods: methods, signedInAt: now, family: identifier(),
      nonce: nonce)
  }

  // MARK: OAuth 2.0

  private func passwordGrant(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) async throws(OAuthFailure) -> ServerResponse {
    guard client.allowsPasswordGrant else {
      throw OAuthFailure("unauthorized_client", 7_000_218, "The application may not use the password grant.")
    }
    var scope = try scope(form["scope"])
    if scope.isEmpty { scope = try self.scope("openid") }
    let (username, password) = (try form.required("username"), try form.required("password", limit: 4_096))
    let failure = OAuthFailure.invalidGrant(50_034, OAuthFailure.userNotFound.message)
    guard let named = users[username] else { throw failure }
    try await check(password: password, of: named, at: call.now)
    // The account may have changed while its password was checked.
    guard let user = users.user(id: named.id) else { throw failure }
    if user.mustResetPassword { throw .mustResetPassword }
    if user.needsSecondFactor { throw .secondFactorNeeded }
    return try issue(
      call, form, grant(to: user, client: client.id, scope: scope, methods: ["pwd"], at: call.now), scope)
  }

  private func refresh(_ call: Call, _ form: Form, _ client: IdentityClient) throws(OAuthFailure) -> ServerResponse {
    let token = try form.required("refresh_token", limit: 2_048)
    let record = try refreshRecord(token, of: client, at: call.now)
    let grant = record.grant
    guard let user = users.user(id: grant.userID) else { throw .invalidGrant(50_034, "The account is gone.") }
    var scope = grant.scope
    if form["scope"] != nil, !faults.has(.scopeIgnored) {
      scope = try self.scope(form["scope"]).adding(identityOf: grant.scope)
    }
    if user.needsSecondFactor, !grant.methods.contains("mfa") { throw .secondFactorNeeded }
    var rotation = configuration.rotation
    if faults.has(.noRefreshToken) { rotation = .keep }
    if rotation == .rotate { refreshTokens.update(token) { $0.isSpent = true } }
    return try issue(call, form, grant, scope, hasNewRefreshToken: rotation != .keep, isRefresh: true)
  }

  private func refreshRecord(
    _ token: String, of client: IdentityClient, at now: Int64
  ) throws(OAuthFailure) -> RefreshRecord {
    var failure = OAuthFailure.invalidGrant(9_002_313, "The refresh token is malformed or not of this application.")
    switch refreshTokens.find(token, at: now) {
    case .value(let record) where record.grant.clientID == client.id:
      if !record.isSpent { return record }
      // Two hold it, and one of them is a thief (RFC 9700, 4.14.2).
      end(record.grant.family, at: now)
      failure = .invalidGrant(50_173, "The refresh token was spent before; its sign-in has ended.")
    case .expired:
      failure = .invalidGrant(700_082, "The refresh token has expired.")
      if faults.has(.expiredRefreshToken) { failure.error = "expired_refresh_token" }
    default: break
    }
    failure.isEmpty = faults.has(.emptyBadRefreshToken)
    throw failure
  }

  /// Ends a sign-in: nothing that came of it holds any more.
  func end(_ family: String, at now: Int64) {
    refreshTokens.removeAll { $0.grant.family == family }
    revoked.insert(true, for: family, until: now + configuration.lifetimes.accessToken + 3_600)
  }

  /// A code is redeemed by who asked for it: the proof key says so, or, without one, the secret of the client.
  private func check(_ form: Form, _ found: AuthorizationCode, of client: IdentityClient) throws(OAuthFailure) {
    let failure = OAuthFailure.invalidGrant(501_481, "The code_verifier does not match the code_challenge.")
    guard let challenge = found.codeChallenge else {
      guard client.secret != nil, form["code_verifier"] == nil else { throw failure }
      return
    }
    let verifier = try form.required("code_verifier", limit: 128)
    let digest = Base64URL.encode(SHA256.digest(of: verifier.utf8))
    guard verifier.utf8.count >= 43, ConstantTime.isEqual(digest, challenge) else { throw failure }
  }

  /// Gives a service a token of its own, without a user (RFC 6749, 4.4): for a client with a secret.
  private func clientCredentials(
    _ call: Call, _ form: Form, _ client: IdentityClient
  ) throws(OAuthFailure) -> ServerResponse {
    guard client.secret != nil else {
      throw OAuthFailure("unauthorized_client", 7_000_218, "A client without a secret gets no tokens of its own.")
    }
    let scope = try scope(form["scope"])
    guard scope.resource != nil, scope.identity.isEmpty else { throw .invalidScope("it names no scope of an API.") }
    let lifetime = configuration.lifetimes.accessToken
    let token = try signing.sign([
      "iss": .string(call.issuer), "sub": .string(client.id), "azp": .string(client.id),
      "aud": .string(scope.resource?.audience ?? ""), "scp": .string(scope.granted.joined(separator: " ")),
      "tid": .string(configuration.tenantID), "jti": .string(identifier()), "iat": .integer(call.now),
      "nbf": .integer(call.now), "exp": .integer(call.now + lifetime), "ver": "2.0",
    ])
    return call.json([
      "token_type": "Bearer", "expires_in": .integer(lifetime), "scope": .string(scope.text),
      "access_token": .string(token),
    ])
  }

  private func redeem(_ call: Call, _ form: Form, _ client: IdentityClient) throws(OAuthFailure) -> ServerResponse {
    let code = try form.required("code", limit: 512)
    let failure = OAuthFailure.invalidGrant(70_008, "The authorization code is not valid, was used or has expired.")
    guard let found = authorizationCodes.value(code, at: call.now), found.grant.clientID == client.id else {
      throw failure
    }
    guard !found.isSpent else {
      end(found.grant.family, at: call.now)
      throw failure
    }
    authorizationCodes.update(code) { $0.isSpent = true }
    guard form["redirect_uri"] == found.redirectURI else {
      throw .invalidGrant(50_011, "The redirect_uri is not the one that the code was asked for with.")
    }
    try check(form, found, of: client)
    return try issue(call, form, found.grant, found.grant.scope)
  }
}
