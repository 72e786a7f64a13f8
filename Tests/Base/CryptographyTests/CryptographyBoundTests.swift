import Cryptography
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Cryptography at its bounds` {
  @Test func `digests as the standards do`() {
    #expect(
      Hexadecimal.text(for: SHA512.digest(of: Array("abc".utf8)))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    #expect(
      Hexadecimal.text(for: SHA1.digest(of: Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
    #expect(Hexadecimal.text(for: [0, 9, 10, 15, 0x9F, 0xA0, 0xFF]) == "00090a0f9fa0ff")
    #expect(Hexadecimal.text(for: [0x1A, 0x2B].reversed()) == "2b1a" && Hexadecimal.text(for: []) == "")
  }

  @Test(
    arguments: [
      ((1, 1, 1), true), ((20, 1, 1), true), ((20, 2, 16), true), ((20, 3, 1), false), ((16, 32, 1), true),
      ((17, 32, 1), false), ((0, 1, 1), false), ((1, 0, 1), false), ((1, 1, 0), false), ((1, 33, 1), false),
      ((1, 1, 17), false), ((21, 1, 1), false),
    ] as [((Int, Int, Int), Bool)])
  func `derives at a price within 256 MiB`(cost: (Int, Int, Int), isBounded: Bool) {
    #expect(Scrypt.Cost(logarithm: cost.0, blocks: cost.1, lanes: cost.2).isBounded == isBounded)
  }

  @Test(arguments: [
    (1, 1, 1, true), (4_096, 1, 1, true), (4_097, 1, 1, false), (1, 1_024, 1, true), (1, 1_025, 1, false),
    (1, 1, 0, false), (1, 1, 1_024, true), (1, 1, 1_025, false), (0, 0, 32, true),
  ]) func `derives so many bytes from so many`(password: Int, salt: Int, count: Int, isDone: Bool) {
    let key = try? Scrypt.key(
      password: [UInt8](repeating: 1, count: password), salt: [UInt8](repeating: 2, count: salt),
      cost: .init(logarithm: 1, blocks: 1, lanes: 1), count: count)
    #expect(key?.count == (isDone ? count : nil))
  }

  @Test(
    arguments: [
      (256, 0x80, true), (256, 0x40, false), (1_024, 0x80, true), (1_025, 0x01, false), (2_048, 0x80, false),
      (2_049, 0x80, false), (0, 0, false),
    ] as [(Int, UInt8, Bool)])
  func `takes keys of RSA from 2048 to 8192 bits`(count: Int, first: UInt8, isTaken: Bool) {
    var modulus = [UInt8](repeating: 0, count: count)
    if count > 0 { (modulus[0], modulus[count - 1]) = (first, 1) }
    if isTaken {
      #expect(throws: Never.self) { try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) }
      for exponent in [[], [UInt8](repeating: 1, count: 9)] {
        let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
        #expect(error?.kind == .outOfBounds)
      }
    } else {
      let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(modulus: modulus, exponent: [1, 0, 1]) }
      #expect(error?.kind == .outOfBounds)
    }
  }

  @Test func `reads a key out of 64 KiB at most`() throws {
    let pem = try RSAPrivateKey.generate().publicKey.pem()
    let most = pem + String(repeating: "\n", count: 65_536 - pem.utf8.count)
    #expect(try RSAPublicKey(pem: most).pem() == pem)
    let error = #expect(throws: CryptographyError.self) { try RSAPublicKey(pem: most + "\n") }
    #expect(error?.kind == .outOfBounds)
  }

  @Test func `believes the signature of another's key by its own scheme only`() throws {
    let key = try RSAPrivateKey.generate()
    let pem = try key.publicKey.pem()
    let signature = try key.signature(of: [1, 2])
    #expect(ForeignKey.isValid(signature, for: [1, 2], pem: pem, .rsaPKCS1))
    for scheme in [ForeignKey.Scheme.rsaPSS, .ecdsaP256] {
      #expect(!ForeignKey.isValid(signature, for: [1, 2], pem: pem, scheme))
    }
    #expect(!ForeignKey.isValid(signature, for: [1, 3], pem: pem, .rsaPKCS1))
    #expect(!ForeignKey.isValid([], for: [1, 2], pem: pem, .rsaPKCS1))
    #expect(!ForeignKey.isValid(signature, for: [1, 2], pem: "", .rsaPKCS1))
    let most = pem + String(repeating: "\n", count: 65_536 - pem.utf8.count)
    #expect(ForeignKey.isValid(signature, for: [1, 2], pem: most, .rsaPKCS1))
    #expect(!ForeignKey.isValid(signature, for: [1, 2], pem: most + "\n", .rsaPKCS1))
  }

  @Test func `shows no private key`() throws {
    let key = try Ed25519.PrivateKey(seed: [UInt8](repeating: 65, count: 32))
    var dumped = ""
    dump(key, to: &dumped)
    #expect("\(key)" == "<redacted>" && !dumped.contains("65"))
  }

  @Test func `makes a GUID of sixteen bytes, of which six bits are given`() {
    #expect(GUID.text([]) == "00000000-0000-4000-8000-000000000000")
    #expect(GUID.text([UInt8](repeating: 255, count: 17)) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(GUID.text([1, 2, 3]) == "01020300-0000-4000-8000-000000000000")
    #expect(GUID.isOne(GUID.text([])) && GUID.isOne("0AFaf9b8-0000-0000-0000-000000000000"))
    for text in [
      "", "00000000-0000-4000-8000-00000000000", "00000000-0000-4000-8000-0000000000000",
      "00000000-0000-4000-8000-00000000000g", "000000000-000-4000-8000-000000000000",
      "00000000-0000-4000-8000-000000000000-", "00000000-0000-4000-8000-0000000000é",
    ] { #expect(!GUID.isOne(text), "\(text)") }
  }
}
