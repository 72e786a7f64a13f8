internal import ConfigurationFiles
internal import Cryptography
internal import HTTP
package import HTTPClient
internal import Text

/// Sends one request and gives its answer, whatever the status.
package typealias AuthTransport = @Sendable (_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

/// The requests of one flow, which share a correlation identifier.
struct AuthExchange: Sendable {
  let configuration: IdentityConfiguration
  let transport: AuthTransport
  /// A GUID that identifies the flow's requests in the server's log.
  let correlationID: String
  /// Whether the secret of the client is a field of the form; else it is sent by Basic authentication.
  var postsSecret = false

  /// The most bytes of an answer.
  static let maximumBodyBytes = 1 << 20
  static let timeout: Duration = .seconds(30)

  init(
    _ configuration: IdentityConfiguration, transport: @escaping AuthTransport, correlationID: String? = nil,
    postsSecret: Bool = false
  ) {
    self.postsSecret = postsSecret
    self.configuration = configuration
    self.transport = transport
    self.correlationID = correlationID ?? Self.newCorrelationID()
  }

  var server: String { configuration.environment }

  /// Posts a form.
  ///
  /// - Parameter endsWithCaller: whether a cancelled task ends the exchange: not where the server spends something.
  /// - Throws: `AuthError` when there is no answer, or a redirect.
  func post(
    _ form: FormFields, to url: String, endsWithCaller: Bool = true, timeout: Duration = Self.timeout
  ) async throws(AuthError) -> ServerReply {
    var headers: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
    addHeaders(&headers)
    var form = form
    prove(&form, &headers)
    var request = HTTPRequest(
      "POST", url, headers: headers, body: form.body, timeout: timeout,
      maximumBodyBytes: Self.maximumBodyBytes, maximumRedirects: 0)
    request.endsWithCaller = endsWithCaller
    request.isSentOnce = form.isSpent
    return try await send(request)
  }

  /// Requests a document without credentials.
  ///
  /// - Throws: `AuthError` when the server does not answer.
  func get(_ url: String) async throws(AuthError) -> ServerReply {
    var headers: HTTPFields = ["Accept": "application/json"]
    addHeaders(&headers)
    return try await send(
      HTTPRequest(
        "GET", url, headers: headers, timeout: Self.timeout, maximumBodyBytes: Self.maximumBodyBytes,
        maximumRedirects: 0))
  }

  private func send(_ request: HTTPRequest) async throws(AuthError) -> ServerReply {
    do throws(HTTPError) {
      let reply = ServerReply(try await transport(request))
      guard !(300..<400).contains(reply.status) else {
        throw HTTPError(.badRedirect, "", url: request.url)
      }
      return reply
    } catch {
      guard error.kind != .badRedirect else {
        throw AuthError(
          .invalidAnswer, "\(server) sends the request elsewhere, which is not followed.",
          recovery: "Set the authority to the server that answers.", correlationID: correlationID)
      }
      throw AuthError(error, server: name(of: request.url), correlationID: correlationID)
    }
  }

  /// The server of a request, for messages: an endpoint may have another host than the authority that names it.
  private func name(of url: String) -> String {
    guard let origin = HTTPOrigin(url: url), origin != HTTPOrigin(url: configuration.authority) else { return server }
    let isUsual = origin.port == (origin.scheme == "https" ? 443 : 80)
    return isUsual ? origin.host : "\(origin.host):\(origin.port)"
  }

  /// Returns the error for an answer that refuses a request.
  func error(
    _ reply: ServerReply, purpose: RequestPurpose, sent form: FormFields = [:]
  ) -> AuthError {
    let error = AuthError(ServerFailure(reply, hiding: form.secrets), purpose: purpose, server: server)
    return error.with(
      correlationID: correlationID, recovery: configuration.kind == .openIDConnect ? error.kind.openIDRecovery : nil)
  }

  /// Adds the secret of the client (RFC 6749, 2.3.1), where it has one.
  private func prove(_ form: inout FormFields, _ headers: inout HTTPFields) {
    guard configuration.kind == .openIDConnect, let secret = configuration.clientSecret else { return }
    if postsSecret {
      form["client_secret"] = secret
      return
    }
    let words = [configuration.clientID, secret.revealed()].map { PercentEncoding.encoded($0) }
    headers["Authorization"] = "Basic \(Base64.encode(Array(words.joined(separator: ":").utf8)))"
  }

  private func addHeaders(_ headers: inout HTTPFields) {
    for field in configuration.additionalHeaders.all where headers[field.name] == nil {
      headers.append(field.name, field.value)
    }
    headers["client-request-id"] = correlationID
    guard configuration.kind == .native else { return }
    headers["x-client-SKU"] = "Annex"
    headers["x-client-Ver"] = "1.0"
    headers["x-client-OS"] = "Linux"
    headers["x-client-current-telemetry"] = "5|,0|"
    headers["x-client-last-telemetry"] = "5|0|||"
  }

  /// Returns a random GUID.
  static func newCorrelationID() -> String { GUID.text(SecureRandom.bytes(16)) }
}

/// The purpose of a request, which decides the meaning of a refusal without details.
enum RequestPurpose: Sendable, Equatable {
  case startSignIn
  case startSignUp
  case startReset
  /// A step between, with a continuation token and nothing that the user typed.
  case step
  case password
  case newPassword
  case code
  case attributes
  /// The address of mail of a second factor.
  case address
  /// The telephone number of a second factor.
  case number
  case refresh
  case authorizationCode
  case deviceCode
  case discovery
  case revocation
}
