import Testing

@testable import JSON

/// Strings are gone through in words and blocks; no length and no place may make a difference.
@Suite(.timeLimit(.minutes(1))) struct `The bytes of a string` {
  static let special: [Character] = ["\"", "\\", "\n", "\u{0}", "\u{1f}", "é", "\u{7f}", "😀", " "]

  @Test(arguments: special) func `come through wherever the special one stands`(character: Character) throws {
    for length in 0..<70 {
      for place in stride(from: 0, through: length, by: 1) {
        var text = String(repeating: "x", count: length)
        text.insert(character, at: text.index(text.startIndex, offsetBy: place))
        var writer = JSONWriter(capacity: 1)
        writer.string(text)
        let bytes = writer.withBytes { Array($0) }
        let (value, end) = try read(bytes + Array(",\"tail\"".utf8))
        #expect(value == text)
        #expect(end == bytes.count)
      }
    }
  }

  @Test(arguments: 0..<70) func `end where they are cut, with an error`(length: Int) {
    for tail in ["", "\\", "\\\"", "é".prefix(1)] {
      let bytes = Array("\"\(String(repeating: "x", count: length))\(tail)".utf8)
      #expect(throws: JSONError.self) { try read(bytes) }
    }
    let broken = Array("\"\(String(repeating: "x", count: length))".utf8) + [0xC3, 0x22]
    #expect(throws: JSONError.self) { try read(broken) }
    let control = Array("\"\(String(repeating: "x", count: length))".utf8) + [0x1F, 0x22]
    #expect(throws: JSONError.self) { try read(control) }
  }

  @Test(arguments: 0..<40) func `are equal only when all are`(count: Int) {
    let left = (0..<count).map { UInt8($0) }
    #expect(left.withUnsafeBytes { isEqual($0, $0) })
    for place in 0..<count {
      var right = left
      right[place] ^= 0x80
      #expect(!left.withUnsafeBytes { left in right.withUnsafeBytes { isEqual(left, $0) } }, "\(place) of \(count)")
    }
  }

  /// Long strings are gone through without a look at brackets.
  @Test(arguments: ["", "{", "}}", "[", "]", "\\\"", "\\\\", "\\\"}"])
  func `hide what looks like the end of a value, wherever it stands`(piece: String) throws {
    for length in [0, 60, 127, 128, 129, 200, 300] {
      for place in stride(from: 0, through: length, by: length < 130 ? 1 : 7) {
        let text = String(repeating: "x", count: place) + piece + String(repeating: "y", count: length - place)
        let value = "{\"a\":\"\(text)\",\"b\":[\"\(text)\"]}"
        let bytes = Array("\(value),{\"c\":1}".utf8)
        let range = try bytes.withUnsafeBytes { buffer in
          var reader = JSONReader(buffer, maximumDepth: 8)
          return try reader.skipUnchecked()
        }
        #expect(range == 0..<value.utf8.count, "\(length) \(place)")
        #expect(throws: JSONError.self) {
          try Array(value.utf8.dropLast()).withUnsafeBytes { buffer in
            var reader = JSONReader(buffer, maximumDepth: 8)
            return try reader.skipUnchecked()
          }
        }
      }
    }
  }

  @Test func `of names of any length are told from each other`() throws {
    for length in 0..<20 {
      let name = String(repeating: "n", count: length)
      let other = length == 0 ? "m" : String(name.dropLast()) + "m"
      let value = try JSONValue(parsing: "{\"\(name)\":1,\"\(other)\":2}")
      #expect(value == ["\(name)": 1, "\(other)": 2])
      #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"\(name)\":1,\"\(name)\":2}") }
      #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"\(name)\":1,\"b\":0,\"\(name)\":2          }") }
    }
  }

  private func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let one = left.baseAddress, let other = right.baseAddress else { return left.count == right.count }
    return memoryIsEqual(one, other, left.count)
  }

  @discardableResult
  private func read(_ bytes: [UInt8]) throws -> (String, Int) {
    try bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      let text = try reader.string()
      return (text, reader.at)
    }
  }
}

/// A value is skipped by its brackets and quotes; what is in strings must not count.
@Suite(.timeLimit(.minutes(1))) struct `The extent of a value` {
  @Test func `is found wherever blocks begin and end`() throws {
    let values = [
      "{}", "[]", #"{"a":[{}]}"#, #"["]"]"#, #"["}","{"]"#, #"["\""]"#, #"["\\"]"#, #"["\\\""]"#,
      #"["\\\\",{"\"]":1}]"#,
      #"{"longer than a block of sixteen bytes":"and } with \" in it [","x":[[1],[2]]}"#,
    ]
    for value in values {
      for before in 0..<34 {
        for behind in ["", "]", "}", #"","x":{}}"#, String(repeating: "}", count: 40)] {
          let bytes = Array((String(repeating: " ", count: before) + value + behind).utf8)
          let range = try bytes.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            return try reader.skipUnchecked()
          }
          #expect(range == before..<before + value.utf8.count, "\(value) after \(before)")
        }
      }
    }
  }

  @Test(arguments: [
    "[", "{", #"{"a":"#, #"["]"#, #"["\""#, #"["\"#, #"["a\"]"#, #"{"a":{}"#, String(repeating: "[", count: 40),
    #"["# + String(repeating: " ", count: 31),
  ])
  func `is an error when the value does not end`(text: String) {
    let bytes = Array(text.utf8)
    #expect(throws: JSONError(.unexpectedEnd, at: bytes.count)) {
      try bytes.withUnsafeBytes { bytes in
        var reader = JSONReader(bytes)
        _ = try reader.skipUnchecked()
      }
    }
  }

  @Test func `is an error at the bracket that is too deep`() {
    let bytes = Array(#"  {"a":[["#.utf8) + Array(repeating: UInt8(ascii: "]"), count: 20)
    #expect(throws: JSONError(.tooDeep(limit: 2), at: 8)) {
      try bytes.withUnsafeBytes { bytes in
        var reader = JSONReader(bytes, maximumDepth: 2)
        _ = try reader.skipUnchecked()
      }
    }
  }
}
