internal import ConfigurationFiles
internal import JSON
internal import Text

extension AuthFlowMachine {
  /// Accepts an input for the current state.
  ///
  /// - Throws: `AuthError`: `wrongState` when the state waits for another input, `invalidRequest` for an input that
  ///   cannot be valid.
  mutating func submit(_ input: FlowInput) throws(AuthError) -> Effect {
    guard !isBusy, let state else { throw wrongState(input) }
    let effect = try effect(of: input, in: state)
    problem = nil
    return effect
  }

  private mutating func effect(of input: FlowInput, in state: FlowState) throws(AuthError) -> Effect {
    switch (state, input) {
    case (.codeRequired, .code(let code)): return submit(code: try checked(code, input))
    case (.codeRequired, .resend):
      guard let challenge else { throw wrongState(input) }
      var fields = challenge.form
      fields["continuation_token"] = token
      return send(challenge.endpoint, .step, fields)
    case (.passwordRequired, .password(let password)):
      self.password = try checked(password, input)
      if start.kind == .signUp { return continueSignUp("password", password, .newPassword) }
      return sendPassword(password)
    case (.newPasswordRequired, .newPassword(let password)):
      var fields: FormFields = [:]
      fields["new_password"] = try checked(password, input)
      (polls, waited) = (0, 0)
      return send(.resetSubmit, .newPassword, fields)
    case (.attributesRequired, .attributes(let attributes)):
      let text = Secret(JSONCoding.text(of: .object(attributes)))
      return continueSignUp("attributes", try checked(text, input), .attributes)
    case (.mfaMethodRequired(let methods), .method(let id)):
      let method = try method(id, of: methods)
      return send(.challenge, .step, ["id": method.id], types: true)
    case (.registrationRequired(let methods), .register(let id, let contact)):
      return try register(try method(id, of: methods), contact, input)
    default: throw wrongState(input)
    }
  }

  private mutating func submit(code: Secret) -> Effect {
    var fields: FormFields = [:]
    fields["oob"] = code
    switch codePurpose {
    case .signIn: return sendTokenRequest("oob", .code, fields)
    case .secondFactor: return sendTokenRequest("mfa_oob", .code, fields)
    case .signUp: return continueSignUp("oob", code, .code)
    case .reset, .registration:
      fields["grant_type"] = Secret("oob")
      return send(codePurpose == .reset ? .resetContinue : .registerContinue, .code, fields)
    }
  }

  private mutating func register(
    _ method: AuthMethod, _ contact: String?, _ input: FlowInput
  ) throws(AuthError) -> Effect {
    let isNumber = method.channel == "sms"
    guard let contact = contact ?? method.contact, !contact.isEmpty else {
      throw AuthError(
        .invalidContact, "Nothing says where the codes of the new method go.",
        recovery: AuthError.advice(number: isNumber))
    }
    // By bytes, as a star and an accent behind it are one Character.
    guard !contact.utf8.contains(UInt8(ascii: "*")) else {
      throw AuthError(
        .invalidContact, "\"\(quotable(contact))\" hides a part of \(isNumber ? "the number" : "the address").",
        recovery: AuthError.advice(number: isNumber))
    }
    var fields: FormFields = ["challenge_type": "oob", "challenge_channel": method.channel, "id": method.id]
    fields["challenge_target"] = try checked(Secret(contact), input)
    return send(.registerChallenge, isNumber ? .number : .address, fields)
  }

  // MARK: Checks

  /// Whether the flow waits for an answer, or for its tokens to be kept.
  private var isBusy: Bool { request != nil || isKeeping }

  private func wrongState(_ input: FlowInput) -> AuthError {
    let wish = isBusy ? nil : state?.wish
    return AuthError(.wrongState, "The flow waits for \(wish ?? "the server"), and not for \(input.name).")
  }

  private func method(_ id: String, of methods: [AuthMethod]) throws(AuthError) -> AuthMethod {
    if let method = methods.first(where: { $0.id == id }) { return method }
    throw AuthError(
      .invalidRequest, "\"\(quotable(id))\" is none of the methods.",
      recovery: "Choose one of: \(methods.map { quotable($0.id) }.joined(separator: ", ")).")
  }

  /// Checks that an input of the user is neither empty nor too long.
  private func checked(_ value: Secret, _ input: FlowInput) throws(AuthError) -> Secret {
    let count = value.revealed().utf8.count
    if (1...65_536).contains(count) { return value }
    throw AuthError(
      .invalidRequest, count == 0 ? "There is nothing in \(input.name)." : "There is too much in \(input.name).")
  }
}
