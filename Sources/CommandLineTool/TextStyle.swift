/// An emphasis that a terminal can show (ECMA-48, "select graphic rendition").
package enum TextStyle: Int, Sendable, Hashable {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case blue = 34
  case cyan = 36

  /// The text between the sequences that switch the style on and off.
  func applied(to text: String) -> String { "\u{1b}[\(rawValue)m\(text)\u{1b}[0m" }
}
