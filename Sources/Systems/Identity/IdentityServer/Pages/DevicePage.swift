import HTTPServer
import JSON

/// The page `/device`, where the user types the code that a device shows.
extension IdentityService {
  func devicePage(_ call: Call) async throws(OAuthFailure) -> ServerResponse {
    guard call.request.method == "POST" else {
      let code = try call.query()["user_code"]
      return call.page(deviceForm(code: code, username: nil, problem: nil))
    }
    let form = try call.form()
    let typed = form["user_code"] ?? form["confirmed"] ?? ""
    let code = String(typed.uppercased().filter { $0.isLetter && $0.isASCII }.prefix(16))
    // Who guesses codes stops nobody else: tries count for the address that they come from.
    let name = call.request.client
    if let seconds = codeFailures.wait(name, at: call.now) { return tooManyCodes(call, seconds) }
    guard let secret = deviceCodes.value(code, at: call.now), let device = devices.value(secret, at: call.now) else {
      codeFailures.count(name, at: call.now)
      return call.page(deviceForm(code: typed, username: form["username"], problem: "The device code is not valid."))
    }
    guard case .waiting = device.state else { return usedBefore(call) }
    if form["decision"] == "deny" {
      devices.update(secret) { $0.state = .denied }
      deviceCodes.remove(code)
      return call.page(Page.message("Cancelled", "The device is not signed in."))
    }
    switch try await recognise(call, form, pending: device.pending) {
    case .wrong(let problem, let pending):
      // A wrong password takes back nothing that another press of the button has proven meanwhile.
      if device.pending != nil || pending != nil { devices.update(secret) { $0.pending = pending } }
      let page =
        pending == nil
        ? deviceForm(code: typed, username: form["username"], problem: problem)
        : secondFactorForm("confirmed", code, problem: problem)
      return call.page(page)
    case .user(let user, let methods):
      // Another press of a button was faster, also of the one that refuses.
      guard case .waiting? = devices.value(secret, at: call.now)?.state else { return usedBefore(call) }
      let grant = grant(to: user, client: device.clientID, scope: device.scope, methods: methods, at: call.now)
      devices.update(secret) { $0.state = .granted(grant) }
      deviceCodes.remove(code)
      return call.page(Page.message("Done", "The device is signed in. You may close this page."))
    }
  }

  private func usedBefore(_ call: Call) -> ServerResponse {
    call.page(Page.message("Done", "This code was used before."), status: 400)
  }

  private func tooManyCodes(_ call: Call, _ seconds: Int64) -> ServerResponse {
    var answer = call.page(
      Page.message("Too many codes", "Too many codes were wrong. Try again in \(seconds) seconds."), status: 429)
    answer.headers.append(ServerField("Retry-After", "\(seconds)"))
    return answer
  }

  private func deviceForm(code: String?, username: String?, problem: String?) -> String {
    Page.form(
      title: "Sign in on a device", problem: problem, hidden: nil,
      fields: [
        Page.Field(name: "user_code", label: "The code that the device shows", value: code ?? ""),
        Page.Field(name: "username", label: "Email", value: username ?? "", autocomplete: "username"),
        Page.Field(name: "password", label: "Password", type: "password", autocomplete: "current-password"),
      ], buttons: [("approve", "Allow"), ("deny", "Refuse")])
  }
}
