extension Terminal {
  /// The text with lines that fit the terminal, broken between words; further lines begin as far in as the first. What is
  /// quoted stays together, so that a command can be copied. The same text for a file or a pipe.
  package func folded(_ text: String) -> String {
    guard let width, width > 0 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard displayWidth(of: line) > width else { return String(line) }
      let margin = String(line.prefix { $0 == " " })
      return wrapped(shown: Self.joiningQuotes(line.dropFirst(margin.count)), toWidth: max(1, width - margin.count))
        .map { part in margin + part.map { $0 == Self.joint ? " " : String($0) }.joined() }
        .joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// Stands for a space at which no line ends, and is as wide: the last of the characters for private use.
  private static let joint: Character = "\u{10FFFD}"

  private static func joiningQuotes(_ line: Substring) -> String {
    var isQuoted = false
    var text = ""
    for character in line {
      switch character {
      case "“": isQuoted = true
      case "”": isQuoted = false
      case "\"": isQuoted.toggle()
      default: break
      }
      text.append(character == " " && isQuoted ? joint : character)
    }
    return text
  }
}
