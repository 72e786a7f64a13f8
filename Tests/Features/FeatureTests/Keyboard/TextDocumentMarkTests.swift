import HostServices
import Testing

/// What is marked, selected and measured in a text, up to the bounds and on both sides of them.
@Suite(.timeLimit(.minutes(1)))
struct `A text document and its marks` {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    /// What the user selects first; `nil` leaves the insertion point at the end.
    var selected: Range<Int>?
    var edits: [KeyboardEdit]
    var result: String
    /// The insertion point, or the selection, afterwards.
    var selection: Range<Int>
    var marked: Range<Int>?

    init(
      _ name: String, _ text: String, selecting selected: Range<Int>? = nil, _ edits: [KeyboardEdit], _ result: String,
      at selection: Range<Int>, marked: Range<Int>? = nil
    ) {
      testDescription = name
      (self.text, self.selected, self.edits) = (text, selected, edits)
      (self.result, self.selection, self.marked) = (result, selection, marked)
    }
  }

  static let rows: [Row] = [
    Row("keeps a selection when nothing is marked", "abc", selecting: 1..<2, [.unmarkText], "abc", at: 1..<2),
    Row(
      "goes behind what was marked", "a", [.setMarkedText("kan", selectedRange: 0..<2), .unmarkText], "akan",
      at: 4..<4),
    Row(
      "moves on from the beginning of a selection", "abcd", selecting: 1..<3, [.adjustTextPosition(1)], "abcd",
      at: 2..<2),
    Row("moves back from there", "abcd", selecting: 1..<3, [.adjustTextPosition(-1)], "abcd", at: 0..<0),
    Row("moves by nothing to there", "abcd", selecting: 1..<3, [.adjustTextPosition(0)], "abcd", at: 1..<1),
    Row(
      "moves by the largest number to the end", "abc", [.adjustTextPosition(-1), .adjustTextPosition(.max)], "abc",
      at: 3..<3),
    Row(
      "is not marked after a move", "",
      [.setMarkedText("ka", selectedRange: 2..<2), .adjustTextPosition(-1), .insertText("x")], "kxa", at: 2..<2),
    Row(
      "has the whole mark replaced, though a part of it is selected", "a",
      [.setMarkedText("ka", selectedRange: 0..<1), .insertText("x")], "ax", at: 2..<2),
    Row(
      "marks in place of what is selected", "abcd", selecting: 1..<3, [.setMarkedText("x", selectedRange: 1..<1)],
      "axd", at: 2..<2, marked: 1..<2),
    Row(
      "marks less than before", "a",
      [.setMarkedText("kan", selectedRange: 3..<3), .setMarkedText("k", selectedRange: 0..<0)], "ak", at: 1..<1,
      marked: 1..<2),
    Row(
      "marks no more", "a", [.setMarkedText("ka", selectedRange: 2..<2), .setMarkedText("", selectedRange: 0..<0)],
      "a", at: 1..<1),
    Row(
      "marks no mark that joins a letter", "e", [.setMarkedText("\u{301}", selectedRange: 1..<1)], "e\u{301}",
      at: 1..<1),
    Row(
      "deletes all that is marked", "a", [.setMarkedText("ka", selectedRange: 2..<2), .deleteBackward(2)], "a",
      at: 1..<1),
    Row(
      "keeps the rest marked", "a", [.setMarkedText("ka", selectedRange: 2..<2), .deleteBackward(1)], "ak", at: 2..<2,
      marked: 1..<2),
    Row(
      "deletes what is selected of a mark", "a", [.setMarkedText("kan", selectedRange: 0..<1), .deleteBackward(1)],
      "aan", at: 1..<1, marked: 1..<3),
    Row(
      "deletes from a mark into the text before", "ab",
      [.setMarkedText("k", selectedRange: 1..<1), .deleteBackward(2)], "a", at: 1..<1),
    Row(
      "deletes before a mark", "ab", [.setMarkedText("ka", selectedRange: 0..<0), .deleteBackward(1)], "aka",
      at: 1..<1),
    Row("replaces its beginning", "abc", selecting: 0..<2, [.insertText("é")], "éc", at: 1..<1),
    Row("deletes a selection of several at once", "abcd", selecting: 0..<4, [.deleteBackward(1)], "", at: 0..<0),
  ]

  @Test(arguments: rows)
  func `is edited with its selection and its mark`(row: Row) throws {
    var document = TextDocument(row.text)
    if let selected = row.selected { document.select(selected) }
    try document.apply(row.edits)
    #expect(Array(document.text.unicodeScalars) == Array(row.result.unicodeScalars))
    #expect(document.count == row.result.count)
    #expect(document.selection == row.selection)
    #expect(document.marked == row.marked)
  }

  @Test func `gives the part that is asked for, as far as there is one`() {
    let document = TextDocument("aé👩‍👩‍👧z")
    #expect(document.text(in: 1..<3) == "é👩‍👩‍👧")
    #expect(document.text(in: 2..<99) == "👩‍👩‍👧z")
    #expect(document.text(in: -5..<1) == "a")
    #expect(document.text(in: 7..<9) == "")
  }

  @Test(arguments: [(-3..<2, 0..<2), (2..<99, 2..<4), (7..<9, 4..<4), (1..<1, 1..<1), (0..<4, 0..<4)])
  func `is selected no further than it goes`(asked: Range<Int>, selected: Range<Int>) {
    var document = TextDocument("aé👩‍👩‍👧z")
    document.select(asked)
    #expect(document.selection == selected)
  }

  @Test func `has no mark any more when the user selects`() throws {
    var document = TextDocument("a")
    try document.apply([.setMarkedText("ka", selectedRange: 2..<2)])
    document.select(1..<1)
    #expect(document.marked == nil)
    try document.apply([.insertText("x")])
    #expect(document.text == "axka")
  }

  @Test func `is as large as its bytes, after each edit`() throws {
    var document = TextDocument(String(repeating: "é", count: TextDocument.limit / 2))
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("c")]) }
    try document.apply([.deleteBackward(1)])
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("abc")]) }
    try document.apply([.insertText("ab")])
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("c")]) }
    try document.apply([.deleteBackward(1), .insertText("c")])
    #expect(throws: TextDocument.Refusal.tooLong) { try document.apply([.insertText("d")]) }
    #expect(document.text.hasSuffix("éac"))
  }

  @Test func `takes as many edits at once as it may`() throws {
    var document = TextDocument("ab")
    let edits = [KeyboardEdit](repeating: .adjustTextPosition(-1), count: TextDocument.maximumEdits)
    try document.apply(edits)
    #expect(document.selection == 0..<0)
    #expect(throws: TextDocument.Refusal.tooMany) { try document.apply(edits + [.unmarkText]) }
  }

  @Test func `shows what is next to the insertion point, in characters`() {
    let many = String(repeating: "e\u{301}", count: KeyboardContext.limit)
    var document = TextDocument("x\(many)")
    #expect(document.context == KeyboardContext(contextBefore: many, hasText: true))
    document = TextDocument("\(many)x")
    document.select(0..<0)
    #expect(document.context == KeyboardContext(contextAfter: many, hasText: true))
    document.select(0..<KeyboardContext.limit + 1)
    #expect(document.context == KeyboardContext(selectedText: many, hasText: true))
    document.select(KeyboardContext.limit..<KeyboardContext.limit)
    #expect(document.context == KeyboardContext(contextBefore: many, contextAfter: "x", hasText: true))
  }

  @Test func `says that there is text on either side, and that there is none`() {
    var document = TextDocument("abc")
    document.select(1..<2)
    let expected = KeyboardContext(contextBefore: "a", contextAfter: "c", selectedText: "b", hasText: true)
    #expect(document.context == expected)
    #expect(TextDocument().context == KeyboardContext(hasText: false))
  }
}
