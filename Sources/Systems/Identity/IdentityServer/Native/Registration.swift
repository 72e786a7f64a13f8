import HTTPServer
import JSON

/// The endpoints `/register/v1.0/introspect`, `challenge` and `continue`: they register a second factor for a user
/// without one.
extension IdentityService {
  func introspectRegistration(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var flow = try flow(form, of: client, at: call.now).flow
    try checkRegistering(flow)
    // As in `introspect`: the tries of a code that was sent do not count anew.
    if case .registrationSent = flow.step { flow.step = .registrationNeeded }
    let user = try user(of: flow)
    let methods = [
      IdentityUser.Method(id: "email", channel: "email", target: user.username),
      IdentityUser.Method(id: "sms", channel: "sms", target: ""),
    ]
    // Whole, for it fills the box in which the user writes where the codes go.
    return call.json([
      "methods": .array(methods.map { Self.value($0, hint: $0.target) }),
      "continuation_token": .string(branch(flow, at: call.now)),
    ])
  }

  private func checkRegistering(_ flow: Flow) throws(OAuthFailure) {
    switch flow.step {
    case .registrationNeeded, .registrationSent, .registrationKnown: return
    default: throw .wrongStep
    }
  }

  func challengeRegistration(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var flow = try flow(form, of: client, at: call.now).flow
    try checkRegistering(flow)
    let user = try user(of: flow)
    guard try form.required("challenge_type").split(separator: " ").contains("oob") else { throw .badChallengeType }
    let channel = form["challenge_channel"] ?? "email"
    let target = try form.required("challenge_target")
    guard ["email", "sms"].contains(channel), Self.isContact(target, channel: channel) else {
      throw .invalidContact(channel)
    }
    if user.isContactBlocked { throw .blockedContact }
    let method = IdentityUser.Method(id: "\(channel)-\(identifier().prefix(8))", channel: channel, target: target)
    if flow.methods.contains("otp"), channel == "email", IdentityUser.key(target) == IdentityUser.key(user.username) {
      flow.step = .registrationKnown(method)
      return call.json([
        "continuation_token": .string(branch(flow, at: call.now)), "challenge_type": "preverified",
        "challenge_channel": "email",
        "challenge_target": .string(target),
      ])
    }
    let sent = try send(to: target, channel: channel, purpose: "register", at: call.now)
    flow.step = .registrationSent(sent, method)
    return call.json([
      "continuation_token": .string(branch(flow, at: call.now)), "challenge_type": "oob", "binding_method": "prompt",
      "challenge_channel": .string(channel), "challenge_target": .string(target),
      "code_length": .integer(Int64(sent.code.utf8.count)),
      "interval": .integer(configuration.lifetimes.resendInterval),
    ])
  }

  static func isContact(_ text: String, channel: String) -> Bool {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F && $0.value < 0xFF00 }
    // Stars are of a hint that hides something: nothing arrives there.
    guard isPlain, !text.utf8.contains(UInt8(ascii: "*")), (3...256).contains(text.utf8.count) else { return false }
    if channel == "sms" {
      let digits = text.utf8.filter { (0x30...0x39).contains($0) }
      return text.hasPrefix("+") && digits.count >= 6 && digits.count == text.utf8.count - 1
    }
    // By bytes: a sign and a mark behind it are one Character.
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let dot = UInt8(ascii: ".")
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(dot) && parts[1].first != dot
      && parts[1].last != dot
  }

  func continueRegistration(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try nativeClient(form)
    var (token, flow) = try flow(form, of: client, at: call.now)
    let registered: IdentityUser.Method
    switch (flow.step, try form.required("grant_type")) {
    case (.registrationSent(let sent, let method), "oob"):
      let tried = try check(form, sent, at: call.now)
      guard tried.isRight else {
        flow.step = .registrationSent(tried.sent, method)
        keep(flow, for: token)
        throw wrongCode(tried.sent, at: call.now)
      }
      registered = method
    case (.registrationKnown(let method), "continuation_token"): registered = method
    case (.registrationSent, _), (.registrationKnown, _): throw .unsupportedGrant
    default: throw .wrongStep
    }
    var user = try user(of: flow)
    flow.step = .proven
    flow.methods.append("mfa")
    token = try advance(token, to: flow, at: call.now)
    user.methods.append(registered)
    users.put(user)
    return call.json(["continuation_token": .string(token)])
  }
}
