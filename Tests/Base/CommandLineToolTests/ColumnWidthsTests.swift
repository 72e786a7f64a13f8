import Testing

@testable import CommandLineTool

@Suite(.timeLimit(.minutes(1))) struct `The widths of columns` {
  @Test(
    arguments: [
      (10, [3, 7], [3, 7]), (9, [3, 7], [3, 6]), (9, [7, 3], [6, 3]), (10, [9, 9], [5, 5]), (11, [9, 9], [6, 5]),
      (11, [9, 9, 9], [4, 4, 3]), (12, [2, 9, 9], [2, 5, 5]), (3, [0, 9, 9], [0, 2, 1]), (0, [2, 3], [0, 0]),
      (-5, [2, 3], [0, 0]), (9, [], []), (6, [3, 3], [3, 3]), (7, [9, 1, 9], [3, 1, 3]), (8, [9, 1, 9], [4, 1, 3]),
    ] as [(Int, [Int], [Int])])
  func `are what each wants, or an equal share of what the narrow ones leave`(
    total: Int, wanted: [Int], given: [Int]
  ) {
    #expect(ColumnWidths.fairly(total, wanted) == given)
  }

  @Test func `are shared by what is broken between words, where the words fit`() {
    #expect(ColumnWidths.sharing(10, natural: [4, 6], needed: [1, 1]) == [4, 6])
    #expect(ColumnWidths.sharing(9, natural: [4, 6], needed: nil) == [4, 5])
    // Each has what its words need, and a share of the rest.
    #expect(ColumnWidths.sharing(10, natural: [9, 9], needed: [6, 2]) == [7, 3])
    #expect(ColumnWidths.sharing(8, natural: [9, 9], needed: [6, 2]) == [6, 2])
    #expect(ColumnWidths.sharing(7, natural: [9, 9], needed: [6, 2]) == [5, 2])
    #expect(ColumnWidths.sharing(12, natural: [7, 20], needed: [6, 2]) == [7, 5])
  }

  @Test func `are cut with a mark, and not where a text fits`() {
    #expect(cut("abc", toWidth: 3) == "abc" && cut("abcd", toWidth: 3) == "ab…" && cut("ab", toWidth: 1) == "…")
    #expect(cut("a", toWidth: 1) == "a" && cut("a", toWidth: 0) == "" && cut("", toWidth: 0) == "")
    #expect(cut("日本", toWidth: 3) == "日…" && cut("日本", toWidth: 2) == "…" && cut("日本", toWidth: 4) == "日本")
    #expect(cut("a", toWidth: -1) == "")
  }

  /// The first and the last letter of each range of wide ones, and their neighbours.
  @Test(
    arguments: [
      (0x1100, 0x115F), (0x2E80, 0x2FD5), (0x3041, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4C6),
      (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xF900, 0xFAD9), (0xFE30, 0xFE6B), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6),
      (0x1F300, 0x1F64F), (0x1F680, 0x1F6FC), (0x1F900, 0x1F9FF), (0x1FA70, 0x1FA7C), (0x20000, 0x2A6DF),
    ] as [(UInt32, UInt32)])
  func `have two columns for wide letters`(first: UInt32, last: UInt32) throws {
    for value in [first, last] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(displayWidth(of: String(Character(scalar))) == 2, "\(String(value, radix: 16))")
    }
  }

  @Test(arguments: [
    ("\u{10FF}", 1), ("\u{1160}", 1), ("\u{2E7F}", 1), ("\u{A4D0}", 1), ("\u{A95F}", 1), ("\u{D7B0}", 1),
    ("\u{FF61}", 1), ("\u{FFE8}", 1), ("\u{7E}", 1), ("\u{7F}", 0), ("\u{80}", 0), ("\u{A0}", 1), ("\t", 0),
    ("\u{1F}", 0),
    ("\u{200B}", 0), ("\u{301}", 0), ("\u{20DD}", 0), ("\u{2028}", 0), ("\u{2029}", 0), ("✈", 1), ("✈\u{FE0F}", 2),
    ("⌚", 2), ("日\u{301}", 2), ("a\u{301}b", 2), ("a\u{20DD}", 1), ("\r\n", 0),
  ])
  func `have one for other letters, and none for what is no letter`(text: String, width: Int) {
    #expect(displayWidth(of: text) == width)
  }
}
