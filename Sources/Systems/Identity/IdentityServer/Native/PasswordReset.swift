import HTTPServer
import JSON

/// `/resetpassword/v1.0/start`, `challenge`, `continue`, `submit` and `poll_completion`.
extension IdentityService {
  func startReset(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    let types = try challengeTypes(form)
    guard let user = users[try form.required("username")] else { throw .userNotFound }
    if user.needsBrowser { return redirect(call, "The account signs in with a browser.") }
    guard user.password != nil else { throw .withoutPassword }
    guard types.contains("oob") else { return redirect(call, "The application does not support one-time codes.") }
    let flow = Flow(clientID: client.id, username: user.username, step: .resetStarted)
    return call.json(["continuation_token": .string(begin(flow, at: call.now))])
  }

  func challengeReset(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var flow = try flow(form, of: client, at: call.now).flow
    let types = try challengeTypes(form)
    switch flow.step {
    case .resetStarted, .resetSent: break
    default: throw .wrongStep
    }
    guard types.contains("oob") else { return redirect(call, "The application does not support one-time codes.") }
    flow.step = .resetSent(try send(to: flow.username, channel: "email", purpose: "resetPassword", at: call.now))
    return codeSent(call, token: branch(flow, at: call.now), channel: "email", target: flow.username)
  }

  func continueReset(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .resetSent(let sent) = flow.step else { throw .wrongStep }
    guard try form.required("grant_type") == "oob" else { throw .unsupportedGrant }
    let tried = try check(form, sent, at: call.now)
    guard tried.isRight else {
      flow.step = .resetSent(tried.sent)
      keep(flow, for: token)
      throw wrongCode(tried.sent, at: call.now)
    }
    flow.step = .resetProven
    token = try advance(token, to: flow, at: call.now)
    return call.json([
      "continuation_token": .string(token), "expires_in": .integer(configuration.lifetimes.continuation),
    ])
  }

  func submitReset(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .resetProven = flow.step else { throw .wrongStep }
    let password = try form.required("new_password", limit: 4_096)
    let before = try user(of: flow)
    let hash = try await hash(password, earlier: [before.password].compactMap { $0 } + before.earlier)
    flow.step = .resetPolled(left: max(0, configuration.pollsOfReset))
    token = try advance(token, to: flow, at: call.now)
    // The user is read after the token was spent, because another reset may have changed the account meanwhile.
    var user = try user(of: flow)
    let remembered = max(0, configuration.passwordPolicy.remembered - 1)
    user.earlier = Array(([user.password].compactMap { $0 } + user.earlier).prefix(remembered))
    user.password = hash
    user.mustResetPassword = false
    users.put(user)
    endSignIns(of: user)
    return call.json([
      "continuation_token": .string(token), "poll_interval": .integer(configuration.lifetimes.pollInterval),
    ])
  }

  /// A reset ends all sign-ins of the user, and those under way in which the old password was right.
  private func endSignIns(of user: IdentityUser) {
    refreshTokens.removeAll { $0.grant.userID == user.id }
    authorizationCodes.removeAll { $0.grant.userID == user.id }
    authorizationRequests.removeAll { $0.pending?.userID == user.id }
    devices.removeAll { device in
      if case .granted(let grant) = device.state { return grant.userID == user.id }
      return device.pending?.userID == user.id
    }
    let name = IdentityUser.key(user.username)
    flows.removeAll { $0.methods.contains("pwd") && IdentityUser.key($0.username) == name }
  }

  /// The token of `submit` holds until the new password is set or its time is over: the public libraries poll with it again
  /// and again, and take no other from an answer before success.
  func pollReset(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (token, flow) = try flow(form, of: client, at: call.now)
    guard case .resetPolled(let left) = flow.step else { throw .wrongStep }
    if left <= 0, faults.has(.resetFails) {
      try spend(token, of: flow)
      return call.json(["status": "failed"])
    }
    let isDone = left <= 0
    flow.step = isDone ? .proven : .resetPolled(left: left - 1)
    if isDone {
      flow.methods = ["otp"]
      token = try advance(token, to: flow, at: call.now)
    } else {
      keep(flow, for: token)
    }
    return call.json([
      "continuation_token": .string(token),
      "status": .string(isDone ? "succeeded" : left > 1 ? "not_started" : "in_progress"),
      "expires_in": .integer(configuration.lifetimes.continuation),
    ])
  }
}
