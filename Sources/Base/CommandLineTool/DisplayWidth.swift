/// The number of terminal columns that text takes: two for wide East Asian characters and emoji, none for combining
/// marks and control characters (Unicode Standard Annex 11, in the rough form that terminals use).
package func displayWidth(of text: some StringProtocol) -> Int {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
  return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The columns of one character.
func displayWidth(of character: Character) -> Int {
  var width = 0
  for scalar in character.unicodeScalars {
    if scalar.value == 0xFE0F { return 2 }
    width = max(width, displayWidth(of: scalar))
  }
  return width
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
  switch scalar.properties.generalCategory {
  case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator, .surrogate: return 0
  default: break
  }
  if scalar.properties.isEmojiPresentation { return 2 }
  return wideRanges.contains { $0.contains(scalar.value) } ? 2 : 1
}

private let wideRanges: [ClosedRange<UInt32>] = [
  0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
  0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
  0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
]

/// The beginning of a text, as much of it as fits into some columns. Looks at no more of it than that.
package func beginning(of text: some StringProtocol, fitting columns: Int) -> String {
  var used = 0
  return String(
    text.prefix { character in
      used += displayWidth(of: character)
      return used <= columns
    })
}

/// The end of a text, as much of it as fits into some columns. Looks at no more of it than that.
package func end(of text: some BidirectionalCollection<Character>, fitting columns: Int) -> String {
  var used = 0
  let end = text.reversed().prefix { character in
    used += displayWidth(of: character)
    return used <= columns
  }
  return String(end.reversed())
}

/// The same of a text that may be shown.
func end(of shown: ShownText, fitting columns: Int) -> ShownText {
  ShownText(verbatim: end(of: shown.description, fitting: columns))
}

/// The text cut to a number of columns; a cut is marked with `…`.
package func cut(_ shown: ShownText, toWidth width: Int) -> ShownText {
  guard shown.width > width else { return shown }
  guard width > 0 else { return "" }
  return ShownText(verbatim: beginning(of: shown.description, fitting: width - 1) + "…")
}
