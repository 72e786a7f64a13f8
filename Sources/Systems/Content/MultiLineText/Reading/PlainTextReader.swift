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
