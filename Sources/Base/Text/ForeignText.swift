/// Texts of somebody else inside of a message.
extension StringProtocol {
  /// Cut, with a mark, and without characters that a terminal or a page obeys.
  ///
  /// - Parameter limit: the most Unicode scalars.
  package func shownInMessage(limit: Int = 80) -> String {
    var shown = ""
    for (count, scalar) in unicodeScalars.enumerated() {
      if count == limit { return shown + "…" }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: shown += "\u{FFFD}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

/// Foreign text for a message: one line, at most 200 characters, nothing that a terminal obeys.
package func quotable(_ text: some StringProtocol) -> String {
  var (result, count) = ("", 0)
  var isGap = false
  for scalar in text.unicodeScalars.prefix(4_096) {
    if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
      isGap = !result.isEmpty
      continue
    }
    if scalar.properties.generalCategory == .format { continue }
    if count + (isGap ? 2 : 1) > 200 { return result + "…" }
    if isGap { result += " " }
    count += isGap ? 2 : 1
    isGap = false
    result.unicodeScalars.append(scalar)
  }
  return result
}
