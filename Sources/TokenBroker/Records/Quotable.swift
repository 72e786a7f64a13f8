/// Foreign text for a message: one line, at most 200 characters, nothing that a terminal obeys.
func quotable(_ text: some StringProtocol) -> String {
  var result = ""
  var isGap = false
  for scalar in text.unicodeScalars.prefix(4_096) {
    if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
      isGap = !result.isEmpty
      continue
    }
    if scalar.properties.generalCategory == .format { continue }
    if isGap { result += " " }
    isGap = false
    result.unicodeScalars.append(scalar)
    if result.unicodeScalars.count >= 200 { return result + "…" }
  }
  return result
}
