import Text
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Base64 text` {
  @Test(arguments: 0...70) func `agrees with Foundation in both directions`(count: Int) {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.encode(bytes) == text)
    #expect(Base64.decode(text) == bytes)
  }

  @Test(
    arguments: [
      "A", "AA", "AAA", "A===", "====", "AA=A", "AB==", "AAB=", "AA==\n", " AAAA", "AA-_", "AAAA=", "=AAA", "AAé=",
    ])
  func `refuses what is not strict`(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
