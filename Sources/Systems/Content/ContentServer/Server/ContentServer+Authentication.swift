internal import Cryptography
internal import Text
internal import HTTPServer

extension ContentServer {
  /// Returns a response with status 401, unless the request carries the configured credentials.
  func refusal(of request: ServerRequest) -> ServerResponse? {
    let (scheme, expected, challenge): (String, [UInt8]?, String)
    switch configuration.authentication {
    case .none: return nil
    case .basic(let username, let password):
      // Basic authentication is ISO-8859-1 here, so no client can send credentials with other characters.
      let bytes = "\(username):\(password)".unicodeScalars.map { UInt8(exactly: $0.value) }
      let known = bytes.compactMap(\.self)
      (scheme, expected) = ("basic", known.count == bytes.count ? Array(Base64.encode(known).utf8) : nil)
      challenge = "Basic realm=\"Sling (Development)\""
    case .token(let token): (scheme, expected, challenge) = ("bearer", Array(token.utf8), "Bearer")
    }
    if let expected, let given = request.header("Authorization") {
      let parts = given.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == scheme, ConstantTime.isEqual(Array(parts[1].utf8), expected) {
        return nil
      }
    }
    return Self.unauthorized(challenge)
  }

  static func unauthorized(_ challenge: String) -> ServerResponse {
    var response = ServerResponse(status: 401, text: "Unauthorized")
    response.headers.append(ServerField("WWW-Authenticate", challenge))
    return response
  }
}
