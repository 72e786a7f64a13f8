import Files
import Text

/// A value before `$(OTHER)` is replaced.
struct XCConfigDefinition {
  let value: String
  let place: XCConfig.Place
}

/// Reads lines and follows includes.
struct XCConfigParser {
  private(set) var definitions: [String: XCConfigDefinition] = [:]
  private(set) var order: [String] = []
  private(set) var warnings: [XCConfig.Warning] = []
  private var open: [String] = []
  private var filesRead = 0
  private static let maximumFiles = 256

  mutating func parse(
    _ path: String, includedAt: XCConfig.Place?, isOptional: Bool = false, reading read: (String) throws -> String?
  ) throws(ConfigurationError) {
    let name = path.plainPath
    guard !open.contains(name) else {
      throw ConfigurationError(
        "The files include each other: \((open + [name]).joined(separator: " → ")).",
        recovery: "Remove one of the #include lines.", place: includedAt)
    }
    filesRead += 1
    guard filesRead <= Self.maximumFiles else {
      throw ConfigurationError(
        "More than \(Self.maximumFiles) files are included.", recovery: "Include fewer files.", place: includedAt)
    }
    let text: String?
    do { text = try read(name) } catch {
      throw ConfigurationError(
        "The file \(name) cannot be read: \(error).", recovery: "Check the file and its permissions.", place: includedAt
      )
    }
    guard let text else {
      if isOptional { return }
      throw ConfigurationError(
        "There is no file \(name).",
        recovery: includedAt == nil ? "Check the path." : "Check the path, or write #include? when it may be missing.",
        place: includedAt)
    }
    open.append(name)
    defer { open.removeLast() }
    try lines(of: text, in: name, reading: read)
  }

  private mutating func lines(
    of text: String, in name: String, reading read: (String) throws -> String?
  ) throws(ConfigurationError) {
    let body = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    // By bytes: "\r\n" is one Character.
    for (index, bytes) in body.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let place = XCConfig.Place(file: name, line: index + 1)
      let line = Substring(bytes).trimmedBlanks
      if line.utf8.starts(with: "#".utf8) {
        try include(line, at: place, reading: read)
      } else {
        try define(line, at: place)
      }
    }
  }

  private mutating func include(
    _ line: Substring, at place: XCConfig.Place, reading read: (String) throws -> String?
  ) throws(ConfigurationError) {
    let isOptional = line.hasPrefix("#include?")
    let rest = line.dropFirst(isOptional ? 9 : 8).trimmedBlanks
    let parts = rest.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
    guard line.hasPrefix("#include"), parts.count == 3, parts[0].isEmpty, !parts[1].isEmpty,
      parts[2].trimmedBlanks.isEmpty || parts[2].trimmedBlanks.hasPrefix("//")
    else {
      throw ConfigurationError(
        "The line starts with # and is not an include.",
        recovery: "Write #include \"file.xcconfig\", or start a comment with //.",
        place: place)
    }
    // A relative path begins at the folder of the file that includes it.
    let path = Folder.path(String(parts[1]), in: Folder.parent(of: place.file))
    try parse(path, includedAt: place, isOptional: isOptional, reading: read)
  }

  private mutating func define(_ line: Substring, at place: XCConfig.Place) throws(ConfigurationError) {
    let content = line.beforeComment
    let assignment = content.text.trimmedBlanks
    if assignment.isEmpty { return }
    guard let pair = assignment.cut(at: "=") else {
      throw ConfigurationError(
        "The line is neither KEY = value nor an include.", recovery: "Write KEY = value, or start a comment with //.",
        place: place)
    }
    let key = String(pair.before.trimmedBlanks)
    if let bracket = key.firstIndex(of: "["), Self.isKey(key[..<bracket]) {
      warnings.append(
        XCConfig.Warning(
          "The setting holds for some builds only and is ignored.",
          recovery: "Write \(key[..<bracket]) without brackets.",
          place: place))
      return
    }
    guard Self.isKey(key[...]) else {
      throw ConfigurationError(
        "The name of the setting is not made of letters, digits and underscores.", recovery: "Write KEY = value.",
        place: place)
    }
    if content.isCutInsideValue {
      warnings.append(
        XCConfig.Warning(
          "The value of \(key) ends before the //, which starts a comment.",
          recovery: "Write /$()/ for // in a value; put a blank before // when a comment is meant.", place: place))
    }
    if definitions[key] == nil { order.append(key) }
    let value = String(pair.behind.trimmedBlanks)
    definitions[key] = XCConfigDefinition(value: value, place: place)
  }

  private static func isKey(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
    }
  }
}

extension Substring {
  /// Without blanks, tabs and carriage returns at both ends.
  fileprivate var trimmedBlanks: Substring {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
    else {
      return ""
    }
    return self[first..<utf8.index(after: last)]
  }

  /// What stands before `//`, and whether the two touch: then the value may have been meant to go on.
  fileprivate var beforeComment: (text: Substring, isCutInsideValue: Bool) {
    let slash = UInt8(ascii: "/")
    var previous: UInt8 = 0x20
    for index in utf8.indices {
      let next = utf8.index(after: index)
      if utf8[index] == slash, next < utf8.endIndex, utf8[next] == slash {
        return (self[..<index], previous != 0x20 && previous != 0x09)
      }
      previous = utf8[index]
    }
    return (self, false)
  }
}
