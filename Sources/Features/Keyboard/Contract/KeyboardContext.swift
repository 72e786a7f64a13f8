/// What a keyboard sees of a text: the surroundings of the insertion point, and never the whole document.
public struct KeyboardContext: Codable, Sendable, Equatable {
  /// Absent at the beginning of the text. At most ``limit`` characters.
  public var contextBefore: String?
  /// Absent at the end of the text. At most ``limit`` characters.
  public var contextAfter: String?
  public var selectedText: String?
  /// Whether the document has any text.
  public var hasText: Bool

  /// The most characters that are shown on either side.
  public static let limit = 256

  public init(
    contextBefore: String? = nil, contextAfter: String? = nil, selectedText: String? = nil, hasText: Bool = false
  ) {
    self.contextBefore = contextBefore
    self.contextAfter = contextAfter
    self.selectedText = selectedText
    self.hasText = hasText
  }
}

/// One change of a text (`UITextDocumentProxy`, `UIKeyInput`). A keyboard cannot select text.
///
/// On the wire an object with one member: `{"insertText":"a"}`, `{"deleteBackward":1}`, `{"adjustTextPosition":-1}`,
/// `{"setMarkedText":"k","selectedRange":[1,1]}`, `{"unmarkText":true}`.
public enum KeyboardEdit: Sendable, Equatable {
  /// Replaces the selection, or what is marked, or is inserted.
  case insertText(String)
  /// Removes the selection, or this many characters before the insertion point.
  case deleteBackward(Int)
  /// Moves the insertion point by this many characters.
  case adjustTextPosition(Int)
  /// Shows text that is not decided yet, in place of what was marked before; the range is the selection in it.
  case setMarkedText(String, selectedRange: Range<Int>)
  /// What is marked becomes text.
  case unmarkText
}

extension KeyboardEdit: Codable {
  private enum CodingKeys: String, CodingKey {
    case insertText, deleteBackward, adjustTextPosition, setMarkedText, selectedRange, unmarkText
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try container.decodeIfPresent(String.self, forKey: .insertText) {
      self = .insertText(text)
    } else if let count = try container.decodeIfPresent(Int.self, forKey: .deleteBackward) {
      self = .deleteBackward(count)
    } else if let offset = try container.decodeIfPresent(Int.self, forKey: .adjustTextPosition) {
      self = .adjustTextPosition(offset)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .setMarkedText) {
      let bounds = try container.decodeIfPresent([Int].self, forKey: .selectedRange) ?? [text.count, text.count]
      guard bounds.count == 2, bounds[0] <= bounds[1] else {
        throw DecodingError.dataCorruptedError(
          forKey: .selectedRange, in: container, debugDescription: "A range is two offsets, the lower first.")
      }
      self = .setMarkedText(text, selectedRange: bounds[0]..<bounds[1])
    } else if try container.decodeIfPresent(Bool.self, forKey: .unmarkText) == true {
      self = .unmarkText
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: container.codingPath, debugDescription: "There is no such edit of a text."))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .insertText(let text): try container.encode(text, forKey: .insertText)
    case .deleteBackward(let count): try container.encode(count, forKey: .deleteBackward)
    case .adjustTextPosition(let offset): try container.encode(offset, forKey: .adjustTextPosition)
    case .setMarkedText(let text, let range):
      try container.encode(text, forKey: .setMarkedText)
      try container.encode([range.lowerBound, range.upperBound], forKey: .selectedRange)
    case .unmarkText: try container.encode(true, forKey: .unmarkText)
    }
  }
}
