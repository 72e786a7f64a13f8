import Cryptography
import Testing
import WebTokens

@Suite(.timeLimit(.minutes(1)))
struct `A token at its bounds` {
  @Test func `has so many bytes, and not one more`() throws {
    #expect(CompactToken.limit == 32_768)
    let most = "e30.e30." + String(repeating: "A", count: 32_760)
    #expect(try CompactToken(most).unverifiedPayload == Array("{}".utf8))
    let error = #expect(throws: CryptographyError.self) { try CompactToken(most + "A") }
    #expect(error?.kind == .outOfBounds)
  }

  @Test(arguments: [
    (" ", true), ("~", true), ("\u{1F}", false), ("\u{7F}", false), ("\"", false), ("\\", false), ("é", false),
  ])
  func `names its key and its type in plain letters`(letter: String, isSigned: Bool) throws {
    let key = try RSAPrivateKey.generate()
    for (keyID, type) in [(letter, "JWT"), ("k", letter)] {
      let text = try? CompactToken.sign([1], key: key, keyID: keyID, type: type)
      #expect((text != nil) == isSigned)
      guard let text else { continue }
      let header = String(decoding: try CompactToken(text).header, as: UTF8.self)
      #expect(header == "{\"alg\":\"RS256\",\"kid\":\"\(keyID)\",\"typ\":\"\(type)\"}")
    }
  }

  @Test func `has a key whose numbers are of a length`() {
    let kinds: [(Int, Int, CryptographyError.Kind)] = [
      (4_096, 4, .outOfBounds), (4_100, 4, .malformed), (344, 16, .outOfBounds), (344, 20, .malformed),
    ]
    for (n, e, kind) in kinds {
      let key = JSONWebKey(n: String(repeating: "B", count: n), e: String(repeating: "B", count: e))
      let error = #expect(throws: CryptographyError.self) { try key.publicKey() }
      #expect(error?.kind == kind, "\(n) \(e)")
    }
  }
}
