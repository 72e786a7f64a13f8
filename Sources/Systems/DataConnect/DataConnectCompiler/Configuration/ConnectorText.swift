import Text
import YAML

/// The text of a `connector.yaml`, as far as is needed to ask for a Swift package in it. Comments and everything else stay
/// as they are.
package struct ConnectorText {
  private var bytes: [UInt8]
  private let newline: String

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    newline = bytes.firstIndex(of: 0x0A).map { $0 > 0 && bytes[$0 - 1] == 0x0D } == true ? "\r\n" : "\n"
  }

  /// Adds `generate.swiftSdk` to a file without one.
  ///
  /// - Parameters:
  ///   - outputDirectory: the folder for the generated package, relative to that of the connector.
  ///   - package: the name of the package.
  ///   - bytes: the content of the file.
  /// - Returns: the new content; `nil` when the file is written in a way that this function does not understand.
  package static func adding(
    outputDirectory: String, package: String, to bytes: [UInt8]
  ) -> [UInt8]? {
    var text = ConnectorText(bytes)
    guard let root = YAMLReader.read(bytes).node, root.entries != nil else { return nil }
    text.add(["outputDir: \(quoted(outputDirectory))", "package: \(quoted(package))"], to: root)
    // Whether the edit means what it should is asked of the reader.
    var before = ConfigurationFile(bytes, name: "")
    var after = ConfigurationFile(text.bytes, name: "")
    guard let was = before.connector(), let now = after.connector(), was.connectorID == now.connectorID,
      now.swiftPackages.count == 1, now.swiftPackages[0].outputDirectory == outputDirectory,
      now.swiftPackages[0].package == package, before.problems.count == after.problems.count
    else { return nil }
    return text.bytes
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.escaping("\\", "\"", with: "\\"))\""
  }

  private mutating func add(_ lines: [String], to root: YAMLNode) {
    let flow = "swiftSdk: {\(lines.joined(separator: ", "))}"
    guard let generate = root.entries?.first(where: { $0.key == "generate" }) else {
      if isFlow(root) { return insert("generate: {\(flow)}, ", at: offset(root.place) + 1) }
      if bytes.last != 0x0A { bytes += newline.utf8 }
      return insert(block("swiftSdk", lines, indent: "  ", head: "generate:"), at: bytes.count)
    }
    let value = generate.value
    if value.isNull { return fill(generate, ["swiftSdk:"] + lines.map { "  \($0)" }) }
    guard let entries = value.entries else { return }
    if let empty = entries.first(where: { $0.key == "swiftSdk" }) { return fill(empty, lines) }
    if isFlow(value) {
      return insert(entries.isEmpty ? flow : "\(flow), ", at: offset(value.place) + 1)
    }
    guard let first = entries.first else { return }
    let indent = String(repeating: " ", count: first.place.column - 1)
    // The step that the file uses itself.
    let step = String(repeating: " ", count: max(first.place.column - generate.place.column, 2))
    let start = lineStart(first.place.line)
    insert(([indent + "swiftSdk:"] + lines.map { indent + step + $0 }).map { $0 + newline }.joined(), at: start)
  }

  private func block(_ key: String, _ lines: [String], indent: String, head: String) -> String {
    ([head, "\(indent)\(key):"] + lines.map { "\(indent)  \($0)" }).map { $0 + newline }.joined()
  }

  /// Puts lines below a key that has no value.
  private mutating func fill(_ entry: YAMLEntry, _ lines: [String]) {
    if case .scalar(let word, _) = entry.value.kind, !word.isEmpty {
      let start = offset(entry.value.place)
      var end = start + word.utf8.count
      if end < bytes.count, bytes[end] == 0x20 { end += 1 }
      bytes.removeSubrange(start..<end)
    }
    let indent = String(repeating: " ", count: entry.place.column + 1)
    let end = bytes[offset(entry.place)...].firstIndex(of: 0x0A).map { $0 + 1 }
    if end == nil { bytes += newline.utf8 }
    insert(lines.map { indent + $0 + newline }.joined(), at: end ?? bytes.count)
  }

  private mutating func insert(_ text: String, at index: Int) { bytes.insert(contentsOf: text.utf8, at: index) }

  private func isFlow(_ node: YAMLNode) -> Bool {
    let start = offset(node.place)
    return start < bytes.count && bytes[start] == UInt8(ascii: "{")
  }

  private func lineStart(_ line: Int) -> Int {
    var index = 0
    for _ in 1..<max(line, 1) {
      guard let end = bytes[index...].firstIndex(of: 0x0A) else { return bytes.count }
      index = end + 1
    }
    return index
  }

  /// The offset of a place, whose columns count characters.
  private func offset(_ place: YAMLPlace) -> Int {
    var index = lineStart(place.line)
    var column = 1
    while index < bytes.count, column < place.column {
      index += 1
      // Bytes inside of a character do not count.
      while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
      column += 1
    }
    return index
  }
}
