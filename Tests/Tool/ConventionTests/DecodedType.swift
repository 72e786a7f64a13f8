import Foundation

/// A type that is decoded, with the numbers that it stores: found by its declaration, so that nobody has to list it.
struct DecodedType {
  struct Number: Hashable {
    let name: String
    let line: Int
    let text: String
    /// Whether a wrapper checks it when it is decoded.
    let isBounded: Bool
  }

  let name: String
  var numbers: [Number] = []

  private struct Expressions: Sendable {
    let declaration, decoded, stored: NSRegularExpression

    init() throws {
      declaration = try NSRegularExpression(
        pattern: #"\b(struct|class|enum|actor|extension|protocol)\s+`?([\w.]+)`?([^{]*)$"#)
      decoded = try NSRegularExpression(
        pattern: #"\b(Codable|Decodable|StateContent|RemoteMethod|RemoteNotification)\b"#)
      let access = #"(?:(?:public|package|private|fileprivate|internal)(?:\(set\))?\s+)*"#
      stored = try NSRegularExpression(
        pattern: #"^\s*((?:@\w+(?:<[^>]*>)?(?:\([^)]*\))?\s+)*)"# + access
          + #"(var|let) (\w+): (\[?\[?(?:String: )?(?:U?Int(?:8|16|32|64)?|Double|Float)\]?\]?\??)\s*(=[^{]*)?$"#)
    }
  }

  private static let expressions = Result { try Expressions() }

  /// The decoded types that are declared in some code.
  static func all(in code: String) throws -> [DecodedType] {
    let expressions = try expressions.get()
    let (declaration, decoded, stored) = (expressions.declaration, expressions.decoded, expressions.stored)
    var found: [DecodedType] = []
    /// The types that are open, with the depth of their members.
    var open: [(type: DecodedType?, depth: Int)] = []
    var depth = 0
    /// The beginning of a declaration that goes on in the next line.
    var pending = ""
    for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).enumerated() {
      if let last = open.last, last.type != nil, last.depth == depth, let parts = match(stored, line),
        // A constant of the type's own is not decoded.
        !(parts[2] == "let" && !parts[5].isEmpty)
      {
        open[open.count - 1].type?.numbers.append(
          Number(
            name: parts[3], line: index + 1, text: line.trimmingCharacters(in: .whitespaces),
            isBounded: !parts[1].isEmpty))
      }
      var rest = line[...]
      while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
        let head = String(rest[..<brace])
        if rest[brace] == "{" {
          depth += 1
          if let parts = match(declaration, pending + " " + head) {
            let isDecoded = match(decoded, parts[3]) != nil
            open.append((isDecoded ? DecodedType(name: parts[2]) : nil, depth))
          }
        } else {
          if let last = open.last, last.depth == depth {
            if let type = last.type { found.append(type) }
            open.removeLast()
          }
          depth -= 1
        }
        pending = ""
        rest = rest[rest.index(after: brace)...]
      }
      if rest.count == line.count {
        pending = match(declaration, pending + " " + line) == nil ? "" : pending + " " + line
      }
    }
    return found
  }

  /// The groups of the first match, empty where one did not take part.
  private static func match(_ expression: NSRegularExpression, _ text: String) -> [String]? {
    guard let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) else { return nil }
    return (0..<match.numberOfRanges).map { Range(match.range(at: $0), in: text).map { String(text[$0]) } ?? "" }
  }
}
