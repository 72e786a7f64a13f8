import Testing

@testable import JSON

@Suite(.timeLimit(.minutes(1))) struct `A short text` {
  @Test func `has the form that the library gives strings`() { #expect(ShortText.isKnown) }

  @Test(arguments: 0...20) func `is the string that it was`(count: Int) {
    let plain = String(decoding: (0..<count).map { UInt8(0x23 + $0) }, as: UTF8.self)
    let short = ShortText(plain)
    #expect((short != nil) == (count <= ShortText.longest))
    #expect(short.map(\.string) ?? plain == plain)
    #expect(short?.count ?? count == count)
    #expect(short?.hasSpecial != true)
    for special in ["\"", "\\", "\n", "\u{1F}"] where count < ShortText.longest {
      #expect(ShortText(plain + special)?.hasSpecial == true)
      #expect(ShortText(special + plain)?.hasSpecial == true)
    }
    #expect(ShortText(plain + "é").map(\.count) == nil)
    #expect(ShortText("😀" + plain).map(\.count) == nil)
  }

  @Test(arguments: 0...20) func `equals and hashes as every other string`(count: Int) throws {
    let plain = String(repeating: "k", count: count)
    let bytes = Array("[\"\(plain)\",\"\(String(repeating: " ", count: 20))\"]".utf8)
    let read = try JSONCoding.decode([String].self, from: bytes)
    #expect(read[0] == plain)
    #expect(Set([plain, read[0]]).count == 1)
    #expect(read[0] + "é" == plain + "é")
  }
}
