import Cryptography
import JSON
import Synchronization
import Time
import WebTokens

@testable import DataConnectEmulator

/// An issuer of signed tokens, with a clock that a test sets.
final class SignedIssuer: Sendable {
  let key: RSAPrivateKey
  let fetches = Mutex(0)
  private let time: Mutex<Int64>

  /// Two keys are enough, and each takes a while to make.
  private static let keys = Result { [try RSAPrivateKey.generate(), try RSAPrivateKey.generate()] }

  init(_ number: Int = 0) throws {
    key = try Self.keys.get()[number]
    time = Mutex(UnixTime.now.seconds)
  }

  /// In seconds since 1970.
  var now: Int64 { time.withLock { $0 } }
  func advance(by seconds: Int64) { time.withLock { $0 += seconds } }

  func policy(audience: String? = "films") -> TokenPolicy {
    let web = JSONWebKey(key.publicKey)
    let issuer = TokenPolicy.Issuer(name: "https://issuer", audience: audience) {
      self.fetches.withLock { $0 += 1 }
      let key: JSONValue = ["kty": "RSA", "kid": "one", "n": .string(web.n), "e": .string(web.e)]
      return Array(JSONValue.object(["keys": [key]]).description.utf8)
    }
    var policy = TokenPolicy(issuer: issuer)
    policy.clock.now = { UnixTime(seconds: self.now) }
    return policy
  }

  func reader(audience: String? = "films") -> TokenReader {
    TokenReader(policy(audience: audience), isLoopback: true)
  }

  /// A token that lives ten minutes.
  ///
  /// - Parameters:
  ///   - changes: claims that differ.
  ///   - absent: a claim that the token lacks.
  func token(_ changes: JSONObject = [:], without absent: String? = nil, key id: String = "one") throws -> String {
    var claims: JSONObject = [
      "sub": "u", "iss": "https://issuer", "aud": "films", "exp": JSONValue(now + 600),
    ]
    for (name, value) in changes { claims[name] = value }
    if let absent { claims[absent] = nil }
    return try CompactToken.sign(Array(JSONValue.object(claims).description.utf8), key: key, keyID: id)
  }
}
