import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A text document` {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var edits: [KeyboardEdit]
    var result: String
    /// The insertion point, or the selection.
    var selection: Range<Int>

    init(_ name: String, _ text: String, _ edits: [KeyboardEdit], _ result: String, at selection: Range<Int>) {
      testDescription = name
      (self.text, self.edits, self.result, self.selection) = (text, edits, result, selection)
    }
  }

  static let rows: [Row] = [
    Row("inserts", "ab", [.adjustTextPosition(-1), .insertText("x")], "axb", at: 2..<2),
    Row("inserts nothing", "ab", [.insertText("")], "ab", at: 2..<2),
    Row("deletes", "abc", [.deleteBackward(2)], "a", at: 1..<1),
    Row("deletes no more than there is", "ab", [.deleteBackward(9)], "", at: 0..<0),
    Row("deletes nothing at the beginning", "ab", [.adjustTextPosition(-2), .deleteBackward(1)], "ab", at: 0..<0),
    Row("moves no further than the text", "ab", [.adjustTextPosition(-9)], "ab", at: 0..<0),
    Row("moves by any number", "ab", [.adjustTextPosition(.min), .adjustTextPosition(.max)], "ab", at: 2..<2),
    Row("deletes a family whole", "a👨‍👩‍👧", [.deleteBackward(1)], "a", at: 1..<1),
    Row("deletes a letter with its marks", "n\u{303}\u{323}", [.deleteBackward(1)], "", at: 0..<0),
    Row("deletes a line end whole", "a\r\n", [.deleteBackward(1)], "a", at: 1..<1),
    Row("joins a mark to the letter before", "e", [.insertText("\u{301}")], "e\u{301}", at: 1..<1),
    Row(
      "joins when what was between is deleted", "\ra\n", [.adjustTextPosition(-1), .deleteBackward(1)], "\r\n",
      at: 1..<1),
    Row("joins a line end", "a\rb", [.adjustTextPosition(-1), .insertText("\n")], "a\r\nb", at: 2..<2),
    Row(
      "pairs flags anew", "🇩🇪🇫🇷", [.adjustTextPosition(-2), .insertText("🇦")], "🇦🇩🇪🇫🇷", at: 1..<1),
    Row("writes from right to left", "שלום", [.adjustTextPosition(-1), .insertText("־")], "שלו־ם", at: 4..<4),
    Row("marks", "a", [.setMarkedText("ka", selectedRange: 2..<2)], "aka", at: 3..<3),
    Row(
      "marks anew", "a", [.setMarkedText("k", selectedRange: 1..<1), .setMarkedText("ka", selectedRange: 0..<1)], "aka",
      at: 1..<2),
    Row(
      "replaces what is marked", "a", [.setMarkedText("ka", selectedRange: 2..<2), .insertText("か")], "aか", at: 2..<2),
    Row(
      "keeps what is marked no more", "a",
      [.setMarkedText("ka", selectedRange: 0..<0), .unmarkText, .insertText("!")], "aka!", at: 4..<4),
    Row(
      "deletes in what is marked", "a",
      [.setMarkedText("ka", selectedRange: 2..<2), .deleteBackward(1), .insertText("i")], "ai", at: 2..<2),
    Row("marks nothing", "a", [.setMarkedText("", selectedRange: 0..<0)], "a", at: 1..<1),
  ]

  @Test(arguments: rows)
  func `is edited in characters as a reader sees them`(row: Row) throws {
    var document = TextDocument(row.text)
    try document.apply(row.edits)
    // Not only equivalent: the same code points, and the same characters as the whole text has.
    #expect(Array(document.text.unicodeScalars) == Array(row.result.unicodeScalars))
    #expect(document.count == row.result.count)
    #expect(document.selection == row.selection)
  }

  @Test(
    arguments: [
      [.deleteBackward(0)], [.deleteBackward(-1)], [.setMarkedText("k", selectedRange: 1..<2)],
      [.setMarkedText("k", selectedRange: -1..<0)], [.setMarkedText("", selectedRange: 0..<1)],
    ] as [[KeyboardEdit]])
  func `refuses edits whole when one of them makes no sense`(edits: [KeyboardEdit]) {
    var document = TextDocument("abc")
    document.select(1..<2)
    let before = document
    #expect(throws: TextDocument.Refusal.outOfRange) { try document.apply([.insertText("x")] + edits) }
    #expect(document == before)
  }

  @Test func `replaces or deletes what the user selected`() throws {
    for (edit, result) in [(KeyboardEdit.insertText("-"), "a-d"), (.deleteBackward(3), "ad")] {
      var document = TextDocument("abcd")
      document.select(1..<3)
      #expect(document.context.selectedText == "bc")
      try document.apply([edit])
      #expect(document.text == result)
    }
  }

  @Test func `has bounds for its size and for what is done at once`() throws {
    var document = TextDocument(String(repeating: "é", count: TextDocument.limit / 2 - 1))
    try document.apply([.insertText("ab")])
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("c")]) }
    // One character may have any number of marks: bytes are counted.
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("\u{301}")]) }
    try document.apply([.deleteBackward(2), .insertText("é")])
    let many = [KeyboardEdit](repeating: .adjustTextPosition(-1), count: TextDocument.maximumEdits + 1)
    #expect(throws: TextDocument.Refusal.tooMany) { try document.apply(many) }
  }

  @Test func `pairs a long run of flags in one pass`() throws {
    let flags = String(repeating: "🇩🇪", count: 10_000)
    var document = TextDocument(flags)
    document.select(0..<0)
    try document.apply([.insertText("🇦")])
    #expect(document.count == ("🇦" + flags).count)
  }

  @Test func `shows a keyboard its surroundings and no more`() {
    var document = TextDocument(String(repeating: "a", count: 3000))
    document.select(1500..<1500)
    #expect(document.context.contextBefore?.count == KeyboardContext.limit)
    #expect(document.context.contextAfter?.count == KeyboardContext.limit)
    document.select(0..<3000)
    #expect(document.context.selectedText?.count == KeyboardContext.limit)
    #expect(document.context.contextBefore == nil && document.context.contextAfter == nil)
    #expect(TextDocument().context == KeyboardContext())
  }
}
