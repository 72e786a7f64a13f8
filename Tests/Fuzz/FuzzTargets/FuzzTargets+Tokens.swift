import Cryptography
import IdentityServer
import Text
import WebTokens

extension FuzzTargets {
  /// Tokens, keys and what is kept of passwords: what is read is written, and read again the same.
  static func tokens(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let decoded = Base64URL.decode(text) {
      precondition(Base64URL.decode(Base64URL.encode(decoded)) == decoded, "\(text) reads otherwise")
    }
    if let token = try? CompactToken(text) {
      precondition(text.utf8.count <= CompactToken.limit && token.header.count <= text.utf8.count)
      if let key = try? JSONWebKey(n: text, e: "AQAB").publicKey() {
        precondition((try? token.payload(signedBy: key)) == nil, "nobody has signed \(text)")
      }
    }
    if let key = try? RSAPublicKey(pem: text) {
      let again = try? JSONWebKey(key).publicKey()
      precondition(again?.modulus == key.modulus, "\(text) reads otherwise")
    }
    _ = try? RSAPrivateKey(pem: text)
    _ = CertificatePair.fault(certificate: text, key: text)
    if let hash = PasswordHash(parsing: text) {
      precondition(PasswordHash(parsing: hash.text) == hash, "\(text) reads otherwise")
    }
    let key = [UInt8](repeating: 7, count: AESGCM.keyCount)
    precondition((try? AESGCM.open(bytes, key: key)) == nil, "nobody has sealed \(text)")
  }
}
