/// Puts lines of Swift together as the formatter of this project leaves them: two spaces, at most 120 characters.
struct CodeWriter {
  private(set) var text = ""
  private var depth = 0
  static let width = 120

  /// A line; an empty one has no spaces.
  mutating func line(_ line: String = "") {
    if !line.isEmpty { text += String(repeating: "  ", count: depth) + line }
    text += "\n"
  }

  /// Lines of a comment that documents what is behind it.
  mutating func comment(_ comment: String) {
    let lines = comment.split(omittingEmptySubsequences: false) { $0.isNewline }
    for part in lines.map(\.trimmed) { line(part.isEmpty ? "///" : "/// \(part)") }
  }

  /// A line that opens a brace, what is inside, and the line that closes it.
  mutating func block(_ head: String, _ body: (inout CodeWriter) -> Void) {
    line("\(head) {")
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// Writes a block with a single line of code, on one line if it fits.
  ///
  /// - Parameter broken: writes the content of a block that does not fit; by default the body.
  mutating func inlineBlock(_ head: String, _ body: String, broken: ((inout CodeWriter) -> Void)? = nil) {
    if depth * 2 + head.count + body.count + 5 <= Self.width {
      line("\(head) { \(body) }")
    } else {
      block(head) { code in if let broken { broken(&code) } else { code.line(body) } }
    }
  }

  /// Writes an array, with one element on each line if it is too long for one line.
  mutating func array(_ elements: [String]) {
    let whole = "[\(elements.joined(separator: ", "))]"
    if depth * 2 + whole.count <= Self.width { return line(whole) }
    line("[")
    for element in elements { line("  \(element),") }
    line("]")
  }

  /// Writes a list in parentheses, with line breaks if it is too long for one line.
  ///
  /// - Parameter body: writes the content of the braces after the list.
  mutating func list(
    _ head: String, _ items: [String], _ tail: String = "", body: ((inout CodeWriter) -> Void)? = nil
  ) {
    let end = tail + (body == nil ? "" : " {")
    let whole = "\(head)(\(items.joined(separator: ", ")))\(end)"
    if depth * 2 + whole.count <= Self.width || items.isEmpty {
      line(whole)
    } else {
      line("\(head)(")
      depth += 1
      fill(items)
      depth -= 1
      line(")\(end)")
    }
    guard let body else { return }
    depth += 1
    body(&self)
    depth -= 1
    line("}")
  }

  /// Lines with as many items each as they hold.
  private mutating func fill(_ items: [String]) {
    var current = ""
    for (index, item) in items.enumerated() {
      let piece = index == items.count - 1 ? item : "\(item),"
      let longer = current.isEmpty ? piece : "\(current) \(piece)"
      if !current.isEmpty, depth * 2 + longer.count > Self.width {
        line(current)
        current = piece
      } else {
        current = longer
      }
    }
    line(current)
  }
}

extension Substring {
  /// Without spaces at its end and without control characters.
  fileprivate var trimmed: String {
    var text = String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    while text.last == " " { text.removeLast() }
    return text
  }
}
