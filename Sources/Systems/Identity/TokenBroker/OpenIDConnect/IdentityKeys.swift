internal import ConfigurationFiles
internal import Cryptography
internal import JSON
import Time
internal import WebTokens

/// The keys that a server signs id tokens with, and the issuer that these tokens name.
struct IdentityKeys: Sendable {
  let issuer: String
  /// By the identifier of the key; empty for a key without one.
  let keys: [(id: String, key: RSAPublicKey)]
  /// When the keys were requested, in seconds since 1970.
  let askedAt: Int

  /// The most keys of a set that are looked at.
  static let most = 32
  /// The seconds before a token with an unknown key makes the broker request the keys again.
  static let pause = 60

  /// Reads a key set (RFC 7517). Keys of other kinds are left out.
  init(_ reply: ServerReply, issuer: String, now: Int) {
    self.issuer = issuer
    askedAt = now
    keys = (reply.objects("keys", most: Self.most) ?? []).compactMap { object in
      guard object["kty"]?.stringValue == "RSA", object["use"]?.stringValue ?? "sig" == "sig",
        let n = object["n"]?.stringValue, let e = object["e"]?.stringValue,
        let key = try? JSONWebKey(n: n, e: e).publicKey()
      else { return nil }
      return (object["kid"]?.stringValue ?? "", key)
    }
  }

  /// Returns whether one of the keys signed a token; nil when none has the identifier that the token names.
  func hasSigned(_ token: CompactToken, keyID: String?) -> Bool? {
    let named = keys.filter { keyID == nil || $0.id.isEmpty || $0.id == keyID }
    if named.isEmpty { return nil }
    return named.contains { (try? token.payload(signedBy: $0.key)) != nil }
  }
}

extension TokenBroker {
  /// Returns the keys of the server; nil when it names none.
  ///
  /// - Parameter isAnew: whether the keys are requested although they are known.
  func identityKeys(anew isAnew: Bool = false) async throws(AuthError) -> IdentityKeys? {
    let now = clock.seconds
    if let known = keys {
      let isRecent = now >= known.askedAt && now < known.askedAt + IdentityKeys.pause
      if !isAnew || isRecent { return known }
    }
    let exchange = exchange()
    let metadata = try await signingMetadata(exchange)
    guard let url = metadata.keysEndpoint else { return nil }
    let reply = try await exchange.get(url)
    guard reply.isSuccess, reply.objects("keys") != nil else { throw exchange.error(reply, purpose: .discovery) }
    let found = IdentityKeys(reply, issuer: metadata.issuer, now: now)
    keys = found
    return found
  }

  /// The document that names issuer and keys. A server with native authentication has it below its tenant.
  private func signingMetadata(_ exchange: AuthExchange) async throws(AuthError) -> ServerMetadata {
    if configuration.kind == .openIDConnect { return try await endpoints() }
    let reply = try await exchange.get("\(configuration.authority)/v2.0/.well-known/openid-configuration")
    guard reply.isSuccess else { throw exchange.error(reply, purpose: .discovery) }
    return try ServerMetadata(signingFor: configuration, reply)
  }
}
