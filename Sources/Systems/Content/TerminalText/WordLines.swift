import CommandLineTool
import MultiLineText

/// Puts words into lines of a width. Each word carries the sequences that switch its style on and off, so that a line
/// ends as it begins, wherever it is broken.
struct WordLines {
  let width: Int?
  let isStyled: Bool
  private var lines: [ShownText] = []
  private var line = Line()
  private var word: [(text: String, style: String)] = []
  private var wordWidth = 0
  private var hasSpace = false

  private struct Line {
    var text = ""
    var width = 0
    var isEmpty = true
  }

  init(width: Int?, isStyled: Bool) {
    self.width = width
    self.isStyled = isStyled
  }

  /// Adds a piece of a line.
  mutating func add(_ node: MultiLineText.Node, isBold: Bool) {
    let variants = isBold ? node.variants.union(.bold) : node.variants
    switch node.kind {
    case .lineBreak: endLine()
    case .link, .reference:
      let target = node.target
      let text = target?.path == nil ? node.value : target?.alternative ?? "picture"
      add(text, variants)
      if let address = target?.address, address != text, address != "mailto:\(text)" { add(" (\(address))", []) }
    default: add(node.value, variants)
    }
  }

  /// Ends the last line and returns all lines.
  mutating func finished() -> [ShownText] {
    endLine()
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  private mutating func add(_ text: String, _ variants: MultiLineText.Variants) {
    let style = isStyled ? Self.style(variants) : ""
    var piece = ""
    for character in text {
      // A space that does not break stays where it is, as any character would.
      if character == " " || character == "\n" || character == "\t" {
        extend(piece, style)
        piece = ""
        endWord()
        hasSpace = true
      } else {
        piece.append(character)
      }
    }
    extend(piece, style)
  }

  private mutating func extend(_ text: String, _ style: String) {
    if text.isEmpty { return }
    let shown = ShownText(whole: text)
    word.append((shown.description, style))
    wordWidth += shown.width
  }

  private mutating func endWord() {
    if word.isEmpty { return }
    let space = hasSpace && !line.isEmpty ? 1 : 0
    if let width, !line.isEmpty, line.width + space + wordWidth > width, hasSpace {
      lines.append(ShownText(verbatim: line.text))
      line = Line()
    } else if space > 0 {
      append(" ", style: "", width: 1)
    }
    for piece in word { fill(piece.text, piece.style) }
    (word, wordWidth, hasSpace) = ([], 0, false)
  }

  /// Puts a part of a word into the line, and into the next ones where it is longer.
  private mutating func fill(_ text: String, _ style: String) {
    guard let width, line.width + displayWidth(of: text) > width else {
      return append(text, style: style, width: displayWidth(of: text))
    }
    var rest = text[...]
    while !rest.isEmpty {
      let part = beginning(of: rest, fitting: width - line.width)
      let taken = part.isEmpty && line.isEmpty ? String(rest.prefix(1)) : part
      if !taken.isEmpty { append(taken, style: style, width: displayWidth(of: taken)) }
      rest = rest.dropFirst(taken.count)
      if rest.isEmpty { break }
      lines.append(ShownText(verbatim: line.text))
      line = Line()
    }
  }

  private mutating func append(_ text: String, style: String, width: Int) {
    line.text += style.isEmpty ? text : "\u{1b}[\(style)m\(text)\u{1b}[0m"
    line.width += width
    line.isEmpty = false
  }

  private mutating func endLine() {
    endWord()
    lines.append(ShownText(verbatim: line.text))
    (line, hasSpace) = (Line(), false)
  }

  /// The numbers of ECMA-48, "select graphic rendition".
  private static func style(_ variants: MultiLineText.Variants) -> String {
    let numbers: [(MultiLineText.Variants, String)] = [
      (.bold, "1"), (.italic, "3"), (.underline, "4"), (.strikethrough, "9"),
    ]
    return numbers.filter { variants.contains($0.0) }.map(\.1).joined(separator: ";")
  }
}
