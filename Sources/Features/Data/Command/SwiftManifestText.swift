/// The text of a `Package.swift`, as far as is needed to add a dependency to it. Comments, texts and brackets are told
/// apart; nothing is evaluated.
struct SwiftManifestText {
  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A piece between the commas of a call or a list.
  private struct Argument {
    /// The word before the colon; empty without one.
    let label: String
    /// The offset of the piece, including its label.
    let start: Int
    /// The value, without spaces around it.
    let value: Range<Int>
  }

  /// Adds an element to the `dependencies` of the package, and one to those of a target.
  ///
  /// - Parameters:
  ///   - dependency: what is added to the package; `nil` for nothing.
  ///   - product: what is added to the target; `nil` for nothing.
  ///   - name: the target; otherwise the only executable target, or the only one that is not a test.
  /// - Returns: which of the two could be added, or need not be.
  mutating func add(dependency: String?, product: String?, target name: String?) -> (package: Bool, target: Bool) {
    guard let dependency else { return (true, product.map { add(product: $0, toTarget: name) } ?? true) }
    guard let open = packageCall, arguments(from: open) != nil else { return (false, false) }
    // The targets are edited first. They come after the dependencies, so the offsets of the dependencies stay valid.
    let target = product.map { add(product: $0, toTarget: name) } ?? true
    guard let again = self.arguments(from: open) else { return (false, target) }
    if let list = again.first(where: { $0.label == "dependencies" }) {
      return (insert(dependency, intoList: list.value), target)
    }
    guard let targets = again.first(where: { $0.label == "targets" }) else { return (false, target) }
    let indent = self.indent(at: targets.start)
    insert("dependencies: [\n\(indent)  \(dependency)\n\(indent)],\n\(indent)", at: targets.start)
    return (true, target)
  }

  private mutating func add(product: String, toTarget name: String?) -> Bool {
    guard let open = packageCall, let arguments = arguments(from: open), let target = targetCall(arguments, name)
    else { return false }
    return insert(product, inTarget: target)
  }

  // MARK: Finding

  /// The parenthesis behind `Package`.
  private var packageCall: Int? {
    var index = 0
    while index < bytes.count {
      if let end = skipped(index) {
        index = end
        continue
      }
      guard Self.isLetter(bytes[index]) else {
        index += 1
        continue
      }
      let word = self.word(at: index)
      let isMember = index > 0 && bytes[index - 1] == UInt8(ascii: ".")
      index = word.upperBound
      guard bytes[word].elementsEqual("Package".utf8), !isMember, index < bytes.count,
        bytes[index] == UInt8(ascii: "(")
      else { continue }
      return index
    }
    return nil
  }

  /// Returns the offset of the parenthesis of the program's target.
  private func targetCall(_ arguments: [Argument], _ wanted: String?) -> Int? {
    guard let list = arguments.first(where: { $0.label == "targets" }), isList(list.value),
      let elements = self.arguments(from: list.value.lowerBound)
    else { return nil }
    for name in [".executableTarget(", ".target("] {
      let found = elements.filter { element in
        bytes[element.value].starts(with: name.utf8)
          && wanted.map { isNamed($0, element.value.lowerBound + name.utf8.count - 1) } ?? true
      }
      if found.count == 1 { return found[0].value.lowerBound + name.utf8.count - 1 }
      if found.count > 1 { return nil }
    }
    return nil
  }

  /// Whether a target's argument `name` is a text.
  private func isNamed(_ name: String, _ open: Int) -> Bool {
    guard let argument = arguments(from: open)?.first(where: { $0.label == "name" }) else { return false }
    return bytes[argument.value].elementsEqual("\"\(name)\"".utf8)
  }

  private func isList(_ range: Range<Int>) -> Bool {
    range.count >= 2 && bytes[range.lowerBound] == UInt8(ascii: "[") && bytes[range.upperBound - 1] == UInt8(ascii: "]")
  }

