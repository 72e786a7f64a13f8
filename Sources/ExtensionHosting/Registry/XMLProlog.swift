import PropertyList

/// Looks at what stands before the first element of an XML property list.
enum XMLProlog {
  /// What is wrong with the beginning of the file, if anything.
  static func check(_ bytes: [UInt8]) -> PropertyListError? {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return PropertyListError("The file is not UTF-8 text. Save it as UTF-8.", line: 1)
    }
    if text.unicodeScalars.contains("\0") {
      return PropertyListError("The file is not UTF-8 text. Save it as UTF-8.", line: 1)
    }
    if let error = checkInstructions(bytes) { return error }
    var scanner = Scanner(Array(text.utf8))
    return scanner.check()
  }

  /// FoundationXML crashes at a processing instruction without content, wherever it stands; a property list needs none.
  private static func checkInstructions(_ bytes: [UInt8]) -> PropertyListError? {
    var line = 1
    var begin: (at: Int, line: Int)?
    for index in bytes.indices.dropLast() {
      if bytes[index] == 0x0A { line += 1 }
      let next = bytes[index + 1]
      if bytes[index] == UInt8(ascii: "<"), next == UInt8(ascii: "?") {
        begin = (index + 2, line)
      } else if bytes[index] == UInt8(ascii: "?"), next == UInt8(ascii: ">"), let (start, line) = begin {
        begin = nil
        let words = bytes[min(start, index)..<index].split { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if words.count < 2 {
          return PropertyListError("A processing instruction without content is not allowed here.", line: line)
        }
      }
    }
    return nil
  }

  private struct Scanner {
    private var rest: ArraySlice<UInt8>
    private var line = 1

    init(_ bytes: [UInt8]) {
      rest = bytes[...]
      if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    }

    mutating func check() -> PropertyListError? {
      while true {
        skip(while: { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        if rest.isEmpty { return PropertyListError("The file is empty.", line: line) }
        if rest.starts(with: "<!--".utf8) {
          guard skip(through: "-->") != nil else { return unfinished("comment") }
        } else if rest.starts(with: "<?".utf8) {
          guard let text = skip(through: "?>") else { return unfinished("processing instruction") }
          if let error = checkDeclaration(text) { return error }
        } else if rest.starts(with: "<!DOCTYPE".utf8) {
          guard let text = skip(through: ">") else { return unfinished("document type") }
          if let error = checkDocumentType(text) { return error }
        } else {
          return checkElement()
        }
      }
    }

    private func unfinished(_ what: String) -> PropertyListError {
      PropertyListError("The \(what) that begins here does not end.", line: line)
    }

    private func checkDeclaration(_ text: String) -> PropertyListError? {
      guard text.hasPrefix("<?xml "), let at = text.range(ofBytes: "encoding") else { return nil }
      let name = text[at...].split(separator: text[at...].contains("\"") ? "\"" : "'").dropFirst().first ?? ""
      guard ["utf-8", "us-ascii", "ascii"].contains(name.lowercased()) else {
        return PropertyListError("The encoding is \(name); only UTF-8 is read. Save the file as UTF-8.", line: line)
      }
      return nil
    }

    private func checkDocumentType(_ text: String) -> PropertyListError? {
      if text.contains("[") {
        return PropertyListError("The document type declares entities, which are not allowed.", line: line)
      }
      let words = text.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, words[1] == "plist" || words[1] == "plist>" else {
        return PropertyListError("The document type is not plist.", line: line)
      }
      return nil
    }

    private func checkElement() -> PropertyListError? {
      guard rest.first == UInt8(ascii: "<") else {
        let isOldStyle = [UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "\"")].contains(rest.first)
        return PropertyListError(
          isOldStyle
            ? "This is an old-style (OpenStep) property list, which is not read. Convert it with plutil -convert xml1."
            : "This is neither an XML nor a binary property list.", line: line)
      }
      return nil
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
      while let byte = rest.first, condition(byte) {
        if byte == 0x0A { line += 1 }
        rest = rest.dropFirst()
      }
    }

    /// Moves behind a mark and returns what was passed, the mark included.
    private mutating func skip(through mark: String) -> String? {
      let mark = Array(mark.utf8)
      var index = rest.startIndex
      while index <= rest.endIndex - mark.count {
        if rest[index..<(index + mark.count)].elementsEqual(mark) {
          let passed = rest[..<(index + mark.count)]
          rest = rest[(index + mark.count)...]
          defer { line += passed.count { $0 == 0x0A } }
          return String(decoding: passed, as: UTF8.self)
        }
        index += 1
      }
      return nil
    }
  }
}

extension String {
  /// Where a piece of ASCII text begins.
  fileprivate func range(ofBytes piece: String) -> String.Index? {
    indices.first { self[$0...].hasPrefix(piece) }
  }
}
