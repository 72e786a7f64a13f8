import CCrypto
import Cryptography
import Testing

/// What libcrypto remembers of a failure would be taken for the failure of whoever calls it next on the same thread.
@Suite(.timeLimit(.minutes(1)))
struct `The errors that libcrypto remembers` {
  /// What is left of a call, which has to fail.
  private func left(_ hasFailed: () -> Bool) -> UInt {
    ERR_clear_error()
    #expect(hasFailed())
    return ERR_peek_error()
  }

  private func fails(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch { return true }
  }

  @Test func `are none after a key that is none`() {
    #expect(left { fails { _ = try RSAPrivateKey(pem: "no key") } } == 0)
    #expect(left { fails { _ = try RSAPublicKey(pem: "no key") } } == 0)
    #expect(left { fails { _ = try RSAPublicKey(modulus: [1], exponent: [1]) } } == 0)
    #expect(left { fails { _ = try Ed25519.PrivateKey(seed: [1]) } } == 0)
    #expect(left { CertificatePair.fault(certificate: "none", key: "none") == .certificate } == 0)
    #expect(left { !ForeignKey.isValid([1], for: [1], pem: "no key", .rsaPSS) } == 0)
  }

  @Test func `are none after a signature that is another's`() throws {
    let (key, other) = (try RSAPrivateKey.generate(), try RSAPrivateKey.generate())
    let signature = try key.signature(of: [1])
    for (wrong, bytes) in [(signature, [2]), ([], [1]), (Array(signature.dropLast()), [1])] as [([UInt8], [UInt8])] {
      #expect(left { !key.publicKey.isValid(signature: wrong, of: bytes) } == 0)
    }
    #expect(left { !other.publicKey.isValid(signature: signature, of: [1]) } == 0)
    let pem = try other.publicKey.pem()
    for scheme in [ForeignKey.Scheme.rsaPKCS1, .rsaPSS, .ecdsaP256] {
      #expect(left { !ForeignKey.isValid(signature, for: [1], pem: pem, scheme) } == 0)
    }
    let edwards = try Ed25519.PrivateKey.generate()
    let signed = try edwards.signature(of: [1])
    #expect(left { !edwards.publicKey.isValid(signed, for: [2]) } == 0)
    let noPoint = try Ed25519.PublicKey([UInt8](repeating: 255, count: 32))
    #expect(left { !noPoint.isValid(signed, for: [1]) } == 0)
  }

  @Test func `are none after a box that was changed`() throws {
    let key = [UInt8](repeating: 1, count: 32)
    var box = try AESGCM.seal([1, 2, 3], key: key)
    box[20] ^= 1
    #expect(left { fails { _ = try AESGCM.open(box, key: key) } } == 0)
  }
}
