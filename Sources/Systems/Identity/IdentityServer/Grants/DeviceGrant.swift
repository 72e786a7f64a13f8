import HTTPServer
import JSON

/// The device authorization grant (RFC 8628).
extension IdentityService {
  private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

  func beginDevice(_ call: Call) throws(OAuthFailure) -> ServerResponse {
    let form = try call.form()
    let client = try client(call, form)
    var scope = try scope(form["scope"])
    if scope.isEmpty { scope = try self.scope("openid") }
    let lifetimes = configuration.lifetimes
    let (secret, userCode) = (secret(), userCode())
    let expires = call.now + lifetimes.deviceCode
    let request = DeviceRequest(
      clientID: client.id, userCode: userCode, scope: scope, expires: expires, interval: lifetimes.deviceInterval)
    devices.insert(request, for: secret, until: expires)
    deviceCodes.insert(secret, for: userCode, until: expires)
    let shown = "\(userCode.prefix(4))-\(userCode.suffix(4))"
    let page = call.url("device")
    return call.json([
      "device_code": .string(secret), "user_code": .string(shown), "verification_uri": .string(page),
      "verification_uri_complete": .string("\(page)?user_code=\(shown)"),
      "expires_in": .integer(lifetimes.deviceCode), "interval": .integer(lifetimes.deviceInterval),
      "message": .string("To sign in, open \(page) in a browser and enter the code \(shown)."),
    ])
  }

  private func userCode() -> String {
    var code = ""
    while code.count < 8 {
      for byte in configuration.random(16) where byte < 240 && code.count < 8 {
        code.append(Self.letters[Int(byte) % Self.letters.count])
      }
    }
    return code
  }

  func deviceToken(_ call: Call, _ form: Form, _ client: IdentityClient) throws(OAuthFailure) -> ServerResponse {
    let secret = try form.required("device_code", limit: 512)
    let device: DeviceRequest
    switch devices.find(secret, at: call.now) {
    case .value(let found) where found.clientID == client.id: device = found
    case .expired:
      devices.remove(secret)
      throw OAuthFailure("expired_token", 70_020, "The device code has expired.")
    default: throw .invalidGrant(70_000, "The device code is not valid.")
    }
    switch device.state {
    case .denied:
      devices.remove(secret)
      throw OAuthFailure("access_denied", 65_004, "The user declined.")
    case .granted(let grant):
      devices.remove(secret)
      return try issue(call, form, grant, grant.scope)
    case .waiting: break
    }
    let isEarly = device.lastAsked.map { call.now - $0 < device.interval } ?? false
    devices.update(secret) {
      $0.lastAsked = call.now
      if isEarly { $0.interval = min($0.interval + 5, 3_600) }
    }
    if isEarly { throw OAuthFailure("slow_down", 70_019, "The device asks too often: add five seconds.") }
    throw OAuthFailure("authorization_pending", 70_016, "The user has not finished signing in.")
  }
}
