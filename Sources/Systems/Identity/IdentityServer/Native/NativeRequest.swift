import HTTPServer
import JSON

/// The common parts of the requests of the native authentication API.
extension IdentityService {
  /// Returns the client of a request, if the client may use the native API.
  func nativeClient(_ form: Form) throws(OAuthFailure) -> IdentityClient {
    let client = try client(form)
    guard client.isNative else { throw .nativeDisabled }
    return client
  }

  /// Returns the challenge types that the client supports. A client has to name `redirect` among them.
  func challengeTypes(_ form: Form) throws(OAuthFailure) -> Set<String> {
    let types = Set(try form.required("challenge_type").split(separator: " ").map(String.init))
    guard types.isSubset(of: ["password", "oob", "redirect"]) else { throw .badChallengeType }
    guard types.contains("redirect") else { throw .redirectMissing }
    return types.subtracting(["redirect"])
  }

  /// The answer that sends the user to a browser.
  func redirect(_ call: Call, _ reason: String) -> ServerResponse {
    call.json(["challenge_type": "redirect", "redirect_reason": .string(reason)])
  }

  /// The flow of a continuation token of this client. The token stays good: a wrong password does not end the flow.
  func flow(_ form: Form, of client: IdentityClient, at now: Int64) throws(OAuthFailure) -> (token: String, flow: Flow)
  {
    let token = try form.required("continuation_token", limit: 512)
    switch flows.find(token, at: now) {
    case .missing: throw .badContinuation
    case .expired:
      flows.remove(token)
      throw .expiredContinuation
    case .value(let flow):
      guard flow.clientID == client.id else { throw .badContinuation }
      return (token, flow)
    }
  }

  /// Spends all tokens of a flow for the next one, after a proof: a password, a code, attributes, a new password.
  ///
  /// - Throws: when the token was spent meanwhile.
  func advance(_ token: String, to flow: Flow, at now: Int64) throws(OAuthFailure) -> String {
    try spend(token, of: flow)
    return begin(flow, at: now)
  }

  /// Spends all tokens of a flow.
  ///
  /// - Throws: when the token was spent meanwhile.
  func spend(_ token: String, of flow: Flow) throws(OAuthFailure) {
    guard flows.remove(token) != nil else { throw .badContinuation }
    flows.removeAll { $0.id == flow.id }
  }

  /// Gives the next token of a flow after a request that only asks: for a challenge, or for the methods. The public
  /// libraries repeat such a request with the token that they have, for another code or another method.
  func branch(_ flow: Flow, at now: Int64) -> String { begin(flow, at: now) }

  func begin(_ flow: Flow, at now: Int64) -> String {
    var flow = flow
    if flow.id.isEmpty { flow.id = identifier() }
    let token = secret()
    flows.insert(flow, for: token, until: now + configuration.lifetimes.continuation)
    return token
  }

  /// Stores the state of a flow, which counts the attempts of a code.
  func keep(_ flow: Flow, for token: String) { flows.update(token) { $0 = flow } }

  func user(of flow: Flow) throws(OAuthFailure) -> IdentityUser {
    guard let user = users[flow.username] else { throw .userNotFound }
    return user
  }

  /// The answer that says where a code went.
  func codeSent(_ call: Call, token: String, channel: String, target: String) -> ServerResponse {
    call.json([
      "continuation_token": .string(token), "challenge_type": "oob", "binding_method": "prompt",
      "challenge_channel": .string(channel), "challenge_target_label": .string(IdentityUser.Method.masked(target)),
      "code_length": .integer(Int64(min(max(configuration.codeLength, 4), 12))),
      "interval": .integer(configuration.lifetimes.resendInterval),
    ])
  }

  /// The error for a wrong code, which says when no try is left.
  func wrongCode(_ sent: Flow.Sent, at now: Int64) -> OAuthFailure {
    sent.tries >= configuration.limits.triesOfCode || sent.expires <= now ? .deadCode : .wrongCode
  }

  /// Checks the code of a step and gives what the step is after the try.
  func check(_ form: Form, _ sent: Flow.Sent, at now: Int64) throws(OAuthFailure) -> (isRight: Bool, sent: Flow.Sent) {
    var sent = sent
    let code = try form.required("oob", limit: 64)
    let isRight = isRight(code, &sent, at: now)
    return (isRight, sent)
  }
}
