import Cryptography
import HTTPServer
import JSON
import Text

/// `/oauth2/v2.0/authorize`: the authorization code grant with PKCE (RFC 6749, 4.1, RFC 7636 and RFC 8252).
extension IdentityService {
  func authorize(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    if call.request.method == "POST" { return try await signInAtPage(call) }
    let query = try call.query()
    guard let client = configuration.clients.first(where: { $0.id == query["client_id"] }) else {
      return call.page(Page.message("Sign-in", "The application is not known."), status: 400)
    }
    guard let redirect = query["redirect_uri"], redirect.utf8.count <= 2_048, client.allows(redirectURI: redirect),
      !redirect.contains("#"), redirect.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      return call.page(
        Page.message("Sign-in", "The address to come back to is not one of the application."), status: 400)
    }
    let request: AuthorizationRequest
    do throws(OAuthFailure) {
      request = try authorizationRequest(query, client: client, redirect: redirect, issuer: call.issuer)
    } catch {
      return back(
        call, redirect, isPosted: query["response_mode"] == "form_post",
        [("error", error.error), ("error_description", error.message), ("state", query["state"])])
    }
    let secret = secret()
    authorizationRequests.insert(request, for: secret, until: call.now + configuration.lifetimes.continuation)
    return call.page(signInForm(secret, hint: request.loginHint, problem: nil))
  }

  private func authorizationRequest(
    _ query: Form, client: IdentityClient, redirect: String, issuer: String
  ) throws(OAuthFailure) -> AuthorizationRequest {
    guard query["response_type"] == "code" else {
      throw OAuthFailure("unsupported_response_type", 700_054, "The response_type has to be code.")
    }
    let mode = query["response_mode"] ?? "query"
    guard ["query", "form_post"].contains(mode) else { throw .badParameter("response_mode") }
    let challenge = query["code_challenge"]
    if challenge != nil || client.needsProofKey || client.secret == nil {
      guard query["code_challenge_method"] == "S256", let challenge, Base64URL.decode(challenge)?.count == SHA256.count
      else { throw .badRequest("A code_challenge with the code_challenge_method S256 is needed.") }
    }
    if query["prompt"] == "none" {
      throw OAuthFailure("login_required", 50_058, "The user has to sign in.")
    }
    for name in ["state", "nonce", "login_hint"] where (query[name]?.utf8.count ?? 0) > 2_048 {
      throw .badParameter(name)
    }
    var scope = try scope(query["scope"])
    if scope.isEmpty { scope = try self.scope("openid") }
    return AuthorizationRequest(
      clientID: client.id, redirectURI: redirect, scope: scope, state: query["state"], nonce: query["nonce"],
      codeChallenge: challenge, loginHint: query["login_hint"], wantsClientInfo: query["client_info"] == "1",
      isPosted: mode == "form_post", issuer: issuer)
  }

  private func signInForm(_ secret: String, hint: String?, problem: String?) -> String {
    Page.form(
      title: "Sign in", problem: problem, hidden: ("request", secret),
      fields: [
        Page.Field(name: "username", label: "Email", value: hint ?? "", autocomplete: "username"),
        Page.Field(name: "password", label: "Password", type: "password", autocomplete: "current-password"),
      ], buttons: [("approve", "Sign in"), ("deny", "Cancel")])
  }

  func secondFactorForm(_ name: String, _ secret: String, problem: String?) -> String {
    Page.form(
      title: "Enter the code", problem: problem, hidden: (name, secret),
      fields: [Page.Field(name: "code", label: "The code that was sent to you", autocomplete: "one-time-code")],
      buttons: [("approve", "Continue"), ("deny", "Cancel")])
  }

  private func signInAtPage(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let secret = try form.required("request", limit: 512)
    guard let request = authorizationRequests.value(secret, at: call.now) else {
      return call.page(Page.message("Sign-in", "The page is too old. Begin again in the application."), status: 400)
    }
    if form["decision"] == "deny" {
      authorizationRequests.remove(secret)
      return back(
        call, request.redirectURI, isPosted: request.isPosted,
        [("error", "access_denied"), ("error_description", "The user cancelled."), ("state", request.state)])
    }
    switch try await recognise(call, form, pending: request.pending) {
    case .wrong(let problem, let pending):
      // A wrong password takes back nothing that another press of the button has proven meanwhile.
      if request.pending != nil || pending != nil { authorizationRequests.update(secret) { $0.pending = pending } }
      let page =
        pending == nil
        ? signInForm(secret, hint: form["username"] ?? request.loginHint, problem: problem)
        : secondFactorForm("request", secret, problem: problem)
      return call.page(page)
    case .user(let user, let methods):
      // Another press of the button was faster.
      guard authorizationRequests.remove(secret) != nil else { throw .badParameter("request") }
      let grant = grant(
        to: user, client: request.clientID, scope: request.scope, methods: methods, nonce: request.nonce, at: call.now)
      let code = self.secret()
      authorizationCodes.insert(
        AuthorizationCode(grant: grant, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge),
        for: code, until: call.now + configuration.lifetimes.authorizationCode)
      return back(
        call, request.redirectURI, isPosted: request.isPosted,
        [
          ("code", code), ("state", request.state), ("iss", request.issuer),
          ("client_info", request.wantsClientInfo ? clientInfo(of: user) : nil),
        ])
    }
  }

  /// The result of a form with a password or a code.
  enum Recognition {
    case user(IdentityUser, methods: [String])
    /// The form is shown again, with a sentence; with `pending` that for the code.
    case wrong(String?, pending: (userID: String, sent: Flow.Sent)?)
  }

  func recognise(
    _ call: Call, _ form: Form, pending: (userID: String, sent: Flow.Sent)?
  ) async throws(OAuthFailure) -> Recognition {
    if var pending {
      guard let user = users.user(id: pending.userID) else { return .wrong("Begin again.", pending: nil) }
      let isRight = isRight(form["code"] ?? "", &pending.sent, at: call.now)
      return isRight ? .user(user, methods: ["pwd", "otp", "mfa"]) : .wrong("The code is wrong.", pending: pending)
    }
    guard let username = form["username"], username.utf8.count <= 256, let password = form["password"] else {
      return .wrong("The email or the password is wrong.", pending: nil)
    }
    // A name without an account takes as long, and is locked as soon.
    let named = users[username] ?? IdentityUser(username: username)
    do throws(OAuthFailure) {
      try await check(password: password, of: named, at: call.now)
    } catch {
      let isLocked = error.code == OAuthFailure.locked(0).code
      return .wrong(isLocked ? error.message : "The email or the password is wrong.", pending: nil)
    }
    // The account may have changed while its password was checked.
    guard let user = users.user(id: named.id) else { return .wrong("Begin again.", pending: nil) }
    if user.mustResetPassword { return .wrong(OAuthFailure.mustResetPassword.message, pending: nil) }
    guard user.needsSecondFactor else { return .user(user, methods: ["pwd"]) }
    let method = user.methods.first
    let sent = try send(
      to: method?.target ?? user.username, channel: method?.channel ?? "email", purpose: "mfa", at: call.now)
    return .wrong(nil, pending: (user.id, sent))
  }

  /// Sends the browser back to the application.
  private func back(
    _ call: Call, _ redirect: String, isPosted: Bool, _ parameters: [(String, String?)]
  ) -> ServerResponse {
    let found = parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
    if isPosted {
      let nonce = secret()
      return call.page(Page.posting(found, to: redirect, nonce: nonce), scripts: nonce)
    }
    let query = found.map { "\($0.name)=\(PercentEncoding.encoded($0.value))" }
    let separator = redirect.contains("?") ? "&" : "?"
    return call.response(
      ServerResponse(
        status: 302,
        headers: [ServerField("Location", "\(redirect)\(separator)\(query.joined(separator: "&"))")]))
  }
}
