/// A statement of a shell for data.
enum ShellStatement: Equatable {
  case graphQL(String)
  case sql(String)

  private static let readers: Set = ["select", "with", "values", "table", "show", "explain"]

  /// The field of the schema that executes a statement of SQL.
  func field(isWriting: Bool) -> String {
    guard case .sql(let text) = self else { return "" }
    let words = text.lowercased().split { !$0.isLetter && $0 != "_" }
    guard isWriting, let first = words.first, !Self.readers.contains(String(first)) else { return "_select" }
    return words.contains("returning") ? "_executeReturning" : "_execute"
  }
}

/// Takes lines, and gives the statements in them. SQL ends with a semicolon that is outside of quotation marks and
/// comments, GraphQL with the brace that closes its first selection.
struct StatementReader {
  private static let block = "\"\"\""
  /// By scalars: a quotation mark and an accent behind it are one Character.
  private var text: [Unicode.Scalar] = []

  /// Whether there is the beginning of a statement.
  var isBegun: Bool { rest != nil }

  /// The text of an unfinished statement.
  var rest: ShellStatement? {
    let text = trimmed(text[...])
    return text.isEmpty ? nil : statement(text)
  }

  /// - Returns: the statements that end in what was added.
  mutating func add(_ more: String) -> [ShellStatement] {
    text += more.unicodeScalars
    var found: [ShellStatement] = []
    while let end = end() {
      let text = trimmed(text[..<end])
      if !text.isEmpty { found.append(statement(text)) }
      self.text.removeSubrange(..<end)
      // What stands between statements.
      self.text = Array(self.text.drop { $0.properties.isWhitespace || $0 == ";" })
    }
    return found
  }

  private func trimmed(_ text: ArraySlice<Unicode.Scalar>) -> String {
    var text = text.drop { $0.properties.isWhitespace }
    while let last = text.last, last.properties.isWhitespace || last == ";" { text.removeLast() }
    return String(String.UnicodeScalarView(text))
  }

  private func statement(_ text: String) -> ShellStatement { Self.isGraphQL(text) ? .graphQL(text) : .sql(text) }

  private static func isGraphQL(_ text: some StringProtocol) -> Bool {
    let start = text.drop { $0.isWhitespace }
    if start.first == "{" || start.first == "#" { return true }
    let word = start.prefix { $0.isLetter }
    return ["query", "mutation", "fragment", "subscription"].contains(word)
  }

  /// The index behind the first statement.
  private func end() -> Int? {
    Self.isGraphQL(String(String.UnicodeScalarView(text))) ? endOfGraphQL() : endOfSQL()
  }

  private func endOfGraphQL() -> Int? {
    // Between parentheses before the selection are values, whose braces end nothing.
    var (depth, parentheses, index) = (0, 0, 0)
    while index < text.count {
      switch text[index] {
      case "(" where depth == 0: parentheses += 1
      case ")" where depth == 0: parentheses -= 1
      case "{": depth += 1
      case "}":
        depth = max(depth - 1, 0)
        if depth == 0, parentheses <= 0 { return index + 1 }
      case "#": index = endOfLine(from: index)
      case "\"" where has(Self.block, at: index): index = endOfBlock(from: index + 3) - 1
      case "\"":
        index += 1
        while index < text.count, text[index] != "\"" { index += text[index] == "\\" ? 2 : 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Behind a text of several lines, in which there may be single quotation marks.
  private func endOfBlock(from start: Int) -> Int {
    var index = start
    while index < text.count, !has(Self.block, at: index) { index += has("\\\(Self.block)", at: index) ? 4 : 1 }
    return index + 3
  }

  private func endOfSQL() -> Int? {
    var index = 0
    while index < text.count {
      let character = text[index]
      switch character {
      case ";": return index + 1
      case "'", "\"":
        index += 1
        while index < text.count, text[index] != character { index += 1 }
      case "-" where index + 1 < text.count && text[index + 1] == "-":
        index = endOfLine(from: index)
      case "/" where has("/*", at: index): index = endOfComment(from: index) - 1
      case "$": index = endOfDollarQuote(from: index) - 1
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The last scalar of a comment that goes to the end of its line.
  private func endOfLine(from start: Int) -> Int {
    (text[start...].firstIndex { $0 == "\n" || $0 == "\r" } ?? text.count) - 1
  }

  /// Behind a text between `$$` and `$$`, or between `$tag$` and `$tag$`; behind the sign where it begins none: in a name,
  /// or before the number of a parameter.
  private func endOfDollarQuote(from start: Int) -> Int {
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    if start > 0, isPart(text[start - 1]) || text[start - 1] == "$" { return start + 1 }
    let tag = text[(start + 1)...].prefix { isPart($0) }
    let isTag = tag.first.map { !("0"..."9").contains($0) } ?? true
    guard isTag, tag.endIndex < text.count, text[tag.endIndex] == "$" else { return start + 1 }
    let mark = text[start...tag.endIndex]
    var index = tag.endIndex + 1
    while index < text.count, !text[index...].starts(with: mark) { index += 1 }
    return min(index + mark.count, text.count)
  }

  /// Behind a comment between `/*` and `*/`, in which there may be others.
  private func endOfComment(from start: Int) -> Int {
    var (depth, index) = (0, start)
    while index < text.count {
      if has("/*", at: index) || has("*/", at: index) {
        depth += text[index] == "/" ? 1 : -1
        index += 2
        if depth == 0 { return index }
      } else {
        index += 1
      }
    }
    return index
  }

  private func has(_ mark: String, at index: Int) -> Bool { text[index...].starts(with: mark.unicodeScalars) }
}
