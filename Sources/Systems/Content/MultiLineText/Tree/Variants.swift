extension MultiLineText {
  /// How a piece of text is set.
  package struct Variants: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let code = Variants(rawValue: 1)
    package static let bold = Variants(rawValue: 2)
    package static let italic = Variants(rawValue: 4)
    package static let underline = Variants(rawValue: 8)
    package static let strikethrough = Variants(rawValue: 16)
    package static let subscripted = Variants(rawValue: 32)
    package static let superscripted = Variants(rawValue: 64)

    /// Each with its name in JSON, the innermost first.
    static let named: [(variant: Variants, name: String, tag: String)] = [
      (.code, "code", "code"), (.bold, "bold", "b"), (.italic, "italic", "i"), (.underline, "underline", "u"),
      (.strikethrough, "strikethrough", "s"), (.subscripted, "subscript", "sub"),
      (.superscripted, "superscript", "sup"),
    ]

    /// What an element of HTML sets its text in.
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
