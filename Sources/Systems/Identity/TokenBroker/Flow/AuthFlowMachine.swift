internal import ConfigurationFiles
internal import JSON
internal import Text

/// Decides what is asked of a server with native authentication, and what its answers mean: touches neither network nor
/// clocks nor files.
package struct AuthFlowMachine: Sendable {
  /// The next action of the caller.
  enum Effect: Sendable, Equatable {
    case send(NativeRequest)
    /// Ask after so many seconds.
    case wait(seconds: Int, NativeRequest)
    /// The server gave tokens: keep them, then say ``keptTokens(of:)``.
    case keep(TokenGrant)
    /// ``state`` says what is waited for.
    case rest
  }

  /// The purpose of a one-time code.
  enum CodePurpose: Sendable, Equatable { case signIn, secondFactor, signUp, reset, registration }

  let start: FlowStart
  let clientID: String
  let challengeTypes: [String]
  let server: String
  private let correlationID: String?

  /// The input that the flow waits for; nil before the first answer.
  package internal(set) var state: FlowState?
  /// The reason the server rejected the previous input, or for which the flow started again; nil for none.
  package internal(set) var problem: AuthError?

  var request: NativeRequest?
  /// Whether tokens came that are being kept: the flow takes nothing until they are.
  var isKeeping = false
  /// The newest continuation token: each is for one step.
  var token: Secret?
  var password: Secret?
  var codePurpose = CodePurpose.signIn
  /// The request that asks for another code.
  var challenge: NativeRequest?
  var isAfterReset = false
  private(set) var restarts = 0
  var polls = 0
  /// The seconds that the flow has waited for the new password.
  var waited = 0

  /// The longest time that a flow waits for a new password, in seconds: as long as the public libraries do.
  package static let longestWait = 300
  static let mostRestarts = 2
  static let mostPolls = 120

  init(_ start: FlowStart, configuration: IdentityConfiguration, correlationID: String? = nil) {
    self.correlationID = correlationID
    self.start = start
    clientID = configuration.clientID
    challengeTypes = configuration.challengeTypes
    server = configuration.environment
    password = start.password
  }

  // MARK: Events

  /// Returns the first request.
  mutating func begin() -> Effect {
    guard state == nil, request == nil else { return .rest }
    guard (1...1_024).contains(start.username.utf8.count), start.username.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else {
      return fail(AuthError(.invalidUsername, "\"\(quotable(start.username))\" is not a user name."))
    }
    return firstRequest()
  }

  /// An answer to the last request.
  mutating func receive(_ reply: ServerReply) -> Effect {
    guard let asked = request else { return .rest }
    request = nil
    if let newest = reply.secret("continuation_token") { token = newest }
    guard reply.isSuccess else { return refused(reply, asked) }
    if reply.text("challenge_type") == "redirect" { return browser(reply.text("redirect_reason")) }
    switch asked.endpoint {
    case .initiate, .challenge, .introspect, .token: return receiveSignIn(reply, asked)
    case .signUpStart, .signUpChallenge, .signUpContinue: return receiveSignUp(reply, asked)
    case .resetStart, .resetChallenge, .resetContinue, .resetSubmit, .resetPoll: return receiveReset(reply, asked)
    case .registerIntrospect, .registerChallenge, .registerContinue: return receiveRegistration(reply, asked)
    }
  }

  /// There was no answer to the last request.
  mutating func receive(_ error: AuthError) -> Effect {
    request = nil
    return stay(error)
  }

  /// The tokens are kept.
  mutating func keptTokens(of account: Account) {
    (state, problem, isKeeping) = (.completed(account), nil, false)
    forgetSecrets()
  }

  /// The tokens could not be kept.
  mutating func couldNotKeepTokens(_ error: AuthError) {
    isKeeping = false
    _ = fail(error)
  }

  // MARK: Steps

  private mutating func firstRequest() -> Effect {
    switch start.kind {
    case .signIn:
      return send(
        .initiate, .startSignIn, ["username": start.username, "capabilities": "mfa_required registration_required"],
        types: true)
    case .signUp:
      var fields: FormFields = ["username": start.username]
      fields["password"] = password
      if let attributes = start.attributes { fields["attributes"] = Secret(JSONCoding.text(of: .object(attributes))) }
      return send(.signUpStart, .startSignUp, fields, types: true)
    case .resetPassword: return send(.resetStart, .startReset, ["username": start.username], types: true)
    }
  }

  /// Returns the effect that sends a request to an endpoint.
  ///
  /// - Parameter types: whether the request names the challenge types that the application supports.
  mutating func send(
    _ endpoint: NativeRequest.Endpoint, _ purpose: RequestPurpose, _ fields: FormFields = [:], types: Bool = false
  ) -> Effect {
    var form: FormFields = ["client_id": clientID]
    form["continuation_token"] = token
    for field in fields.all { form[field.name] = field.value }
    if types { form["challenge_type"] = Secret(challengeTypes.joined(separator: " ")) }
    let request = NativeRequest(endpoint: endpoint, form: form, purpose: purpose)
    self.request = request
    return .send(request)
  }

  mutating func sendTokenRequest(_ grant: String, _ purpose: RequestPurpose, _ fields: FormFields = [:]) -> Effect {
    var fields = fields
    fields["grant_type"] = Secret(grant)
    fields["scope"] = Secret(start.scopes.union(.standard).names.joined(separator: " "))
    fields["client_info"] = Secret("1")
    if grant == "continuation_token" { fields["username"] = Secret(start.username) }
    return send(.token, purpose, fields)
  }

  // MARK: Ends

  mutating func settle(_ new: FlowState) -> Effect {
    state = new
    if new.isOver { forgetSecrets() }
    return .rest
  }

  mutating func fail(_ error: AuthError) -> Effect {
    let error = error.with(correlationID: correlationID)
    problem = error
    return settle(error.kind == .browserRequired ? .browserRequired(error) : .failed(error))
  }

  mutating func invalid(_ reply: ServerReply, lacking name: String) -> Effect {
    stay(.invalidAnswer(reply, server: server, lacking: name))
  }

  private mutating func browser(_ reason: String?) -> Effect {
    let why = reason.map { ": \(quotable($0))" } ?? ""
    return fail(AuthError(.browserRequired, "\(server) lets this user sign in with a browser only\(why)."))
  }

  private mutating func forgetSecrets() { (token, password, challenge, request) = (nil, nil, nil, nil) }

  /// Begins again from the start, with what the user typed as far as it can be used again.
  mutating func restart(_ error: AuthError) -> Effect {
    guard restarts < Self.mostRestarts else { return fail(error) }
    restarts += 1
    (token, challenge, polls, isAfterReset) = (nil, nil, 0, false)
    problem = AuthError(
      error.kind, error.message, recovery: "The flow began again: give what it asks for now.", code: error.code,
      serverError: error.serverError, correlationID: error.correlationID ?? correlationID)
    state = nil
    return firstRequest()
  }

  /// Goes back to what was waited for last, with the reason; ends where nothing was, or where nothing more can come.
  mutating func stay(_ error: AuthError) -> Effect {
    problem = error.with(correlationID: correlationID)
    if isAfterReset { return settle(.completed(nil)) }
    guard let state, !state.isOver, Self.canBeTriedAgain(error.kind) else { return fail(error) }
    if case .polling = state { return settle(.newPasswordRequired) }
    return .rest
  }

  private static func canBeTriedAgain(_ kind: AuthError.Kind) -> Bool {
    switch kind {
    case .invalidCode, .deadCode, .invalidCredentials, .weakPassword, .invalidAttributes, .invalidContact,
      .invalidRequest,
      .unreachable, .timedOut,
      .rateLimited, .serverUnavailable, .invalidAnswer, .tooLarge, .cancelled:
      true
    default: false
    }
  }
}

extension AuthFlowMachine: CustomStringConvertible, CustomReflectable {
  /// The kind of the flow and the awaited input, without secrets.
  package var description: String { "\(start.kind.rawValue): waits for \(state?.wish ?? "the server")" }
  /// A mirror with the kind of the flow only, so that no dump shows a secret.
  package var customMirror: Mirror { Mirror(self, children: ["kind": start.kind.rawValue]) }
}
