import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `A text that is cut` {
  static let texts: [(text: String, before: String?, behind: String?)] = [
    ("a=b", "a", "b"), ("a=", "a", ""), ("=b", "", "b"), ("=", "", ""), ("a=b=c", "a", "b=c"), ("a", nil, nil),
    ("", nil, nil), ("a=\u{301}b", "a", "\u{301}b"), ("é=\r\n", "é", "\r\n"),
  ]

  @Test(arguments: texts) func `has what is before the first sign, and behind it`(
    text: String, before: String?, behind: String?
  ) {
    func scalars(_ text: (some StringProtocol)?) -> [UInt32]? { text?.unicodeScalars.map(\.value) }
    for cut in [text.cut(at: "="), "x\(text)".dropFirst().cut(at: "=")] {
      #expect(scalars(cut?.before) == scalars(before))
      #expect(scalars(cut?.behind) == scalars(behind))
    }
  }

  @Test func `has as many code points as are asked for, whatever characters they make`() {
    let text = "a\u{301}\u{301}b"
    let beginnings = (0...5).map { Array(text.prefix(scalars: $0).unicodeScalars) }
    #expect(beginnings == (0...5).map { Array(text.unicodeScalars.prefix($0)) })
    #expect("xab".dropFirst().prefix(scalars: 1) == "a")
  }
}
