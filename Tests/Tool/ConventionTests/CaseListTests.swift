import TestSupport
import Testing

/// A test with a list of cases that is empty passes without its subject. What is written down in the same file cannot be
/// empty unseen; what is computed has to go through `Cases.present`, which fails then.
@Suite(.timeLimit(.minutes(1))) struct `A list of cases` {
  /// The lists of the tests in some code that neither stand there nor are checked.
  ///
  /// - Parameter code: as `SwiftCode` gives it.
  private static func unchecked(in code: String) -> [String] {
    attributes(in: code).flatMap { parts(of: $0) }.filter { !isPlain($0, in: code) }.map(String.init)
  }

  /// What follows `arguments:` in each attribute `@Test`.
  private static func attributes(in code: String) -> [Substring] {
    code.ranges(of: "@Test(").compactMap { start in
      let attribute = balanced(code[start.upperBound...])
      return attribute.firstRange(of: "arguments:").map { attribute[$0.upperBound...] }
    }
  }

  /// The beginning of a text up to the parenthesis that ends what it is in.
  private static func balanced(_ text: Substring) -> Substring {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        if depth == 0 { return text[..<index] }
        depth -= 1
      default: break
      }
    }
    return text
  }

  /// The lists between the commas.
  private static func parts(of text: Substring) -> [Substring] {
    var (parts, start, depth) = ([Substring](), text.startIndex, 0)
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return (parts + [text[start...]]).map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let rest = text.drop { $0.isWhitespace }
    return rest.prefix(upTo: rest.lastIndex { !$0.isWhitespace }.map { rest.index(after: $0) } ?? rest.startIndex)
  }

  /// Whether a list stands where it is used or in the same file, has the cases of a type, or is checked.
  private static func isPlain(_ list: Substring, in code: String) -> Bool {
    if list.hasPrefix("[") || list.hasPrefix("try Cases.present(") || list.hasSuffix(".allCases") { return true }
    if list.contains("...") || list.contains("..<") || list.hasPrefix("zip([") { return true }
    if list.contains(" + ") {
      return list.split(separator: " + ").contains { isPlain(trimmed($0), in: code) }
    }
    let name = list.hasSuffix(".indices") ? list.dropLast(".indices".count) : list
    let word = name.hasPrefix("Self.") ? name.dropFirst("Self.".count) : name
    guard word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return false }
    return code.ranges(of: "let \(word)").contains { place in
      let rest = code[place.upperBound...]
      guard rest.first.map({ $0 == ":" || $0 == " " }) == true,
        let value = rest.prefix(300).firstRange(of: "= ").map({ rest[$0.upperBound...] })
      else { return false }
      return value.drop { $0.isWhitespace }.first == "[" && !value.hasPrefix("[]")
    }
  }

  @Test func `stands in its file, or is checked to have a case`() {
    let files = SourceTree.files(below: "Tests").filter { !$0.path.hasPrefix("Tests/Fixtures/") }
    #expect(files.count > 500)
    for file in files {
      let lists = Self.unchecked(in: file.code)
      #expect(lists.isEmpty, "\(file.path): \(lists) may be empty. Write try Cases.present(…).")
    }
  }

  @Test func `is found where it is computed, and not where it is written down`() {
    let code = """
      static let cases: [(Int, Bool)] = [(1, true)]
      static let none = []
      static let files = load()
      @Test(arguments: cases) func a() {}
      @Test(.enabled(if: f(1)), arguments: Self.cases.indices, Kind.allCases) func b() {}
      @Test(arguments: [1, 2], files) func c() {}
      @Test(arguments: try Cases.present(files), 1...3, cases + files) func d() {}
      @Test(arguments: none) func e() {}
      @Test(arguments: Golden.all) func f() {}
      @Test func g() { run(arguments: files) }
      """
    #expect(Self.unchecked(in: code) == ["files", "none", "Golden.all"])
  }

  @Test func `that is empty fails its test`() throws {
    #expect(throws: Cases.Missing.self) { try Cases.present([Int]()) }
    #expect(throws: Cases.Missing.self) { try Cases.present([1], least: 2) }
    #expect(try Cases.present([1]) == [1])
  }
}
