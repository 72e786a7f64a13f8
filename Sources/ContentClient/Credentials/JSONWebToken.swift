internal import Base64
internal import JSONRPC

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
    let text = "\(encoded(Array(header.description.utf8))).\(encoded(Array(claims.description.utf8)))"
    return RSAKey.signature(of: Array(text.utf8), by: service.privateKey).map { "\(text).\(encoded($0))" }
  }

  /// Base64 for URLs, without padding (RFC 7515, 2).
  private static func encoded(_ bytes: [UInt8]) -> String {
    let text = Base64.encode(bytes).utf8.filter { $0 != UInt8(ascii: "=") }.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
