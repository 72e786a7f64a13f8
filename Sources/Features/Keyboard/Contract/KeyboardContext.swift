/// What a keyboard sees of a text: the surroundings of the insertion point, and never the whole document.
public struct KeyboardContext: Codable, Sendable, Equatable {
  /// Absent at the beginning of the text. At most ``limit`` characters.
  public var contextBefore: String?
  /// Absent at the end of the text. At most ``limit`` characters.
  public var contextAfter: String?
  /// Absent when nothing is selected. At most ``limit`` characters, the first.
  public var selectedText: String?
  /// Whether the document has any text.
  public var hasText: Bool

  /// The most characters that are shown of each.
  public static let limit = 1024

  /// Makes what a keyboard sees; a field without text is the default.
  public init(
    contextBefore: String? = nil, contextAfter: String? = nil, selectedText: String? = nil, hasText: Bool = false
  ) {
    self.contextBefore = contextBefore
    self.contextAfter = contextAfter
    self.selectedText = selectedText
    self.hasText = hasText
  }
}
