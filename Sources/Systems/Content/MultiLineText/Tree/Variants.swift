extension MultiLineText {
  /// The variants of a piece of text, such as bold.
  package struct Variants: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Code, in a font of fixed width.
    package static let code = Variants(rawValue: 1)
    /// Bold text.
    package static let bold = Variants(rawValue: 2)
    /// Italic text.
    package static let italic = Variants(rawValue: 4)
    /// Underlined text.
    package static let underline = Variants(rawValue: 8)
    /// Text that is struck through.
    package static let strikethrough = Variants(rawValue: 16)
    /// Text below the line.
    package static let subscripted = Variants(rawValue: 32)
    /// Text above the line.
    package static let superscripted = Variants(rawValue: 64)

    /// Each with its name in JSON, the innermost first.
    static let named: [(variant: Variants, name: String, tag: String)] = [
      (.code, "code", "code"), (.bold, "bold", "b"), (.italic, "italic", "i"), (.underline, "underline", "u"),
      (.strikethrough, "strikethrough", "s"), (.subscripted, "subscript", "sub"),
      (.superscripted, "superscript", "sup"),
    ]

    /// Returns the variants that an HTML element gives to its text; nil for other elements.
    static func ofElement(_ name: String) -> Variants? {
      switch name {
      case "b", "strong": .bold
      case "i", "em", "cite", "dfn", "var": .italic
      case "u", "ins": .underline
      case "s", "strike", "del": .strikethrough
      case "sub": .subscripted
      case "sup": .superscripted
      case "code", "kbd", "samp", "tt": .code
      default: nil
      }
    }
  }
}
