import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The weight of a JSON value` {
  @Test(
    arguments: [
      (.null, 64), (true, 64), (-1, 64), (.unsigned(.max), 64), (0.5, 64), ("", 64), ("é€", 69), ([], 64),
      ([1, "a"], 193), ([:], 64), (["é": .null], 194), (["a": ["b": "c"]], 323),
    ] as [(JSONValue, Int)])
  func `is that of its values, and of its names and texts in bytes`(value: JSONValue, weight: Int) {
    #expect(value.weight == weight)
  }

  @Test func `tells whether its text fits, to the last byte`() {
    // A control character is six bytes of text, and the most that one byte can become.
    let values: [JSONValue] = [
      "é€", ["é": [1, .null]], .string(String(repeating: "\u{1}", count: 1_000)), .array([.null]), [:],
    ]
    for value in values {
      let count = value.description.utf8.count
      #expect(value.hasText(ofAtMost: count) && !value.hasText(ofAtMost: count - 1), "\(count)")
      #expect(value.hasText(ofAtMost: 1 << 20) && !value.hasText(ofAtMost: 0))
    }
  }

  @Test func `is about the same before it is a value`() throws {
    // The text, and 64 bytes for each comma, colon and opening bracket in it and one more.
    #expect(try JSONCoding.weight(of: [1, 2]) == 5 + 3 * 64)
    #expect(try JSONCoding.weight(of: ["é": true]) == 11 + 3 * 64)
    #expect(try JSONCoding.weight(of: "a:b") == 5 + 2 * 64)
    #expect(try JSONCoding.weight(of: 7) == 1 + 64)
  }
}
