import HTTPServer
import JSON

/// `/oauth2/v2.0/initiate`, `challenge` and `introspect`.
extension IdentityService {
  func initiate(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    let types = try challengeTypes(form)
    guard let user = users[try form.required("username")] else { throw .userNotFound }
    if user.needsBrowser { return redirect(call, "The account signs in with a browser.") }
    guard firstFactor(of: user, among: types) != nil else {
      return redirect(call, "The application supports no challenge that the account has.")
    }
    var flow = Flow(clientID: client.id, username: user.username, step: .initiated)
    // The pages of the API spell it both ways.
    let capabilities = form["capabilities"] ?? form["capability"] ?? ""
    flow.capabilities = Set(capabilities.split(separator: " ").prefix(16).map(String.init))
    flow.challengeTypes = types
    return call.json(["continuation_token": .string(begin(flow, at: call.now))])
  }

  private func firstFactor(of user: IdentityUser, among types: Set<String>) -> String? {
    let own = user.password == nil ? "oob" : "password"
    return types.contains(own) ? own : nil
  }

  func challenge(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (_, flow) = try flow(form, of: client, at: call.now)
    let types = try challengeTypes(form)
    let user = try user(of: flow)
    switch flow.step {
    case .initiated, .passwordAsked, .codeSent:
      guard let factor = firstFactor(of: user, among: types) else {
        return redirect(call, "The application supports no challenge that the account has.")
      }
      if factor == "password" {
        flow.step = .passwordAsked
        return call.json(["continuation_token": .string(branch(flow, at: call.now)), "challenge_type": "password"])
      }
      flow.step = .codeSent(try send(to: user.username, channel: "email", purpose: "signIn", at: call.now))
      return codeSent(call, token: branch(flow, at: call.now), channel: "email", target: user.username)
    case .secondFactorNeeded, .secondFactorSent:
      guard let id = form["id"] else { throw .introspectNeeded }
      guard let method = user.methods.first(where: { $0.id == id }) else { throw .badParameter("id") }
      guard types.contains("oob") else { return redirect(call, "The application supports no second factor.") }
      flow.step = .secondFactorSent(
        try send(to: method.target, channel: method.channel, purpose: "mfa", at: call.now))
      return codeSent(call, token: branch(flow, at: call.now), channel: method.channel, target: method.target)
    default: throw .wrongStep
    }
  }

  func introspect(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var flow = try flow(form, of: client, at: call.now).flow
    switch flow.step {
    // A code that was sent is tried with the token that its answer gave: with a copy its tries would count anew.
    case .secondFactorNeeded, .secondFactorSent: flow.step = .secondFactorNeeded
    default: throw .wrongStep
    }
    let methods = try user(of: flow).methods
    return call.json([
      "methods": .array(methods.map { Self.value($0, hint: $0.hint) }),
      "continuation_token": .string(branch(flow, at: call.now)),
    ])
  }

  /// - Parameter hint: the value of `login_hint`; empty for none.
  static func value(_ method: IdentityUser.Method, hint: String) -> JSONValue {
    var object: JSONObject = [
      "id": .string(method.id), "challenge_type": "oob", "challenge_channel": .string(method.channel),
    ]
    if !hint.isEmpty { object["login_hint"] = .string(hint) }
    return .object(object)
  }

  /// Returns the answer that redirects to a browser when the client lacks an ability that the user's second factor
  /// requires; nil when the first factor suffices.
  ///
  /// - Throws: `OAuthFailure` for a second factor, or its registration, that the client can continue with, and for a
  ///   password that has to be reset.
  func missing(_ call: Call, _ token: String, _ flow: Flow, _ user: IdentityUser) throws(OAuthFailure)
    -> ServerResponse?
  {
    if user.mustResetPassword { throw .mustResetPassword }
    guard user.needsSecondFactor else { return nil }
    let capability = user.methods.isEmpty ? "registration_required" : "mfa_required"
    guard flow.capabilities.contains(capability) else {
      try spend(token, of: flow)
      return redirect(call, "The application does not support \(capability).")
    }
    var flow = flow
    flow.step = user.methods.isEmpty ? .registrationNeeded : .secondFactorNeeded
    let next = try advance(token, to: flow, at: call.now)
    let failure =
      user.methods.isEmpty
      ? OAuthFailure(
        "invalid_grant", 50_079, "The user has to register a second factor.", suberror: "registration_required")
      : .secondFactorNeeded
    throw failure.adding("continuation_token", .string(next))
  }
}
