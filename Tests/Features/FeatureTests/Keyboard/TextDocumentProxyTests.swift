import Contracts
import Testing

@testable import AppExtensions

/// What a keyboard sees of the text while its edits wait to be applied.
@Suite(.timeLimit(.minutes(1)))
struct `The text that a keyboard writes into` {
  private func text(
    _ before: String = "", _ selected: String = "", _ after: String = "", hasText: Bool = false
  ) -> TextDocumentProxy {
    TextDocumentProxy(
      KeyboardContext(contextBefore: before, contextAfter: after, selectedText: selected, hasText: hasText))
  }

  private func parts(_ text: TextDocumentProxy) -> [String] {
    [
      text.documentContextBeforeInput ?? "none", text.selectedText ?? "none", text.documentContextAfterInput ?? "none",
    ]
  }

  @Test func `has text while some is seen, and what was said of it until the first edit`() {
    #expect(text("a").hasText && text("", "a").hasText && text("", "", "a").hasText)
    #expect(text(hasText: true).hasText && !text().hasText)
    for (before, selected) in [("a", ""), ("", "a")] {
      var (alone, other) = (text(before, selected, hasText: true), text(before, selected, "b", hasText: true))
      alone.deleteBackward()
      other.deleteBackward()
      #expect(!alone.hasText && parts(alone) == ["none", "none", "none"])
      #expect(other.hasText && parts(other) == ["none", "none", "b"])
    }
  }

  @Test func `is replaced where it is selected`() {
    var typed = text("a", "b", "c")
    typed.insertText("x")
    #expect(parts(typed) == ["ax", "none", "c"] && typed.edits == [.insertText("x")])
    typed.insertText("y")
    #expect(parts(typed) == ["axy", "none", "c"])
    var deleted = text("ab", "c", "d")
    deleted.deleteBackward(3)
    #expect(parts(deleted) == ["ab", "none", "d"])
    deleted.deleteBackward()
    #expect(parts(deleted) == ["a", "none", "d"])
    for count in [5, -1, .max, .min] { deleted.deleteBackward(count) }
    #expect(parts(deleted) == ["none", "none", "d"])
  }

  @Test func `is moved in as far as it is seen`() {
    var moved = text("éb", "c", "de")
    moved.adjustTextPosition(byCharacterOffset: 1)
    #expect(parts(moved) == ["ébc", "none", "de"])
    moved.adjustTextPosition(byCharacterOffset: -2)
    #expect(parts(moved) == ["é", "none", "bcde"])
    moved.adjustTextPosition(byCharacterOffset: 0)
    #expect(parts(moved) == ["é", "none", "bcde"])
    moved.adjustTextPosition(byCharacterOffset: .max)
    #expect(parts(moved) == ["ébcde", "none", "none"])
    moved.adjustTextPosition(byCharacterOffset: .min)
    #expect(parts(moved) == ["none", "none", "ébcde"])
  }

  @Test func `is marked until it is decided`() {
    var marked = text("a", "b", "c")
    marked.setMarkedText("ka")
    #expect(parts(marked) == ["aka", "none", "c"])
    marked.setMarkedText("かな")
    #expect(parts(marked) == ["aかな", "none", "c"])
    marked.deleteBackward()
    #expect(parts(marked) == ["aか", "none", "c"])
    marked.insertText("x")
    #expect(parts(marked) == ["ax", "none", "c"])
    marked.setMarkedText("y")
    marked.unmarkText()
    marked.insertText("z")
    #expect(parts(marked) == ["axyz", "none", "c"])
    marked.setMarkedText("q")
    marked.adjustTextPosition(byCharacterOffset: 0)
    marked.insertText("r")
    #expect(parts(marked) == ["axyzqr", "none", "c"] && marked.edits.count == 10)
    #expect(marked.edits[1] == .setMarkedText("かな", selectedRange: 2..<2))
  }
}
