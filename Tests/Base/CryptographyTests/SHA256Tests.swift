import Cryptography
import Testing

/// Bytes of hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
  let letters = Array(digits.utf8)
  return stride(from: 0, to: letters.count, by: 2).compactMap {
    UInt8(String(decoding: letters[$0..<$0 + 2], as: UTF8.self), radix: 16)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A SHA-256 digest` {
  /// FIPS 180-2, appendix B.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `is that of the standard`(text: String, digest: String) {
    #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
    #expect(SHA256.hexadecimal(of: text.utf8) == digest)
  }

  @Test func `of pieces is that of the whole`() {
    let whole = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    var digest = SHA256()
    for start in stride(from: 0, to: whole.count, by: 999) {
      digest.update(whole[start..<min(start + 999, whole.count)])
    }
    #expect(
      Hexadecimal.text(for: digest.finalize()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An HMAC` {
  /// RFC 4231, cases 1, 2, 6 and a key of nothing.
  @Test(arguments: [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      String(repeating: "aa", count: 131),
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    ("", "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ])
  func `is that of the standard`(key: String, text: String, code: String) {
    #expect(Hexadecimal.text(for: HMAC.sha256(bytes(text), key: bytes(key))) == code)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A secret` {
  @Test func `is random and of the length that was asked for`() {
    #expect(SecureRandom.bytes(32).count == 32)
    #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
    #expect(SecureRandom.bytes(0).isEmpty)
    #expect(SecureRandom.bytes(-1).isEmpty)
  }

  @Test(arguments: [("", "", true), ("a", "a", true), ("a", "b", false), ("a", "aa", false), ("aa", "a", false)])
  func `is compared whole`(one: String, other: String, isSame: Bool) {
    #expect(ConstantTime.isEqual(one, other) == isSame)
  }

  /// RFC 7914, 12.
  @Test func `is derived by scrypt as in the standard`() throws {
    let cheap = try Scrypt.key(
      password: [], salt: [], cost: .init(logarithm: 4, blocks: 1, lanes: 1), count: 64)
    #expect(Hexadecimal.text(for: cheap).hasPrefix("77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"))
    let dear = try Scrypt.key(
      password: Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8),
      cost: .init(logarithm: 14, blocks: 8, lanes: 1), count: 64)
    #expect(Hexadecimal.text(for: dear).hasPrefix("7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"))
  }

  @Test(arguments: [(0, 8, 1), (21, 8, 1), (14, 0, 1), (14, 33, 1), (14, 8, 17), (20, 32, 1), (Int.max, 8, 1)])
  func `is not derived at a price out of bounds`(logarithm: Int, blocks: Int, lanes: Int) {
    let error = #expect(throws: CryptographyError.self) {
      try Scrypt.key(password: [1], salt: [1], cost: .init(logarithm: logarithm, blocks: blocks, lanes: lanes))
    }
    #expect(error?.kind == .outOfBounds)
  }
}
