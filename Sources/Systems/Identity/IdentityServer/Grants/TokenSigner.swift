import Cryptography
import Files
import JSON
import Text
import WebTokens

/// The key that tokens are signed with.
struct TokenSigner: Sendable {
  private let key: RSAPrivateKey
  let webKey: JSONWebKey
  let keyID: String
  /// The secret behind the names that users have for clients. It lives as long as the key.
  private let salt: [UInt8]

  /// - Parameter keyFile: a private key in PEM; `nil` makes one.
  init(keyFile: String?) throws(IdentityServerError) {
    do {
      if let keyFile {
        let bytes = try File.read(keyFile, limit: 65_536)
        key = try RSAPrivateKey(pem: String(decoding: bytes, as: UTF8.self))
      } else {
        key = try RSAPrivateKey.generate()
      }
      salt = SHA256.digest(of: Array("annex pairwise subjects\n\(try key.pem())".utf8))
    } catch {
      throw IdentityServerError(
        "\(keyFile.map { "\($0): " } ?? "")There is no key to sign tokens with: \(error)",
        recovery: "Name a file with a private key of RSA, of 2048 bits and more, in PEM and without a passphrase.")
    }
    webKey = JSONWebKey(key.publicKey)
    keyID = webKey.thumbprint
  }

  /// Returns the name of a user for one client, which no other client can recognize (OpenID Connect Core, 8.1).
  func pairwiseSubject(of userID: String, for clientID: String) -> String {
    Base64URL.encode(SHA256.digest(of: salt + Array("\(clientID.lowercased())\n\(userID)".utf8)))
  }

  /// The set of one key (RFC 7517).
  var keySet: JSONObject {
    [
      "keys": [
        [
          "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID), "n": .string(webKey.n),
          "e": .string(webKey.e),
        ]
      ]
    ]
  }

  func sign(_ claims: JSONObject) throws(OAuthFailure) -> String {
    do throws(CryptographyError) {
      return try CompactToken.sign(Array(JSONValue.object(claims).description.utf8), key: key, keyID: keyID)
    } catch {
      throw OAuthFailure(status: 500, "server_error", 90_033, "A transient error has occurred: \(error.message)")
    }
  }

  /// The claims of a token that was signed here; `nil` for every other text.
  func claims(of token: String) -> JSONObject? {
    guard let token = try? CompactToken(token), let payload = try? token.payload(signedBy: key.publicKey) else {
      return nil
    }
    return try? JSONCoding.parse(payload).objectValue
  }
}
