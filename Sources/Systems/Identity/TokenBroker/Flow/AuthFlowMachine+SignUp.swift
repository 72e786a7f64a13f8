internal import ConfigurationFiles
internal import JSON

extension AuthFlowMachine {
  mutating func receiveSignUp(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    guard reply.secret("continuation_token") != nil else {
      // The account is made, and the user signs in as always.
      if asked.endpoint == .signUpContinue { return settle(.completed(nil)) }
      return invalid(reply, lacking: "continuation_token")
    }
    switch asked.endpoint {
    case .signUpStart: return send(.signUpChallenge, .step, types: true)
    case .signUpContinue: return sendTokenRequest("continuation_token", .step)
    default: break
    }
    switch reply.text("challenge_type") {
    case "password":
      state = .passwordRequired
      if let password { return continueSignUp("password", password, .newPassword) }
      return .rest
    case "oob":
      codePurpose = .signUp
      return codeSent(reply, asked)
    default: return invalid(reply, lacking: "challenge_type")
    }
  }

  mutating func continueSignUp(_ grant: String, _ value: Secret, _ purpose: RequestPurpose) -> Effect {
    var fields: FormFields = ["grant_type": grant]
    fields[grant] = value
    return send(.signUpContinue, purpose, fields)
  }

  // MARK: Password reset

  mutating func receiveReset(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    if asked.endpoint == .resetPoll { return receivePoll(reply) }
    guard reply.secret("continuation_token") != nil else { return invalid(reply, lacking: "continuation_token") }
    switch asked.endpoint {
    case .resetStart: return send(.resetChallenge, .step, types: true)
    case .resetContinue: return settle(.newPasswordRequired)
    case .resetSubmit: return poll(after: reply.integer("poll_interval", in: 1...60) ?? 2)
    default: break
    }
    guard reply.text("challenge_type") == "oob" else { return invalid(reply, lacking: "challenge_type") }
    codePurpose = .reset
    return codeSent(reply, asked)
  }

  private mutating func poll(after seconds: Int) -> Effect {
    polls += 1
    waited += seconds
    guard polls <= Self.mostPolls, waited <= Self.longestWait else {
      return fail(
        AuthError(
          .timedOut, "\(server) did not set the new password within \(Self.longestWait / 60) minutes.",
          recovery: "Try to sign in with the new password; when it is wrong, reset it again."))
    }
    state = .polling(seconds: seconds)
    guard case .send(let request) = send(.resetPoll, .newPassword) else { return .rest }
    return .wait(seconds: seconds, request)
  }

  private mutating func receivePoll(_ reply: ServerReply) -> Effect {
    switch reply.text("status") {
    case "succeeded":
      guard reply.secret("continuation_token") != nil else { return settle(.completed(nil)) }
      isAfterReset = true
      return sendTokenRequest("continuation_token", .step)
    case "in_progress", "not_started":
      var seconds = 2
      if case .polling(let last) = state { seconds = last }
      return poll(after: reply.integer("poll_interval", in: 1...60) ?? seconds)
    case "failed": return fail(AuthError(.serverUnavailable, "\(server) could not set the new password."))
    default: return invalid(reply, lacking: "status")
    }
  }
}
