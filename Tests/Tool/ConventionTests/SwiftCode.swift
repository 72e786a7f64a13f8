/// Swift source without its comments and the text of its string literals; interpolated code stays.
///
/// Lines keep their numbers: every newline of the source is in the result.
struct SwiftCode {
  private(set) var code = ""
  private let source: [Character]
  private var index = 0

  init(_ text: String) {
    source = Array(text)
    readCode(untilParenthesis: false)
  }

  private func at(_ offset: Int) -> Character? {
    index + offset < source.count ? source[index + offset] : nil
  }

  private func startsWith(_ text: String) -> Bool {
    var offset = 0
    for character in text {
      guard at(offset) == character else { return false }
      offset += 1
    }
    return true
  }

  /// Copies code up to the end, or up to the parenthesis that ends an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let character = at(0) {
      if startsWith("//") {
        while let next = at(0), next != "\n" { index += next == "\n" ? 0 : 1 }
      } else if startsWith("/*") {
        skipBlockComment()
      } else if character == "\"" || (character == "#" && isRawString) {
        readString()
      } else {
        if character == "(" { depth += 1 }
        if character == ")" {
          if untilParenthesis, depth == 0 { return }
          depth -= 1
        }
        code.append(character)
        index += 1
      }
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if startsWith("/*") {
        depth += 1
        index += 2
      } else if startsWith("*/") {
        depth -= 1
        index += 2
      } else {
        if at(0) == "\n" { code.append("\n") }
        index += 1
      }
    } while depth > 0 && index < source.count
  }

  private var isRawString: Bool {
    var offset = 0
    while at(offset) == "#" { offset += 1 }
    return at(offset) == "\""
  }

  private mutating func readString() {
    var pounds = ""
    while at(0) == "#" {
      pounds.append("#")
      index += 1
    }
    let quotes = startsWith("\"\"\"") ? "\"\"\"" : "\""
    index += quotes.count
    code.append("\"")
    while index < source.count {
      if startsWith(quotes + pounds) {
        index += quotes.count + pounds.count
        break
      }
      if startsWith("\\\(pounds)(") {
        index += 2 + pounds.count
        code.append(" (")
        readCode(untilParenthesis: true)
        code.append(")")
        index += 1
      } else if startsWith("\\\(pounds)") {
        index += 2 + pounds.count
      } else {
        if at(0) == "\n" { code.append("\n") }
        index += 1
      }
    }
    code.append("\"")
  }
}
