internal import ConfigurationFiles
internal import Cryptography
internal import Text

/// What proves that who redeems a code is who asked for it (RFC 7636).
struct ProofKey: Sendable, Equatable {
  let verifier: Secret

  init() { verifier = Self.randomText() }
  init(verifier: Secret) { self.verifier = verifier }

  /// What is told first: the SHA-256 of the verifier, in base64url.
  var challenge: String { Base64URL.encode(SHA256.digest(of: Array(verifier.revealed().utf8))) }

  /// 43 letters and digits, of 256 random bits.
  static func randomText() -> Secret { Secret(Base64URL.encode(SecureRandom.bytes(32))) }
}
