import Testing
import Text

@Suite(.timeLimit(.minutes(1)))
struct `Base64 for URLs` {
  @Test(arguments: [
    ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"), ([0xFB, 0xFF, 0xBF], "-_-_"),
  ])
  func `goes there and back`(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(arguments: ["A", "Zg==", "Zg=", "Zh", "Zm9", "+/+/", "Zm 9v", "Zm9v\n", "é", "A.B"])
  func `refuses what is not strict`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
