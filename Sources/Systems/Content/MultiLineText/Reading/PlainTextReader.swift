/// Reads plain text: paragraphs between blank lines, and a line break for each other line end.
enum PlainTextReader {
  static func nodes(of text: String, limits: MultiLineTextLimits) -> [MultiLineText.Node] {
    let kept = String(decoding: text.utf8.prefix(limits.size), as: UTF8.self).cleaned
    var paragraphs: [MultiLineText.Node] = []
    var line: [MultiLineText.Node] = []
    var count = 0
    func end() {
      if !line.isEmpty { paragraphs.append(MultiLineText.Node(.paragraph, content: line)) }
      line = []
    }
    for text in kept.split(separator: "\n", omittingEmptySubsequences: false) {
      guard text.contains(where: { !$0.isWhitespace }) else {
        end()
        continue
      }
      count += line.isEmpty ? 2 : 3
      if count > limits.nodes { break }
      if !line.isEmpty { line.append(MultiLineText.Node(.lineBreak)) }
      line.append(MultiLineText.Node(.text, value: String(text)))
    }
    end()
    return paragraphs
  }
}

extension String {
  /// The text without what no form of a text may hold: control characters other than tabs and line ends become U+FFFD,
  /// and line ends line feeds.
  var cleaned: String {
    if !utf8.contains(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) { return self }
    var kept = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in unicodeScalars {
      switch scalar {
      case "\n" where isAfterReturn: break
      case "\n", "\r": kept.append("\n")
      case "\t": kept.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: kept.append("\u{FFFD}")
      default: kept.append(scalar)
      }
      isAfterReturn = scalar == "\r"
    }
    return String(kept)
  }

  /// The line of a place, from 1.
  static func line(of offset: Int, in bytes: some Collection<UInt8>) -> Int {
    1 + bytes.prefix(offset).count { $0 == 0x0A }
  }
}
