import HTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The fields of a form` {
  static let forms: [(text: String, fields: [[String?]])] = [
    ("", []), ("&", []), ("a", [["a", nil]]), ("a=", [["a", ""]]), ("=b", [["", "b"]]), ("=", [["", ""]]),
    ("a=b&c=d", [["a", "b"], ["c", "d"]]), ("&a=b&&c&", [["a", "b"], ["c", nil]]), ("a=b=c", [["a", "b=c"]]),
    ("a=1&a=2", [["a", "1"], ["a", "2"]]), ("a%26=b+c%3D", [["a%26", "b+c%3D"]]),
    ("a=\u{301}b&\u{301}c=d", [["a", "\u{301}b"], ["\u{301}c", "d"]]),
  ]

  @Test(arguments: forms) func `are between its ampersands, each cut at its first sign`(
    text: String, fields: [[String?]]
  ) {
    func scalars(_ field: [String?]) -> [[UInt32]?] { field.map { $0?.unicodeScalars.map(\.value) } }
    for found in [FormPairs.split(text), FormPairs.split("x\(text)".dropFirst())] {
      #expect(found.map { pair in scalars([String(pair.name), pair.value.map { String($0) }]) } == fields.map(scalars))
    }
  }
}
