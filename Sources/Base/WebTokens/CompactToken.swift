package import Cryptography
internal import Text

/// A signed JSON Web Token in its compact form (RFC 7515, 7.1), always RS256, split and not yet believed.
package struct CompactToken: Sendable {
  /// The most bytes of a token.
  package static let limit = 32_768

  /// The JSON of the header, which nothing has vouched for. The algorithm that it names is not asked: the signature is
  /// checked as RS256, or not at all.
  package let header: [UInt8]
  private let payload: [UInt8]
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// - Throws: `malformed` when the text is no token of three parts.
  package init(_ text: String) throws(CryptographyError) {
    guard text.utf8.count <= Self.limit else {
      throw CryptographyError(.outOfBounds, "\(text.utf8.count) bytes are too many for a token.")
    }
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw CryptographyError(.malformed, "The text is not a signed token of three parts.") }
    self.header = header
    self.payload = payload
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  /// The JSON of the claims, once the signature is that of the key.
  ///
  /// - Throws: `notAuthentic`.
  package func payload(signedBy key: RSAPublicKey) throws(CryptographyError) -> [UInt8] {
    guard key.isValid(signature: signature, of: signed) else {
      throw CryptographyError(.notAuthentic, "The signature of the token is not of this key.")
    }
    return payload
  }

  /// The JSON of the claims, from whomever. For tokens that came over a connection which vouches for them.
  package var unverifiedPayload: [UInt8] { payload }

  /// Signs claims.
  ///
  /// - Parameters:
  ///   - payload: the JSON of the claims.
  ///   - keyID: what the header names the key by: letters, digits, `-` and `_`.
  ///   - type: the type in the header.
  package static func sign(
    _ payload: [UInt8], key: RSAPrivateKey, keyID: String, type: String = "JWT"
  ) throws(CryptographyError) -> String {
    guard "\(keyID)\(type)".utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else {
      throw CryptographyError(.malformed, "The name of a key and the type of a token are plain letters.")
    }
    let header = "{\"alg\":\"RS256\",\"kid\":\"\(keyID)\",\"typ\":\"\(type)\"}"
    let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(payload))"
    return "\(signed).\(Base64URL.encode(try key.signature(of: Array(signed.utf8))))"
  }
}
