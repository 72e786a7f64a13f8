internal import ConfigurationFiles
internal import Cryptography
internal import JSON
internal import Text

/// The signed claim by which a service asks for a token (RFC 7519).
enum JSONWebToken {
  /// Seconds for which the claim holds: it is used at once.
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
    // It is read anew for each signature, of which there are few.
    let signature = try? RSAPrivateKey(pem: service.privateKey.revealed()).signature(of: Array(text.utf8))
    return signature.map { "\(text).\(Base64URL.encode($0))" }
  }
}
