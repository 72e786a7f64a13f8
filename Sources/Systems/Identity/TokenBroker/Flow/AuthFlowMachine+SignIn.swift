internal import ConfigurationFiles
internal import JSON
internal import Text

extension AuthFlowMachine {
  mutating func receiveSignIn(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    switch asked.endpoint {
    case .token:
      do throws(AuthError) {
        let grant = try TokenGrant(reply, server: server)
        isKeeping = true
        return .keep(grant)
      } catch {
        return stay(error)
      }
    case .introspect: return receiveMethods(reply)
    default: break
    }
    guard reply.secret("continuation_token") != nil else { return invalid(reply, lacking: "continuation_token") }
    if asked.endpoint == .initiate { return send(.challenge, .step, types: true) }
    switch reply.text("challenge_type") {
    case "password":
      state = .passwordRequired
      if let password { return sendPassword(password) }
      return .rest
    case "oob":
      codePurpose = asked.form["id"] == nil ? .signIn : .secondFactor
      return codeSent(reply, asked)
    default: return invalid(reply, lacking: "challenge_type")
    }
  }

  /// A code was sent; the same request sends another one.
  mutating func codeSent(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    challenge = asked
    return settle(
      .codeRequired(
        SentCode(
          sentTo: quotable(reply.text("challenge_target_label") ?? reply.text("challenge_target") ?? ""),
          channel: quotable(reply.text("challenge_channel") ?? "email"),
          length: reply.integer("code_length", in: 1...64), resendAfter: reply.integer("interval", in: 0...86_400))))
  }

  mutating func sendPassword(_ password: Secret) -> Effect {
    var fields: FormFields = [:]
    fields["password"] = password
    return sendTokenRequest("password", .password, fields)
  }

  // MARK: Second factors

  private mutating func receiveMethods(_ reply: ServerReply) -> Effect {
    guard reply.secret("continuation_token") != nil else { return invalid(reply, lacking: "continuation_token") }
    let methods = Self.methods(reply)
    guard let first = methods.first else { return invalid(reply, lacking: "list of methods") }
    if methods.count == 1 { return send(.challenge, .step, ["id": first.id], types: true) }
    return settle(.mfaMethodRequired(methods))
  }

  static func methods(_ reply: ServerReply) -> [AuthMethod] {
    (reply.objects("methods", most: 32) ?? []).compactMap { object in
      guard let id = object["id"]?.stringValue, (1...1_024).contains(id.utf8.count),
        ["oob", nil].contains(object["challenge_type"]?.stringValue)
      else { return nil }
      return AuthMethod(
        id: id, channel: quotable(object["challenge_channel"]?.stringValue ?? "email"),
        hint: object["login_hint"]?.stringValue.map { quotable($0) })
    }
  }

  // MARK: Registration

  mutating func receiveRegistration(_ reply: ServerReply, _ asked: NativeRequest) -> Effect {
    guard reply.secret("continuation_token") != nil else { return invalid(reply, lacking: "continuation_token") }
    switch asked.endpoint {
    case .registerIntrospect:
      let methods = Self.methods(reply)
      if methods.isEmpty { return invalid(reply, lacking: "list of methods") }
      return settle(.registrationRequired(methods))
    case .registerChallenge:
      if reply.text("challenge_type") == "preverified" {
        return send(.registerContinue, .step, ["grant_type": "continuation_token"])
      }
      codePurpose = .registration
      return codeSent(reply, asked)
    default: return sendTokenRequest("continuation_token", .step)
    }
  }
}
