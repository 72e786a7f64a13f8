/// The words of a text; spaces at its beginning are part of the first one.
private func words(of text: String) -> [Substring] {
  let begin = text.firstIndex { $0 != " " } ?? text.endIndex
  var words = text[begin...].split(separator: " ")
  if let first = words.first { words[0] = text[..<first.endIndex] }
  return words
}

/// The width of the longest word.
func longestWord(_ shown: ShownText) -> Int { words(of: shown.description).map { displayWidth(of: $0) }.max() ?? 0 }

/// The text in lines of at most so many columns, broken between words. One line for a text that fits.
///
/// - Parameter long: what becomes of a word that is longer than a line; it stays whole, unless the caller says otherwise.
package func wrapped(
  _ shown: ShownText, toWidth width: Int, long: (ShownText, Int) -> [ShownText] = { word, _ in [word] }
) -> [ShownText] {
  if shown.width <= width { return [shown] }
  guard width > 0 else { return [""] }
  var lines: [ShownText] = []
  var line = ""
  var used = 0
  for word in words(of: shown.description) {
    let length = displayWidth(of: word)
    if !line.isEmpty, used + 1 + length <= width {
      line += " \(word)"
      used += 1 + length
      continue
    }
    if !line.isEmpty { lines.append(ShownText(verbatim: line)) }
    (line, used) = (String(word), length)
    if length > width {
      let pieces = long(ShownText(verbatim: line), width)
      lines += pieces.dropLast()
      line = pieces.last?.description ?? ""
      used = displayWidth(of: line)
    }
  }
  return line.isEmpty && !lines.isEmpty ? lines : lines + [ShownText(verbatim: line)]
}

/// The same for a text that was put together of what may be shown.
func wrapped(shown text: String, toWidth width: Int) -> [String] {
  wrapped(ShownText(verbatim: text), toWidth: width).map(\.description)
}

/// A word in pieces that fill a line each.
package func broken(_ word: ShownText, _ width: Int) -> [ShownText] {
  var pieces: [ShownText] = []
  var piece = ""
  var used = 0
  for character in word.description {
    let columns = displayWidth(of: character)
    if used + columns > max(width, 2), !piece.isEmpty {
      pieces.append(ShownText(verbatim: piece))
      (piece, used) = ("", 0)
    }
    piece.append(character)
    used += columns
  }
  return pieces + [ShownText(verbatim: piece)]
}
