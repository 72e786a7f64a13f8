import Cryptography
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A key of RSA` {
  @Test func `goes through PEM and back`() throws {
    let key = try RSAPrivateKey.generate()
    let pem = try key.pem()
    #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    let again = try RSAPrivateKey(pem: pem)
    let signature = try again.signature(of: [1, 2, 3])
    let publicKey = try RSAPublicKey(pem: key.publicKey.pem())
    #expect(publicKey.isValid(signature: signature, of: [1, 2, 3]))
    #expect(!publicKey.isValid(signature: signature, of: [1, 2, 4]))
    #expect(!publicKey.isValid(signature: [], of: [1, 2, 3]))
    #expect(!publicKey.isValid(signature: Array(signature.dropLast()), of: [1, 2, 3]))
    #expect(try !RSAPrivateKey.generate().publicKey.isValid(signature: signature, of: [1, 2, 3]))
  }

  @Test func `does not show itself`() throws {
    let key = try RSAPrivateKey.generate()
    #expect("\(key)" == "<redacted>")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("KeyHandle"))
  }

  @Test(arguments: [
    "", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    // Of an elliptic curve.
    """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevZzL1gdAFr88hb2
    OF/2NxApJCzGCEDdfSp6VQO30hyhRANCAAQRWz+jn65BtOMvdyHKcvjBeBSDZH2r
    1RTwjmYSi9R/zpBnuQ4EiMnCqfMPWiZqB4QdbAd0E7oH50VpuZ1P087G
    -----END PRIVATE KEY-----

    """,
  ])
  func `is refused when it is none`(pem: String) {
    let error = #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: pem) }
    #expect(error?.kind == .malformed)
    #expect(throws: CryptographyError.self) { try RSAPublicKey(pem: pem) }
  }

  @Test func `is refused when it is too short or too long`() {
    #expect(throws: CryptographyError.self) { try RSAPrivateKey.generate(bits: 1_024) }
    #expect(throws: CryptographyError.self) { try RSAPrivateKey.generate(bits: 1 << 40) }
    #expect(throws: CryptographyError.self) { try RSAPrivateKey(pem: String(repeating: "A", count: 70_000)) }
  }
}
