import PropertyList

/// Looks at the bytes of an XML property list before a parser sees them.
///
/// The parser is told that everything is UTF-8, so this is where it becomes true. What else a file may be by mistake gets
/// a sentence of its own here, since no parser can say more than that it is no XML.
enum XMLHead {
  /// Attributes are compared with one another while a tag is read, which is quadratic: the parser gets no tag with more.
  private static let maximumAttributes = 4_096

  /// What is wrong with the file, as far as it can be told without parsing it.
  static func check(_ bytes: [UInt8]) -> PropertyListError? {
    guard !bytes.contains(0), (try? UTF8Span(validating: bytes.span)) != nil else {
      return PropertyListError("The file is not UTF-8 text. Save it as UTF-8.", line: 1)
    }
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    let text = rest.drop(while: isSpace)
    let line = 1 + rest[..<text.startIndex].count { $0 == 0x0A }
    guard let first = text.first else { return PropertyListError("The file is empty.", line: line) }
    guard first == UInt8(ascii: "<") else { return PropertyListError(reason(whenBeginning: first), line: line) }
    return checkEncoding(text, line: line) ?? checkAttributes(text, line: line)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static func reason(whenBeginning first: UInt8) -> String {
    "{(\"".utf8.contains(first)
      ? "This is an old-style (OpenStep) property list, which is not read. Convert it with plutil -convert xml1."
      : "This is neither an XML nor a binary property list."
  }

  /// The encoding in the XML declaration, if there is one.
  private static func checkEncoding(_ text: ArraySlice<UInt8>, line: Int) -> PropertyListError? {
    guard text.starts(with: "<?xml".utf8) else { return nil }
    let declaration = String(decoding: text.prefix(1024).prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
    guard let place = declaration.firstRange(of: "encoding") else { return nil }
    let parts = declaration[place.upperBound...].split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }
    guard parts.count > 1, !["utf-8", "us-ascii", "ascii"].contains(parts[1].lowercased()) else { return nil }
    return PropertyListError("The encoding is \(parts[1]); only UTF-8 is read. Save the file as UTF-8.", line: line)
  }

  /// Counts what looks like an attribute, which is never less than what is one: in a tag there is no second `<`.
  private static func checkAttributes(_ text: ArraySlice<UInt8>, line: Int) -> PropertyListError? {
    var count = 0
    var isAfterEquals = false
    for (offset, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "<"): (count, isAfterEquals) = (0, false)
      case UInt8(ascii: "="): isAfterEquals = true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        count += isAfterEquals ? 1 : 0
        isAfterEquals = false
        guard count > maximumAttributes else { continue }
        return PropertyListError(
          "A tag has more than \(maximumAttributes) attributes.", line: line + text.prefix(offset).count { $0 == 0x0A })
      default: isAfterEquals = isAfterEquals && isSpace(byte)
      }
    }
    return nil
  }
}
