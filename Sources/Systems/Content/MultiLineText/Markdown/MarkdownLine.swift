/// Writes the pieces of a line as Markdown.
///
/// Bold is `**`, italic `_` and struck-through `~~`, where these marks are sure to be taken for marks; else, and for all
/// other ways to set text, the tags of HTML are used. So no mark can run together with another one.
struct MarkdownLine {
  typealias Node = MultiLineText.Node
  typealias Variants = MultiLineText.Variants

  /// Whether line breaks are tags, for titles and cells.
  private let isOneLine: Bool

  static func text(of pieces: [Node], isOneLine: Bool) -> String {
    let line = MarkdownLine(isOneLine: isOneLine)
    let runs = MarkdownRuns.of(pieces)
    return line.text(of: runs[...], inside: [], after: nil, before: nil)
  }

  /// - Parameters:
  ///   - previous: the character before, `nil` at the beginning of a line.
  ///   - next: the character behind, `nil` at the end.
  private func text(
    of runs: ArraySlice<Node>, inside: Variants, after previous: Character?, before next: Character?
  ) -> String {
    var written = ""
    var index = runs.startIndex
    while index < runs.endIndex {
      let last = written.last ?? previous
      let missing = runs[index].variants.subtracting(inside.union(.code))
      let wanted = Variants.named.filter { missing.contains($0.variant) }
      guard let (variant, end) = longest(wanted.map(\.variant), in: runs[index...]) else {
        written += piece(runs[index], after: last)
        index += 1
        continue
      }
      let behind = end < runs.endIndex ? MarkdownRuns.first(runs[end]) : next
      written += set(runs[index..<end], in: variant, inside: inside, after: last, before: behind)
      index = end
    }
    return written
  }

  /// Returns the variant that spans the most runs, and the index of its end.
  private func longest(_ variants: [Variants], in runs: ArraySlice<Node>) -> (Variants, Int)? {
    let ends = variants.map { variant in (variant, runs.firstIndex { !$0.variants.contains(variant) } ?? runs.endIndex)
    }
    return ends.max { $0.1 < $1.1 }
  }

  private func set(
    _ runs: ArraySlice<Node>, in variant: Variants, inside: Variants, after previous: Character?,
    before next: Character?
  ) -> String {
    let inside = inside.union(variant)
    if let mark = Self.mark(variant) {
      let inner = text(of: runs, inside: inside, after: "*", before: "*")
      if Self.opens(after: previous, before: inner.first), Self.opens(after: next, before: inner.last) {
        return mark + inner + mark
      }
    }
    let tag = Variants.named.first { $0.variant == variant }?.tag ?? ""
    return "<\(tag)>\(text(of: runs, inside: inside, after: ">", before: "<"))</\(tag)>"
  }

  private static func mark(_ variant: Variants) -> String? {
    switch variant {
    case .bold: "**"
    case .italic: "_"
    case .strikethrough: "~~"
    default: nil
    }
  }

  /// Whether a mark between the two is taken for one: of its outer and its inner side.
  private static func opens(after outer: Character?, before inner: Character?) -> Bool {
    guard let inner, !inner.isWhitespace else { return false }
    guard let outer, !outer.isWhitespace else { return true }
    return MarkdownEscape.isPunctuation(outer) && (inner.isLetter || inner.isNumber)
  }

  // MARK: Pieces

  private func piece(_ node: Node, after previous: Character?) -> String {
    switch node.kind {
    case .lineBreak: return isOneLine ? "<br>" : "\\\n"
    case .link, .reference:
      guard let target = node.target, let address = target.address else { return escaped(node.value, previous) }
      let text = escaped(target.path == nil ? node.value : target.alternative ?? "", "[")
      return "\(target.path == nil ? "" : "!")[\(text)](\(MarkdownEscape.address(address)))"
    default:
      if node.variants.contains(.code) { return code(node.value) }
      return escaped(node.value, previous)
    }
  }

  private func escaped(_ text: String, _ previous: Character?) -> String {
    MarkdownEscape.text(text, isAtStart: previous == nil || previous == "\n", isOneLine: isOneLine)
  }

  private func code(_ value: String) -> String {
    let value = MarkdownRuns.onOneLine(value)
    if value.contains("|") || value.contains("`") || value.first == " " || value.last == " " {
      return "<code>\(MarkdownEscape.text(value, isAtStart: false, isOneLine: isOneLine))</code>"
    }
    return "`\(value)`"
  }
}
