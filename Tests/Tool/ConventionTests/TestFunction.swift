/// A function of the tests' sources: found by its braces, in code without comments and texts.
struct TestFunction: Sendable {
  let path: String
  /// With the backticks of a raw identifier.
  let name: String
  let isTest: Bool
  /// The calls in its body: names before a parenthesis or a brace.
  let calls: Set<String>
  let hasExpectation: Bool

  /// What fails a test.
  private static let expectations = ["#expect", "#require", "Issue.record", "withKnownIssue", "confirmation("]

  /// - Parameter code: as `SwiftCode` gives it.
  static func all(in code: String, path: String) -> [TestFunction] {
    let characters = Array(code.utf8)
    var (functions, index): ([TestFunction], Int) = ([], 0)
    let word = Array("func ".utf8)
    /// Where the declaration before this one has ended, and how deep in parentheses this one is.
    var (end, depth) = (0, 0)
    while index + word.count < characters.count {
      guard characters[index...].starts(with: word), index == 0 || isBlank(characters[index - 1]) else {
        switch characters[index] {
        case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: "}") where depth == 0: end = index
        default: break
        }
        index += 1
        continue
      }
      let start = index + word.count
      guard let (name, after) = self.name(characters, from: start), let body = braces(characters, from: after) else {
        index += 1
        continue
      }
      let text = String(decoding: characters[body], as: UTF8.self)
      let head = String(decoding: characters[end..<index], as: UTF8.self)
      functions.append(
        TestFunction(
          path: path, name: name, isTest: head.contains("@Test"), calls: calls(in: text),
          hasExpectation: expectations.contains { text.contains($0) }))
      // Functions within this one are found, too.
      (index, end) = (after, after)
    }
    return functions
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

  private static func name(_ bytes: [UInt8], from start: Int) -> (String, Int)? {
    let isQuoted = bytes[start] == UInt8(ascii: "`")
    let rest = bytes[(start + (isQuoted ? 1 : 0))...]
    let stop = rest.firstIndex { byte in
      isQuoted ? byte == UInt8(ascii: "`") : byte == UInt8(ascii: "(") || byte == UInt8(ascii: "<") || isBlank(byte)
    }
    guard let stop else { return nil }
    return (String(decoding: bytes[start..<stop], as: UTF8.self) + (isQuoted ? "`" : ""), stop + (isQuoted ? 1 : 0))
  }

  /// The body of a function, from its first brace outside of the parentheses; nil for one without a body.
  private static func braces(_ bytes: [UInt8], from start: Int) -> Range<Int>? {
    var (depth, open): (Int, Int?) = (0, nil)
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["): if open == nil { depth += 1 }
      case UInt8(ascii: ")"), UInt8(ascii: "]"): if open == nil { depth -= 1 }
      case UInt8(ascii: "{") where open != nil || depth == 0:
        if open == nil { open = index }
        depth += 1
      case UInt8(ascii: "}"):
        guard let open else { if depth == 0 { return nil } else { continue } }
        depth -= 1
        if depth == 0 { return open..<(index + 1) }
      default: break
      }
    }
    return nil
  }

  private static func calls(in text: String) -> Set<String> {
    var (names, word): (Set<String>, [Character]) = ([], [])
    var hasSpace = false
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        if hasSpace { word = [] }
        word.append(character)
        hasSpace = false
      } else if character == " " {
        hasSpace = true
      } else {
        if character == "(" || character == "{", word.first?.isNumber == false { names.insert(String(word)) }
        (word, hasSpace) = ([], false)
      }
    }
    return names
  }
}
