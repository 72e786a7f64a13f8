import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A JSON writer` {
  static let written: [(JSONValue, String)] = [
    (.null, "null"), (true, "true"), (0, "0"), (9, "9"), (10, "10"), (-1, "-1"), (1_234_567_890, "1234567890"),
    (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
    (.unsigned(.max), "18446744073709551615"), (1.0, "1.0"), (-0.0, "-0.0"), (0.25, "0.25"), (0.1, "0.1"),
    (-2.5, "-2.5"), (1e20, "1e+20"), (123456.789, "123456.789"), (0.30000000000000004, "0.30000000000000004"),
    (.double(.leastNonzeroMagnitude), "5e-324"), (1e15, "1000000000000000.0"), (1e16, "1e+16"),
    (99999999999.5, "99999999999.5"), (100.0, "100.0"), (0.0001, "0.0001"),
    ("", #""""#), ("a\"\\/\n\t\r\u{8}\u{c}\u{1}\u{1f}é😀", #""a\"\\/\n\t\r\b\f\u0001\u001fé😀""#),
    ([], "[]"), ([1, "a", [:]], #"[1,"a",{}]"#), (["b": 1, "a": [.null]], #"{"b":1,"a":[null]}"#),
  ]

  @Test(arguments: written) func `writes each kind of value`(value: JSONValue, text: String) {
    #expect(value.description == text)
  }

  @Test(arguments: written) func `writes what reads back as the same value`(value: JSONValue, text: String) throws {
    try #expect(JSONValue(parsing: value.description) == value)
  }

  @Test func `writes doubles that read back exactly`() throws {
    var generator = SystemRandomNumberGenerator()
    for round in 0..<20_000 {
      let bits: UInt64 = generator.next()
      var value = Double(bitPattern: bits)
      // Also the ordinary ones: a few decimals, whole numbers, large and small.
      if round % 2 == 0 { value = (Double(Int64(truncatingIfNeeded: bits) >> 24) / 1e4) * (round % 4 == 0 ? 1 : 1e-3) }
      guard value.isFinite else { continue }
      guard case .double(let read) = try JSONValue(parsing: JSONValue.double(value).description) else {
        Issue.record("\(value) did not read back as a double")
        continue
      }
      #expect(read == value)
    }
  }

  @Test func `escapes wherever the character stands`() throws {
    for length in 0..<20 {
      for position in 0...length {
        var text = String(repeating: "x", count: length)
        text.insert("\"", at: text.index(text.startIndex, offsetBy: position))
        try #expect(JSONValue(parsing: JSONValue.string(text).description) == .string(text))
      }
    }
  }

  @Test func `forgets a number that JSON does not have with all else`() throws {
    var writer = JSONWriter()
    let refused: Void? = try? JSONCoding.encode([1, Double.nan], to: &writer)
    #expect(refused == nil)
    writer.clear()
    try JSONCoding.encode([1.5], to: &writer)
    let text = writer.withBytes { String(decoding: $0, as: UTF8.self) }
    #expect(text == "[1.5]")
  }

  @Test func `writes for people with two spaces, and sorts when asked`() {
    let value: JSONValue = ["b": [1, 2], "a": [:], "c": ["d": "e"]]
    #expect(
      JSONCoding.prettyText(of: value)
        == "{\n  \"b\": [\n    1,\n    2\n  ],\n  \"a\": {},\n  \"c\": {\n    \"d\": \"e\"\n  }\n}")
    #expect(JSONCoding.prettyText(of: ["b": 1, "a": 2], sortsKeys: true) == "{\n  \"a\": 2,\n  \"b\": 1\n}")
  }

  @Test func `sorts the members of objects in objects and in lists, too`() {
    let value: JSONValue = ["b": [["d": 1, "c": 2]], "a": ["f": [:], "e": []]]
    #expect(
      JSONCoding.prettyText(of: value, sortsKeys: true) == """
        {
          "a": {
            "e": [],
            "f": {}
          },
          "b": [
            {
              "c": 2,
              "d": 1
            }
          ]
        }
        """)
  }
}
