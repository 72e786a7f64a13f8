import Cryptography
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A signature of Ed25519` {
  private static func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.count, by: 2).compactMap { UInt8(text.dropFirst($0).prefix(2), radix: 16) }
  }

  /// RFC 8032, 7.1.
  @Test(arguments: [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
  ])
  func `is the one of the standard`(seed: String, key: String, message: String, signature: String) throws {
    let secret = try Ed25519.PrivateKey(seed: Self.bytes(seed))
    #expect(secret.publicKey.bytes == Self.bytes(key))
    #expect(try secret.signature(of: Self.bytes(message)) == Self.bytes(signature))
    #expect(secret.publicKey.isValid(Self.bytes(signature), for: Self.bytes(message)))
  }

  @Test func `is none when one bit of it, of the message or of the key is another`() throws {
    let key = try Ed25519.PrivateKey.generate()
    let message = Array("message".utf8)
    let signature = try key.signature(of: message)
    for place in signature.indices {
      var changed = signature
      changed[place] ^= 1
      #expect(!key.publicKey.isValid(changed, for: message), "byte \(place)")
    }
    #expect(!key.publicKey.isValid(signature, for: message + [0]))
    #expect(!key.publicKey.isValid(Array(signature.dropLast()), for: message))
    #expect(!key.publicKey.isValid([], for: message))
    #expect(!(try Ed25519.PrivateKey.generate().publicKey.isValid(signature, for: message)))
    #expect(throws: CryptographyError.self) { try Ed25519.PrivateKey(seed: [1, 2, 3]) }
    #expect(throws: CryptographyError.self) { try Ed25519.PublicKey([1, 2, 3]) }
  }

  @Test(arguments: [(0, false), (31, false), (32, true), (33, false)])
  func `has keys of 32 bytes`(count: Int, isTaken: Bool) {
    let bytes = [UInt8](repeating: 1, count: count)
    for isPrivate in [false, true] {
      do throws(CryptographyError) {
        let made = try isPrivate ? Ed25519.PrivateKey(seed: bytes).publicKey : Ed25519.PublicKey(bytes)
        #expect(isTaken && made.bytes.count == 32)
      } catch {
        #expect(!isTaken && error.kind == .malformed && error.message.hasSuffix("and not \(count)."))
      }
    }
  }
}
