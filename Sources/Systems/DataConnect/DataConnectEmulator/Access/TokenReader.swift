import JSON
import Text
package import Time
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

  /// Returns the caller that a token belongs to.
  ///
  /// - Parameter text: the token; `nil` or empty for a caller without one.
  /// - Throws: `unauthenticated` for a text that is not a token, or a token that is not accepted.
  func caller(_ text: String?) async throws(RequestFailure) -> OperationCaller {
    guard let text, !text.isEmpty else { return .nobody }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
    guard text.utf8.count <= CompactToken.limit, parts.count == 3, let header = Self.object(Substring(parts[0])),
      let claims = Self.object(Substring(parts[1]))
    else { throw Self.refused("it is not a JSON Web Token") }
    if let issuer = policy.issuer {
      try await verify(text, header, claims, issuer)
    } else if !isLoopback {
      throw Self.refused("the issuer of tokens is not named")
    }
    guard let claims = Claims(claims) else { throw Self.refused("it names no user") }
    return .user(claims)
  }

  /// Whether what a token said of a caller still holds.
  func isCurrent(_ caller: OperationCaller) -> Bool {
    guard policy.issuer != nil, let claims = caller.claims else { return true }
    return (claims.token["exp"]?.doubleValue ?? 0) > Double(policy.clock.now().seconds - policy.leeway)
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
    guard claims["iss"]?.stringValue?.hasBytes(of: issuer.name) == true else {
      throw Self.refused("another server has issued it")
    }
    if let audience = issuer.audience {
      let named =
        claims["aud"]?.arrayValue?.compactMap(\.stringValue) ?? [claims["aud"]?.stringValue].compactMap(\.self)
      guard named.contains(where: { $0.hasBytes(of: audience) }) else {
        throw Self.refused("it is meant for another client")
      }
    }
    let now = policy.clock.now().seconds
    guard let end = claims["exp"]?.doubleValue, end > Double(now - policy.leeway) else {
      throw Self.refused("it has expired")
    }
    if let begin = claims["nbf"]?.doubleValue, begin > Double(now + policy.leeway) {
      throw Self.refused("it is not valid yet")
    }
  }
}

/// Which tokens are believed.
package struct TokenPolicy: Sendable {
  /// Who signs tokens, and where its keys are.
  package struct Issuer: Sendable {
    /// What tokens say in `iss`.
    package var name: String
    /// What tokens say in `aud`; `nil` takes any.
    package var audience: String?
    /// The JSON Web Key Set (RFC 7517), fetched anew. A cancellation must not end it: other callers wait for it too.
    package var keys: @Sendable () async throws -> [UInt8]

    package init(name: String, audience: String? = nil, keys: @escaping @Sendable () async throws -> [UInt8]) {
      self.name = name
      self.audience = audience
      self.keys = keys
    }
  }

  /// With an issuer a token has to be signed by it. Without one every token is believed, which is for the machine's own
  /// addresses alone.
  package var issuer: Issuer?
  /// How far clocks may differ, in seconds.
  package var leeway: Int64 = 60
  /// Decides whether a token has begun and has not expired.
  package var clock = WallClock.system

  package init(issuer: Issuer? = nil) { self.issuer = issuer }
}