  /// Returns the arguments between an opening bracket and its end; `nil` without an end.
  private func arguments(from open: Int) -> [Argument]? {
    var found: [Argument] = []
    var (index, depth, start) = (open + 1, 0, open + 1)
    func finish(_ end: Int) {
      if let argument = argument(start..<end) { found.append(argument) }
    }
    while index < bytes.count {
      if let end = skipped(index) {
        index = end
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 {
          finish(index)
          return found
        }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0:
        finish(index)
        start = index + 1
      default: break
      }
      index += 1
    }
    return nil
  }

  private func argument(_ range: Range<Int>) -> Argument? {
    let start = afterSpace(range)
    var end = range.upperBound
    while end > start, Self.isSpace(bytes[end - 1]) { end -= 1 }
    if start == end { return nil }
    let word = self.word(at: start)
    guard !word.isEmpty, word.upperBound < end, bytes[word.upperBound] == UInt8(ascii: ":") else {
      return Argument(label: "", start: start, value: start..<end)
    }
    let value = afterSpace((word.upperBound + 1)..<end)
    return Argument(label: String(decoding: bytes[word], as: UTF8.self), start: start, value: value..<end)
  }

  /// The first place of a range that is neither space nor a comment.
  private func afterSpace(_ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while index < range.upperBound {
      if Self.isSpace(bytes[index]) {
        index += 1
      } else if bytes[index] == UInt8(ascii: "/"), let end = skipped(index) {
        index = min(end, range.upperBound)
      } else {
        break
      }
    }
    return index
  }

  /// The end of the comment or text that begins here; `nil` where none does.
  private func skipped(_ start: Int) -> Int? {
    func has(_ text: String, _ index: Int) -> Bool { bytes[index...].starts(with: text.utf8) }
    func end(_ mark: String, from index: Int, escapes: Bool = false) -> Int {
      var index = index
      while index < bytes.count, !has(mark, index) {
        index += escapes && bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(index + mark.utf8.count, bytes.count)
    }
    switch bytes[start] {
    case UInt8(ascii: "/") where has("//", start): return end("\n", from: start + 2)
    case UInt8(ascii: "/") where has("/*", start):
      // Comments may stand in comments.
      var (index, depth) = (start, 0)
      while index < bytes.count {
        let isMark = has("/*", index) || has("*/", index)
        if isMark { depth += bytes[index] == UInt8(ascii: "/") ? 1 : -1 }
        index += isMark ? 2 : 1
        if depth == 0 { return index }
      }
      return bytes.count
    case UInt8(ascii: "\"") where has("\"\"\"", start): return end("\"\"\"", from: start + 3, escapes: true)
    case UInt8(ascii: "\""): return end("\"", from: start + 1, escapes: true)
    default: return nil
    }
  }

  private func word(at start: Int) -> Range<Int> {
    start..<(bytes[start...].firstIndex { !Self.isLetter($0) } ?? bytes.count)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF) || (0x30...0x39).contains(byte) || byte == 0x5F
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  // MARK: Inserting

  private mutating func insert(_ text: String, at index: Int) { bytes.insert(contentsOf: text.utf8, at: index) }

  private mutating func insert(_ product: String, inTarget open: Int) -> Bool {
    guard let arguments = arguments(from: open) else { return false }
    if let list = arguments.first(where: { $0.label == "dependencies" }) {
      return insert(product, intoList: list.value)
    }
    guard let name = arguments.first(where: { $0.label == "name" }) else { return false }
    insert(", dependencies: [\(product)]", at: name.value.upperBound)
    return true
  }

  private mutating func insert(_ element: String, intoList range: Range<Int>) -> Bool {
    guard isList(range) else { return false }
    let inside = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
    let indent = self.indent(at: range.lowerBound)
    if inside.allSatisfy(Self.isSpace) {
      bytes.replaceSubrange(range, with: "[\n\(indent)  \(element)\n\(indent)]".utf8)
    } else if inside.contains(UInt8(ascii: "\n")) {
      insert("\n\(indent)  \(element),", at: range.lowerBound + 1)
    } else {
      insert("\(element), ", at: range.lowerBound + 1)
    }
    return true
  }

  /// The spaces that the line of a place begins with.
  private func indent(at index: Int) -> String {
    let start = bytes[..<index].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return String(decoding: bytes[start..<index].prefix { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }
}
