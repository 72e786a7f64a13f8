import EventLoop
import HTTPServer
import JSON

/// `/signup/v1.0/start`, `challenge` and `continue`.
extension IdentityService {
  func startSignUp(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    let types = try challengeTypes(form)
    let username = try form.required("username")
    guard Self.isContact(username, channel: "email") else { throw .badParameter("username") }
    guard users[username] == nil else { throw .userExists }
    guard types.contains("oob"), types.contains("password") || !configuration.signUpNeedsPassword else {
      return redirect(call, "The application supports no challenge that a sign-up has.")
    }
    var flow = Flow(clientID: client.id, username: username, step: .signUpStarted)
    flow.challengeTypes = types
    if let text = form["attributes"] { flow.attributes = try attributes(text) }
    if let password = form["password"] { flow.password = try await hash(password, earlier: []) }
    return call.json(["continuation_token": .string(begin(flow, at: call.now))])
  }

  /// Makes what is kept of a password, when it may be chosen.
  func hash(_ password: String, earlier: [PasswordHash]) async throws(OAuthFailure) -> PasswordHash {
    if let fault = configuration.passwordPolicy.fault(of: password) { throw .badPassword(fault) }
    let (cost, salt) = (configuration.scryptCost, configuration.random(16))
    let made = await SystemThread.run(name: "scrypt") { () -> (isKnown: Bool, hash: PasswordHash?) in
      if earlier.contains(where: { $0.matches(password) }) { return (true, nil) }
      return (false, try? PasswordHash(password, cost: cost, salt: salt))
    }
    if made.isKnown { throw .badPassword(.recentlyUsed) }
    guard let hash = made.hash else {
      throw OAuthFailure(status: 500, "server_error", 90_033, "The password cannot be kept.")
    }
    return hash
  }

  /// Returns the attributes of a JSON text. Each one has to be known and its value has to match the rule.
  private func attributes(_ text: String) throws(OAuthFailure) -> [String: String] {
    guard text.utf8.count <= 16_384, let object = try? JSONCoding.parse(text, maximumDepth: 4).objectValue,
      object.count <= 64
    else { throw .badParameter("attributes") }
    var found: [String: String] = [:]
    var invalid: [JSONValue] = []
    for (name, value) in object {
      guard let rule = configuration.attributes.first(where: { $0.name == name }) else {
        throw .badRequest("The attributes parameter has an attribute that the user flow does not ask for.")
      }
      guard rule.allows(value) else {
        invalid.append(["name": .string(name)])
        continue
      }
      found[name] = value.stringValue ?? value.description
    }
    if !invalid.isEmpty {
      throw OAuthFailure(
        "invalid_grant", 1_003_039, "An attribute does not have the form that is asked for.",
        suberror: "attribute_validation_failed", details: ["invalid_attributes": .array(invalid)])
    }
    return found
  }

  func challengeSignUp(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var flow = try flow(form, of: client, at: call.now).flow
    let types = try challengeTypes(form)
    switch flow.step {
    case .signUpStarted, .signUpSent:
      guard types.contains("oob") else { return redirect(call, "The application does not support one-time codes.") }
      flow.step = .signUpSent(try send(to: flow.username, channel: "email", purpose: "signUp", at: call.now))
      return codeSent(call, token: branch(flow, at: call.now), channel: "email", target: flow.username)
    case .signUpProven:
      guard types.contains("password") else { return redirect(call, "The application does not support passwords.") }
      return call.json(["continuation_token": .string(branch(flow, at: call.now)), "challenge_type": "password"])
    default: throw .wrongStep
    }
  }

  func continueSignUp(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (token, flow) = try flow(form, of: client, at: call.now)
    switch (try form.required("grant_type"), flow.step) {
    case ("oob", .signUpStarted):
      throw OAuthFailure("verification_required", 55_102, "The address of the user has to be verified.")
        .adding("unverified_attributes", [["name": "username"]])
        .adding("continuation_token", .string(branch(flow, at: call.now)))
    case ("oob", .signUpSent(let sent)):
      let tried = try check(form, sent, at: call.now)
      guard tried.isRight else {
        flow.step = .signUpSent(tried.sent)
        keep(flow, for: token)
        throw wrongCode(tried.sent, at: call.now)
      }
      flow.step = .signUpProven
    case ("password", .signUpProven):
      flow.password = try await hash(try form.required("password", limit: 4_096), earlier: [])
    case ("attributes", .signUpProven):
      let more = try attributes(try form.required("attributes", limit: 16_384))
      flow.attributes.merge(more) { _, new in new }
    case ("oob", _), ("password", _), ("attributes", _): throw .wrongStep
    default: throw .unsupportedGrant
    }
    token = try advance(token, to: flow, at: call.now)
    try complain(of: flow, token)
    return try finishSignUp(call, flow, token)
  }

  /// Throws the error that names the missing values.
  private func complain(of flow: Flow, _ token: String) throws(OAuthFailure) {
    if configuration.signUpNeedsPassword, flow.password == nil {
      throw OAuthFailure("credential_required", 55_103, "A credential is required.")
        .adding("continuation_token", .string(token))
    }
    let missing = configuration.attributes.filter { $0.isRequired && flow.attributes[$0.name] == nil }
    if !missing.isEmpty {
      throw OAuthFailure("attributes_required", 55_106, "User attributes are required.")
        .adding("continuation_token", .string(token))
        .adding("required_attributes", .array(missing.map(\.value)))
    }
  }

  private func finishSignUp(_ call: Call, _ flow: Flow, _ token: String) throws(OAuthFailure) -> ServerResponse {
    // Another sign-up may have been faster.
    guard users[flow.username] == nil else { throw .userExists }
    guard !users.isFull else {
      throw OAuthFailure(status: 503, "temporarily_unavailable", 90_055, "There are too many accounts.")
    }
    var user = IdentityUser(username: flow.username, password: flow.password)
    user.id = identifier()
    user.name = flow.attributes["displayName"]
    user.attributes = JSONObject(flow.attributes.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    users.put(user)
    var flow = flow
    flow.step = .proven
    flow.methods = ["otp"]
    flow.password = nil
    return call.json(["continuation_token": .string(try advance(token, to: flow, at: call.now))])
  }
}
