public import Contracts

/// The text that a keyboard writes into, without anything on a screen: characters, a selection, and a marked part.
///
/// Counts are in characters as a reader sees them: deleting backward removes an emoji of several code points whole.
public struct TextDocument: Sendable, Equatable {
  /// The reason an edit cannot be applied.
  public enum Refusal: Error, Sendable, Equatable {
    /// A count that is not positive, or a range outside the marked text.
    case outOfRange
    /// The document would be larger than ``limit``.
    case tooLong
    /// More than ``maximumEdits`` at once.
    case tooMany
  }

  /// The most bytes (UTF-8) that a keyboard can make of a document.
  public static let limit = 1 << 18
  /// The most edits that are applied at once.
  public static let maximumEdits = 256

  private var characters: [Character]
  /// In bytes of UTF-8.
  private var size: Int
  /// The selected range; empty at the insertion point.
  public private(set) var selection: Range<Int>
  /// The marked range, whose text is not final; `nil` without one.
  public private(set) var marked: Range<Int>?

  /// A text with the insertion point at its end.
  public init(_ text: String = "") {
    characters = Array(text)
    size = text.utf8.count
    selection = characters.count..<characters.count
  }

  /// All of it; a custom keyboard never sees this much.
  public var text: String { String(characters) }
  /// The number of characters.
  public var count: Int { characters.count }

  /// The characters in a range, which is cut to those that there are.
  public func text(in range: Range<Int>) -> String { String(characters[range.clamped(to: 0..<characters.count)]) }

  /// Selects a part, as a user does and a keyboard cannot; what is marked becomes text. The range is cut to the text.
  public mutating func select(_ range: Range<Int>) {
    selection = range.clamped(to: 0..<characters.count)
    marked = nil
  }

  /// The part of the text that a keyboard sees.
  public var context: KeyboardContext {
    let before = characters[..<selection.lowerBound].suffix(KeyboardContext.limit)
    let after = characters[selection.upperBound...].prefix(KeyboardContext.limit)
    let selected = characters[selection].prefix(KeyboardContext.limit)
    return KeyboardContext(
      contextBefore: before.isEmpty ? nil : String(before), contextAfter: after.isEmpty ? nil : String(after),
      selectedText: selected.isEmpty ? nil : String(selected), hasText: !characters.isEmpty)
  }

  /// Applies edits in order, all or none.
  ///
  /// - Throws: the reason one of them cannot be applied; the document is then unchanged.
  public mutating func apply(_ edits: [KeyboardEdit]) throws(Refusal) {
    guard edits.count <= Self.maximumEdits else { throw .tooMany }
    var copy = self
    for edit in edits { try copy.apply(edit) }
    self = copy
  }

  private mutating func apply(_ edit: KeyboardEdit) throws(Refusal) {
    switch edit {
    case .insertText(let text): try replace(marked ?? selection, with: text)
    case .deleteBackward(let count): try deleteBackward(count)
    case .adjustTextPosition(let offset):
      let (sum, overflow) = selection.lowerBound.addingReportingOverflow(offset)
      let position = overflow ? characters.count : max(0, min(characters.count, sum))
      selection = position..<position
      marked = nil
    case .setMarkedText(let text, let range): try mark(text, range)
    case .unmarkText:
      if let marked { selection = marked.upperBound..<marked.upperBound }
      marked = nil
    }
  }

  private mutating func mark(_ text: String, _ range: Range<Int>) throws(Refusal) {
    guard range.lowerBound >= 0, range.upperBound <= text.count else { throw .outOfRange }
    let start = (marked ?? selection).lowerBound
    try replace(marked ?? selection, with: text)
    let end = selection.upperBound
    // A combining mark that joins the character before it has no width of its own.
    marked = start < end ? start..<end : nil
    selection = min(start + range.lowerBound, end)..<min(start + range.upperBound, end)
  }

  private mutating func deleteBackward(_ count: Int) throws(Refusal) {
    guard count > 0 else { throw .outOfRange }
    let end = selection.lowerBound
    let range = selection.isEmpty ? max(0, end - min(count, end))..<end : selection
    let old = marked
    try replace(range, with: "")
    // What is marked stays so, less what was deleted of it.
    guard let old, old.lowerBound <= range.lowerBound, range.upperBound <= old.upperBound, old.count > range.count
    else { return }
    marked = (old.lowerBound..<old.upperBound - range.count).clamped(to: 0..<characters.count)
  }

  /// Characters at the seams may join with what is inserted: the text is read anew there, as far as that changes it. The
  /// insertion point is then behind the character that the insertion ends in.
  private mutating func replace(_ range: Range<Int>, with text: String) throws(Refusal) {
    let start = max(0, range.lowerBound - 1)
    let head = String(characters[start..<range.lowerBound]) + text
    var end = range.upperBound
    var new = Array(head)
    while end < characters.count, let last = new.popLast() {
      let next = characters[end]
      // Where a character ends depends on nothing before it.
      let pair = Array("\(last)\(next)")
      new += pair
      end += 1
      if pair.count == 2, pair[1] == next { break }
    }
    let newSize = size - Self.size(characters[start..<end]) + Self.size(new[...])
    guard newSize <= Self.limit else { throw .tooLong }
    size = newSize
    characters.replaceSubrange(start..<end, with: new)
    var position = start
    var scalars = head.unicodeScalars.count
    for character in new where scalars > 0 {
      scalars -= character.unicodeScalars.count
      position += 1
    }
    selection = position..<position
    marked = nil
  }

  private static func size(_ characters: ArraySlice<Character>) -> Int {
    characters.reduce(0) { $0 + $1.utf8.count }
  }
}
