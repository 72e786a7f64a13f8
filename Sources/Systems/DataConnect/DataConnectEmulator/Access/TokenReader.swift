import JSON
import Text
import Time
import WebTokens

/// Reads the tokens of users.
struct TokenReader: Sendable {
  private let policy: TokenPolicy
  /// Whether only this machine can reach the server.
  private let isLoopback: Bool
  private let keys: IssuerKeys?

  init(_ policy: TokenPolicy, isLoopback: Bool) {
    self.policy = policy
    self.isLoopback = isLoopback
    keys = policy.issuer.map { IssuerKeys($0.keys) }
  }

  /// - Parameter text: the token; `nil` and an empty one are nobody's.
  /// - Throws: `unauthenticated` for a token that is none, or is not believed.
  func caller(_ text: String?) async throws(RequestFailure) -> OperationCaller {
    guard let text, !text.isEmpty else { return .nobody }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard text.utf8.count <= CompactToken.limit, parts.count == 3, let header = Self.object(Substring(parts[0])),
      let claims = Self.object(Substring(parts[1]))
    else { throw Self.refused("it is no JSON Web Token") }
    if let issuer = policy.issuer {
      try await verify(text, header, claims, issuer)
    } else if !isLoopback {
      throw Self.refused("nobody is named who signs tokens")
    }
    guard let claims = Claims(claims) else { throw Self.refused("it names no user") }
    return .user(claims)
  }

  /// Whether what a token said of a caller still holds.
  func isCurrent(_ caller: OperationCaller) -> Bool {
    guard policy.issuer != nil, let claims = caller.claims else { return true }
    return (claims.token["exp"]?.doubleValue ?? 0) > Double(UnixTime.now.seconds - policy.leeway)
  }

  private static func object(_ part: Substring) -> JSONObject? {
    guard let bytes = Base64URL.decode(part), let value = try? JSONCoding.parse(bytes) else { return nil }
    return value.objectValue
  }

  private static func refused(_ why: String) -> RequestFailure {
    RequestFailure(.unauthenticated, "unauthorized: the token is not accepted, since \(why)")
  }

  private func verify(
    _ text: String, _ header: JSONObject, _ claims: JSONObject, _ issuer: TokenPolicy.Issuer
  ) async throws(RequestFailure) {
    guard header["alg"] == "RS256", let token = try? CompactToken(text) else {
      throw Self.refused("it is not signed with RS256")
    }
    guard let key = await keys?.key(header["kid"]?.stringValue ?? "") else {
      throw Self.refused("its key is not known")
    }
    guard (try? token.payload(signedBy: key)) != nil else { throw Self.refused("its signature is wrong") }
    guard claims["iss"]?.stringValue == issuer.name else { throw Self.refused("somebody else has issued it") }
    if let audience = issuer.audience {
      let named =
        claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue].compactMap(\.self)
      guard named.contains(audience) else { throw Self.refused("it is meant for somebody else") }
    }
    let now = UnixTime.now.seconds
    guard let end = claims["exp"]?.doubleValue, end > Double(now - policy.leeway) else {
      throw Self.refused("it has expired")
    }
    if let begin = claims["nbf"]?.doubleValue, begin > Double(now + policy.leeway) {
      throw Self.refused("it is not valid yet")
    }
  }
}
