import GraphQL
import YAML

/// Reads values of a YAML file by their keys, and collects the problems.
struct ConfigurationFile {
  let name: String
  private(set) var problems: [CompilerProblem] = []
  let root: YAMLNode?

  static let code = "Configuration"

  /// - Parameter name: what problems call the file.
  init(_ bytes: [UInt8], name: String) {
    self.name = name
    let result = YAMLReader.read(bytes)
    root = result.node
    for error in result.errors { add(error.message, fix: error.recovery, at: error.place) }
    if result.node == nil, result.errors.isEmpty {
      add("The file holds nothing.", fix: "Write the keys that it needs.", at: YAMLPlace(line: 1, column: 1))
    }
  }

  mutating func add(_ message: String, fix: String?, at place: YAMLPlace?) { note(.error, message, fix, place) }

  mutating func warn(_ message: String, fix: String?, at place: YAMLPlace?) { note(.warning, message, fix, place) }

  private mutating func note(
    _ severity: CompilerProblem.Severity, _ message: String, _ fix: String?, _ place: YAMLPlace?
  ) {
    let location = SourceLocation(file: name, line: place?.line ?? 1, column: place?.column ?? 1)
    problems.append(CompilerProblem(severity, message, fix: fix, code: Self.code, at: location))
  }

  /// The entries of a mapping, after warnings of keys that mean nothing.
  mutating func mapping(_ node: YAMLNode?, _ what: String, keys: [String]) -> YAMLNode? {
    guard let node, !node.isNull else { return nil }
    guard let entries = node.entries else {
      add("\(what) is not a mapping.", fix: "Write keys with values below it.", at: node.place)
      return nil
    }
    for entry in entries where !keys.contains(entry.key) {
      warn(
        "The key \(entry.key.quoted) of \(what) means nothing.",
        fix: suggestion(for: entry.key, among: keys, otherwise: "There are \(keys.joined(separator: ", "))."),
        at: entry.place)
    }
    return node
  }

  /// Returns a text; a number or a Boolean is returned as the file spells it.
  mutating func text(_ node: YAMLNode?, _ key: String, _ what: String, isRequired: Bool = false) -> String? {
    let value = node?[key]
    if let value, value.text == nil, !value.isNull {
      add("The key \(key.quoted) of \(what) is not text.", fix: "Write one behind the colon.", at: value.place)
      return nil
    }
    if let text = value?.text, !text.isEmpty {
      if text.utf8.count <= 1_000, !text.utf8.contains(where: { $0 < 0x20 }) { return text }
      add("The key \(key.quoted) of \(what) is not text of one line.", fix: "Shorten it.", at: value?.place)
    } else if isRequired, let node {
      add(
        "The key \(key.quoted) of \(what) is missing.", fix: "Write \(key): and a value.",
        at: value?.place ?? node.place)
    }
    return nil
  }

  /// Returns a case of an enumeration by its raw value.
  mutating func word<Value: RawRepresentable & CaseIterable>(
    _ node: YAMLNode?, _ key: String, _ what: String, _ type: Value.Type
  ) -> Value? where Value.RawValue == String {
    guard let text = text(node, key, what) else { return nil }
    if let value = Value(rawValue: text) { return value }
    let words = type.allCases.map(\.rawValue)
    add(
      "\(text.quoted) is not a value of \(key.quoted).",
      fix: suggestion(for: text, among: words, otherwise: "Write \(words.joined(separator: " or "))."),
      at: node?[key]?.place)
    return nil
  }

  /// An object, or each of a list of objects.
  func objects(_ node: YAMLNode?) -> [YAMLNode] {
    guard let node, !node.isNull else { return [] }
    return node.elements ?? [node]
  }
}
