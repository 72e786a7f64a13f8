internal import ConfigurationFiles

extension AuthFlowMachine {
  /// Handles an answer with an error code. Some codes only mean that another step is required first.
  mutating func refused(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    let secrets = [start.password, password].compactMap { $0 }
    let failure = ServerFailure(reply, hiding: asked.form.secrets + secrets)
    if failure.continuationToken != nil, let effect = detour(failure) { return effect }
    let error = AuthError(failure, purpose: asked.purpose, server: server)
    if error.kind == .flowExpired, !isAfterReset { return restart(error) }
    return stay(error)
  }

  private mutating func detour(_ failure: ServerFailure) -> Effect? {
    switch failure.suberror {
    case "mfa_required", "introspect_required":
      isAfterReset = false
      return send(.introspect, .step)
    case "registration_required":
      isAfterReset = false
      return send(.registerIntrospect, .step)
    default: break
    }
    switch failure.error {
    case "credential_required", "verification_required":
      return failure.suberror == nil ? send(.signUpChallenge, .step, types: true) : nil
    case "attributes_required":
      return settle(.attributesRequired(failure.attributes))
    default: return nil
    }
  }
}
