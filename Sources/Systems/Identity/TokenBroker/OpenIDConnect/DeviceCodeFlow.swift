internal import ConfigurationFiles
internal import HTTPClient
internal import Text
import Time

/// A sign-in that the user agrees to on another device (RFC 8628).
package struct DeviceCodeFlow: Sendable {
  /// The code that the user types in the browser.
  package let userCode: String
  /// The address of the page for the code, for display.
  package let verificationURL: String
  /// The same with the code in it, for a link or a picture.
  package let completeURL: String?
  /// The time at which the code expires, in seconds since 1970.
  package let expiresAt: Int

  private let broker: TokenBroker
  private let endpoints: ServerMetadata
  private let code: Secret
  private let interval: Int
  private let scopes: ScopeList

  init(
    _ reply: ServerReply, broker: TokenBroker, endpoints: ServerMetadata, scopes: ScopeList
  ) throws(AuthError) {
    let server = broker.configuration.environment
    guard let code = reply.secret("device_code") else {
      throw .invalidAnswer(reply, server: server, lacking: "device_code")
    }
    guard let userCode = reply.text("user_code", most: 64) else {
      throw .invalidAnswer(reply, server: server, lacking: "user_code")
    }
    guard let url = reply.text("verification_uri") ?? reply.text("verification_url"), HTTPOrigin(url: url) != nil else {
      throw .invalidAnswer(reply, server: server, lacking: "verification_uri")
    }
    (self.code, self.userCode, verificationURL) = (code, quotable(userCode), url)
    completeURL = reply.text("verification_uri_complete").flatMap { HTTPOrigin(url: $0) == nil ? nil : $0 }
    expiresAt = broker.clock.seconds + (reply.integer("expires_in", in: 1...86_400) ?? 900)
    interval = reply.integer("interval", in: 1...DeviceCodeMachine.longestInterval) ?? 5
    (self.broker, self.endpoints, self.scopes) = (broker, endpoints, scopes)
  }

  /// Waits until the user has agreed or refused, or the code has expired.
  ///
  /// - Throws: `AuthError`; `cancelled` when the task was cancelled.
  package func wait() async throws(AuthError) -> Account {
    let clock = broker.clock
    let exchange = broker.exchange()
    var form: FormFields = [
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": broker.configuration.clientID,
    ]
    form["device_code"] = code
    var machine = DeviceCodeMachine(interval: interval, end: expiresAt, server: exchange.server)
    var step = machine.begin(now: clock.seconds)
    while true {
      switch step {
      case .failed(let error): throw error.with(correlationID: exchange.correlationID)
      case .granted(let grant):
        return try await broker.keep(grant, at: endpoints, username: nil, asked: scopes)
      case .wait(let seconds):
        do { try await clock.sleep(.seconds(seconds)) } catch { throw .cancelled }
        do throws(AuthError) {
          let reply = try await exchange.post(form, to: endpoints.tokenEndpoint)
          step = machine.receive(reply, hiding: form.secrets, now: clock.seconds)
        } catch {
          step = machine.receive(error, now: clock.seconds)
        }
      }
    }
  }
}

extension TokenBroker {
  /// Begins a sign-in on another device.
  ///
  /// - Throws: `AuthError`; `notSupported` when the server has no place for it.
  package func makeDeviceCodeFlow(scopes: ScopeList = .standard) async throws(AuthError) -> DeviceCodeFlow {
    let endpoints = try await endpoints()
    guard let url = endpoints.deviceAuthorizationEndpoint else {
      throw AuthError(.notSupported, "\(configuration.environment) gives no device codes.")
    }
    let exchange = exchange()
    var form: FormFields = ["client_id": configuration.clientID]
    form["scope"] = Secret(scopes.union(.standard).names.joined(separator: " "))
    let reply = try await exchange.post(form, to: url)
    guard reply.isSuccess else { throw exchange.error(reply, purpose: .step, sent: form) }
    return try DeviceCodeFlow(reply, broker: self, endpoints: endpoints, scopes: scopes)
  }
}
