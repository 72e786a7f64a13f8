public import Contracts

/// The text that a keyboard writes into (`UITextDocumentProxy`). What is done here is applied when the key's handler
/// returns, all or none.
public struct TextDocumentProxy: Sendable {
  /// The edits to apply, in order.
  public private(set) var edits: [KeyboardEdit] = []
  private var before: String
  private var selected: String
  private var after: String
  /// Text before the insertion point that is not decided yet.
  private var marked = ""
  private var hadText: Bool

  init(_ context: KeyboardContext) {
    before = context.contextBefore ?? ""
    selected = context.selectedText ?? ""
    after = context.contextAfter ?? ""
    hadText = context.hasText
  }

  /// The visible text before the insertion point; `nil` at the beginning.
  public var documentContextBeforeInput: String? { before.isEmpty ? nil : before }
  /// The visible text after the insertion point; `nil` at the end.
  public var documentContextAfterInput: String? { after.isEmpty ? nil : after }
  /// The visible part of the selection; `nil` without one.
  public var selectedText: String? { selected.isEmpty ? nil : selected }
  /// Whether the document has any text; once there are edits, whether any is left of what is shown.
  public var hasText: Bool { !before.isEmpty || !selected.isEmpty || !after.isEmpty || (hadText && edits.isEmpty) }

  /// Inserts at the insertion point, in place of what is selected or marked.
  public mutating func insertText(_ text: String) {
    edits.append(.insertText(text))
    if marked.isEmpty { selected = "" } else { before.removeLast(min(marked.count, before.count)) }
    marked = ""
    before += text
  }

  /// Removes what is selected, or characters before the insertion point.
  public mutating func deleteBackward(_ count: Int = 1) {
    edits.append(.deleteBackward(count))
    if selected.isEmpty {
      before.removeLast(max(0, min(count, before.count)))
      marked.removeLast(max(0, min(count, marked.count)))
    } else {
      selected = ""
    }
  }

  /// Moves the insertion point.
  public mutating func adjustTextPosition(byCharacterOffset offset: Int) {
    edits.append(.adjustTextPosition(offset))
    after = selected + after
    selected = ""
    marked = ""
    if offset < 0 {
      let moved = before.suffix(offset == .min ? .max : -offset)
      after = moved + after
      before.removeLast(moved.count)
    } else {
      let moved = after.prefix(offset)
      before += moved
      after.removeFirst(moved.count)
    }
  }

  /// Shows text that is not decided yet, with the insertion point at its end.
  public mutating func setMarkedText(_ text: String) {
    edits.append(.setMarkedText(text, selectedRange: text.count..<text.count))
    if marked.isEmpty { selected = "" } else { before.removeLast(min(marked.count, before.count)) }
    marked = text
    before += text
  }

  /// Turns the marked text into normal text.
  public mutating func unmarkText() {
    edits.append(.unmarkText)
    marked = ""
  }

  /// The text around the insertion point after the edits.
  var context: KeyboardContext {
    KeyboardContext(
      contextBefore: documentContextBeforeInput, contextAfter: documentContextAfterInput, selectedText: selectedText,
      hasText: hasText)
  }
}
