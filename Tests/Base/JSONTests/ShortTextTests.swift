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

  /// Reads the first element of an array that ends so many bytes behind it.
  private func read(_ text: String, before rest: Int) throws -> String {
    let bytes = Array("[\"\(text)\"\(String(repeating: " ", count: rest))]".utf8)
    let values = try JSONCoding.parse(bytes).arrayValue ?? []
    #expect(try JSONCoding.decode([String].self, from: bytes) == values.map { $0.stringValue ?? "" })
    return try #require(values.first?.stringValue)
  }

  @Test func `ends where its quote does, however near the end of all is`() throws {
    for count in 0...17 {
      let plain = String(decoding: (0..<count).map { UInt8(0x61 + $0) }, as: UTF8.self)
      for rest in 0...17 {
        let read = try read(plain, before: rest)
        #expect(Array(read.utf8) == Array(plain.utf8) && read.utf16.count == count, "\(count), \(rest)")
        #expect(read.hasSuffix(plain) && read.count == count)
      }
    }
  }

  /// A string that was taken for ASCII would say that it has as many characters as bytes.
  @Test func `is none with another letter at any place`() throws {
    for count in 0...14 {
      for place in 0...count {
        let text = String(repeating: "a", count: place) + "é" + String(repeating: "b", count: count - place)
        for rest in [0, 15, 16, 30] {
          let read = try read(text, before: rest)
          #expect(read.utf16.count == count + 1 && read.utf8.count == count + 2 && read == text, "\(text)")
          #expect(read.unicodeScalars.contains("é"))
        }
      }
    }
  }
}
