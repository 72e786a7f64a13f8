public import Contracts

/// The text that a keyboard writes into, without anything on a screen: characters, a selection, and a marked part.
///
/// Counts are in characters as a reader sees them: deleting backward removes an emoji of several code points whole.
public struct TextDocument: Sendable, Equatable {
  /// Why an edit cannot be applied.
  public enum Refusal: Error, Sendable, Equatable {
    /// A count that is not positive, or a range outside the marked text.
    case outOfRange
    /// The document would be larger than ``limit``.
    case tooLong
  }

  /// The most characters that a document holds.
  public static let limit = 1 << 20

  private var characters: [Character]
  /// What is selected; empty at the insertion point.
  public private(set) var selection: Range<Int>
  /// What is not decided yet.
  public private(set) var marked: Range<Int>?

  /// A text with the insertion point at its end.
  public init(_ text: String = "") {
    characters = Array(text)
    selection = characters.count..<characters.count
  }

  public var text: String { String(characters) }
  public var count: Int { characters.count }

  /// Selects a part, as a user does and a keyboard cannot; what is marked becomes text.
  public mutating func select(_ range: Range<Int>) {
    selection = range.clamped(to: 0..<characters.count)
    marked = nil
  }

  /// What a keyboard is shown.
  public var context: KeyboardContext {
    let before = characters[..<selection.lowerBound].suffix(KeyboardContext.limit)
    let after = characters[selection.upperBound...].prefix(KeyboardContext.limit)
    return KeyboardContext(
      contextBefore: before.isEmpty ? nil : String(before), contextAfter: after.isEmpty ? nil : String(after),
      selectedText: selection.isEmpty ? nil : String(characters[selection]), hasText: !characters.isEmpty)
  }

  /// Applies edits one after the other, all or none.
  public mutating func apply(_ edits: [KeyboardEdit]) throws(Refusal) {
    var copy = self
    for edit in edits { try copy.apply(edit) }
    self = copy
  }

  private mutating func apply(_ edit: KeyboardEdit) throws(Refusal) {
    switch edit {
    case .insertText(let text): try replace(marked ?? selection, with: text, marks: false)
    case .deleteBackward(let count): try deleteBackward(count)
    case .adjustTextPosition(let offset):
      let (sum, overflow) = selection.lowerBound.addingReportingOverflow(offset)
      let position = overflow ? (offset < 0 ? 0 : characters.count) : max(0, min(characters.count, sum))
      selection = position..<position
      marked = nil
    case .setMarkedText(let text, let range):
      let start = (marked ?? selection).lowerBound
      try replace(marked ?? selection, with: text, marks: true)
      guard let marked, range.lowerBound >= 0, range.upperBound <= marked.count else {
        if text.isEmpty, range == 0..<0 { return }
        throw .outOfRange
      }
      selection = (start + range.lowerBound)..<(start + range.upperBound)
    case .unmarkText:
      if let marked { selection = marked.upperBound..<marked.upperBound }
      marked = nil
    }
  }

  private mutating func deleteBackward(_ count: Int) throws(Refusal) {
    guard count > 0 else { throw .outOfRange }
    guard selection.isEmpty else { return try replace(selection, with: "", marks: false) }
    let end = selection.lowerBound
    try replace(max(0, end - min(count, end))..<end, with: "", marks: false)
  }

  /// Characters at the seam may join with what is inserted: the text is read anew there.
  private mutating func replace(_ range: Range<Int>, with text: String, marks: Bool) throws(Refusal) {
    let new = Array(text)
    guard characters.count - range.count + new.count <= Self.limit else { throw .tooLong }
    let before = String(characters[..<range.lowerBound])
    let joined = before + text
    let after = characters[range.upperBound...]
    let start = range.lowerBound
    characters = Array(joined)
    let end = characters.count
    if let first = after.first, let last = characters.last, Array("\(last)\(first)").count == 1 {
      characters = Array(joined + String(after))
    } else {
      characters += after
    }
    selection = end..<end
    marked = marks && end > start ? min(start, end)..<end : nil
  }
}
