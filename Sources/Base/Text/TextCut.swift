extension StringProtocol {
  /// What stands before the first of a sign, and what behind it; `nil` without one. By bytes: with a combining mark behind
  /// it the sign is one `Character` together with the mark, and the sign all the same.
  ///
  /// - Parameter sign: of ASCII.
  package func cut(at sign: Unicode.Scalar) -> (before: Substring, behind: Substring)? {
    let text = Substring(self)
    guard let place = text.utf8.firstIndex(of: UInt8(ascii: sign)) else { return nil }
    return (text[..<place], text[text.utf8.index(after: place)...])
  }
}
