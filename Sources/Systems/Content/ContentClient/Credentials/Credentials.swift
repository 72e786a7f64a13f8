internal import ConfigurationFiles
internal import Cryptography
internal import HTTP
internal import Text
import Time

/// The authentication of requests: makes the `Authorization` field of each request.
struct Credentials: Sendable {
  private let authentication: ContentConfiguration.Authentication
  private let exchange: TokenExchange?

  /// - Parameter tokenPath: the file in which the token of a service account lasts over the end of the process.
  init(
    _ authentication: ContentConfiguration.Authentication, transport: @escaping ContentTransport, clock: WallClock,
    tokenPath: (@Sendable () throws -> String)? = nil
  ) {
    self.authentication = authentication
    if case .service(let service) = authentication {
      exchange = TokenExchange(
        service, transport: transport, clock: clock, file: tokenPath.map { KeptToken.Place(path: $0, of: service) })
    } else {
      exchange = nil
    }
  }

  /// The value of the `Authorization` field; nil without authentication.
  ///
  /// - Parameter timeout: seconds that getting a token may take.
  /// - Throws: `tokenExchangeFailed`, `cancelled`.
  func authorization(within timeout: Double) async throws(ContentError) -> String? {
    switch authentication {
    case .none: nil
    case .basic(let user, let password): "Basic \(Self.pair(user, password))"
    case .token(let token): "Bearer \(token.revealed())"
    case .service:
      if let exchange { "Bearer \(try await exchange.token(within: timeout).revealed())" } else { String?.none }
    }
  }

  /// Whether a value that the server did not accept was of a token that can be renewed, and is forgotten now. Another
  /// request may have been refused with it sooner.
  func hasDropped(_ authorization: String?) -> Bool {
    guard let exchange, let authorization, authorization.hasPrefix("Bearer ") else { return false }
    exchange.drop(String(authorization.dropFirst(7)))
    return true
  }

  /// The secrets that no message may contain.
  var hidden: HiddenTexts {
    switch authentication {
    case .none: HiddenTexts([])
    case .basic(let user, let password): HiddenTexts([Secret(Self.pair(user, password)), password])
    case .token(let token): HiddenTexts([token])
    case .service(let service):
      HiddenTexts([service.clientSecret, service.privateKey] + (exchange?.current.map { [$0] } ?? []))
    }
  }

  /// One byte for each character: AEM reads credentials so. Others were refused with the configuration.
  private static func pair(_ user: String, _ password: Secret) -> String {
    Base64.encode("\(user):\(password.revealed())".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }
}

extension ContentConfiguration.Authentication {
  /// The caller's identity as a part of the cache key. The identity holds no secret: a token contributes its digest, a
  /// user the name.
  var identity: String {
    switch self {
    case .none: "none"
    case .basic(let user, _): "basic \(user)"
    case .token(let token):
      "token \(SHA256.hexadecimal(of: token.revealed().utf8))"
    case .service(let service): "service \(service.organization) \(service.account) \(service.client)"
    }
  }
}

/// Removes secrets from text of a server before a message quotes it: the server knows the secrets and may repeat them.
struct HiddenTexts: Sendable {
  private let secrets: [Secret]
  /// The shortest secret that is hidden: a shorter one also occurs in ordinary words.
  private static let shortest = 4

  init(_ secrets: [Secret]) { self.secrets = secrets }

  /// One short line. Secrets go before anything is cut, so that no half of one is left.
  func quoted(_ text: some StringProtocol) -> String {
    var text = String(text)
    for secret in secrets {
      let hidden = secret.revealed()
      guard hidden.utf8.count >= Self.shortest else { continue }
      for form in [hidden, PercentEncoding.component(hidden)] where text.utf8.count >= form.utf8.count {
        // By scalars: a mark behind a secret makes another character of its end.
        text = String(text.unicodeScalars.replacing(form.unicodeScalars, with: "\(secret)".unicodeScalars))
      }
    }
    return quotable(text)
  }
}
