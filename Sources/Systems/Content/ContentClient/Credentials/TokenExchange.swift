internal import Text
internal import ConfigurationFiles
internal import Cryptography
internal import HTTPClient
internal import JSON
internal import Synchronization
import Time

/// The token of a service account: exchanges credentials for a token, stores it in memory, and renews it before it
/// expires.
final class TokenExchange: Sendable {
  private let service: ServiceCredentials
  private let transport: ContentTransport
  private let clock: WallClock
  private let file: KeptToken.Place?
  private let kept = Mutex<KeptToken?>(nil)
  private let flights = SingleFlight<String, Secret>()
  /// The assumed lifetime in seconds of a token whose answer names none.
  private static let shortLifetime = 300
  private static let maximumAnswerBytes = 1 << 20

  /// - Parameter file: where the token is kept for other processes; nil keeps it in memory alone.
  init(
    _ service: ServiceCredentials, transport: @escaping ContentTransport, clock: WallClock,
    file: KeptToken.Place? = nil
  ) {
    self.service = service
    self.file = file
    self.transport = transport
    self.clock = clock
  }

  /// The token that is kept now, for hiding it.
  var current: Secret? { kept.withLock { $0?.token } }

  /// - Parameter timeout: seconds.
  /// - Throws: `tokenExchangeFailed`, unless an older token is still good; `cancelled`.
  func token(within timeout: Double) async throws(ContentError) -> Secret {
    let now = clock.seconds
    if let kept = kept.withLock({ $0 }), now < kept.renewAt { return kept.token }
    do throws(ContentError) {
      return try await flights.run("token") { () throws(ContentError) in
        // Somebody else's exchange may have ended since the look above.
        if let kept = self.kept.withLock({ $0 }), self.clock.seconds < kept.renewAt { return kept.token }
        // Another process may have exchanged the same credentials.
        if let found = self.file?.read(), self.clock.seconds < found.renewAt {
          self.kept.withLock { $0 = found }
          return found.token
        }
        return try await self.exchange(timeout)
      }
    } catch {
      // What is kept now: the server may have refused the older token meanwhile.
      if error.kind != .cancelled, let kept = kept.withLock({ $0 }), clock.seconds < kept.expiresAt {
        return kept.token
      }
      throw error
    }
  }

  /// The server did not accept a token: the next is another. One that has taken its place meanwhile stays.
  func drop(_ token: String) {
    kept.withLock { kept in
      guard kept?.token.revealed() == token else { return }
      kept = nil
      file?.remove(token)
    }
  }

  private func exchange(_ timeout: Double) async throws(ContentError) -> Secret {
    guard let claim = JSONWebToken.signed(for: service, now: clock.seconds) else {
      throw failure("integration.privateKey cannot sign", "Download the file anew from the developer console of AEM.")
    }
    let isLocal = HTTPOrigin(url: "http://\(service.endpoint)")?.isLoopback ?? false
    let url = "\(isLocal ? "http" : "https")://\(service.endpoint)/ims/exchange/jwt"
    let form = [
      ("client_id", service.client), ("client_secret", service.clientSecret.revealed()), ("jwt_token", claim),
    ]
    let body = form.map { "\($0)=\(PercentEncoding.component($1))" }.joined(separator: "&")
    var request = HTTPRequest(
      "POST", url, headers: ["Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"],
      body: Array(body.utf8), timeout: .seconds(max(timeout, 0.001)), maximumBodyBytes: Self.maximumAnswerBytes)
    request.maximumRedirects = 0
    let response: HTTPResponse
    do throws(HTTPError) { response = try await transport(request) } catch {
      if error.kind == .cancelled { throw .cancelled }
      throw failure("the server of tokens did not answer: \(quotable(error.message))", error.recovery)
    }
    return try keep(response, hiding: claim)
  }

  private func keep(_ response: HTTPResponse, hiding claim: String) throws(ContentError) -> Secret {
    let value = (try? JSONCoding.parse(response.body, maximumDepth: 16)) ?? .null
    guard response.status == 200, let text = value["access_token"]?.stringValue, !text.isEmpty,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      let hidden = HiddenTexts([service.clientSecret, service.privateKey, Secret(claim)])
      let said = ["error", "error_description"].compactMap { value[$0]?.stringValue }.map { hidden.quoted($0) }
      let words = said.isEmpty ? "" : ": \(said.joined(separator: ", "))"
      throw failure(
        "the server of tokens answered with status \(response.status) and no token\(words)",
        "Check that the credentials have not expired, and that the account may use AEM.", response.status)
    }
    let seconds = Self.lifetime(value["expires_in"])
    let now = clock.seconds
    let token = Secret(text)
    let new = KeptToken(token: token, renewAt: now + seconds - min(300, seconds / 5), expiresAt: now + seconds)
    kept.withLock { $0 = new }
    file?.write(new)
    return token
  }

  /// Returns a lifetime in seconds. This exchange counts in milliseconds, others count in seconds; a number above a
  /// week is taken for milliseconds, because no token lives that long.
  private static func lifetime(_ value: JSONValue?) -> Int {
    guard let number = value?.integerValue ?? value?.stringValue.flatMap({ Int64($0) }), number > 0 else {
      return shortLifetime
    }
    return Int(min(number > 604_800 ? number / 1000 : number, 604_800))
  }

  private func failure(_ what: String, _ recovery: String, _ status: Int? = nil) -> ContentError {
    ContentError(
      .tokenExchangeFailed, "\(quotable(service.file)): \(what) (EXCHANGE_TOKEN_ERROR).", recovery: recovery,
      httpStatus: status)
  }
}

/// The signed assertion that a service account exchanges for a token (RFC 7519, RFC 7523).
enum JSONWebToken {
  /// The seconds for which the assertion is valid. The client uses it at once.
  static let lifetime = 3600

  /// - Parameter now: seconds since 1970.
  /// - Returns: nil when the key cannot sign.
  static func signed(for service: ServiceCredentials, now: Int) -> String? {
    var claims: JSONObject = [
      "exp": .integer(Int64(now + lifetime)), "iss": .string(service.organization), "sub": .string(service.account),
      "aud": .string("https://\(service.endpoint)/c/\(service.client)"),
    ]
    for scope in service.scopes { claims["https://\(service.endpoint)/s/\(scope)"] = true }
    let header: JSONValue = ["alg": "RS256", "typ": "JWT"]
    let text = [header, .object(claims)].map { Base64URL.encode($0.description.utf8) }.joined(separator: ".")
    // The key is parsed again for each signature; signatures are rare.
    let signature = try? RSAPrivateKey(pem: service.privateKey.revealed()).signature(of: Array(text.utf8))
    return signature.map { "\(text).\(Base64URL.encode($0))" }
  }
}
