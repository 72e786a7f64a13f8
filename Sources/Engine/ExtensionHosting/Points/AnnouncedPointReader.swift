import ExtensionProtocol
import PropertyList

/// Reads one announced point from a property list, which may come from another party. An announcement can narrow the
/// rules of every point and widen none.
struct AnnouncedPointReader {
  /// What the program was built with.
  let known: AnnouncedPoints.Known
  var reader: ManifestReader
  let identifier: String
  private let file: String
  let base: PropertyListKeyPath
  /// The prefixes that the methods of the file may have, and that rules may be about.
  private(set) var prefix = ""

  init(_ identifier: String, in root: PropertyListNode, file: String, known: AnnouncedPoints.Known) {
    self.identifier = identifier
    self.known = known
    self.file = file
    reader = ManifestReader(root: root, file: file)
    base = PropertyListKeyPath(identifier, "Annex")
  }

  private var errors: Int { reader.problems.count { $0.severity == .error } }

  /// Returns the point; `nil` when there are problems, which `problems` lists.
  mutating func point() -> AnnouncedPoint? {
    guard checkIdentifier(), hasDictionary() else { return nil }
    let name = reader.required(base.appending("Name"), "Give the point a short name: renderer.") ?? ""
    prefix = reader.string(base.appending("Prefix")) ?? name
    checkNames(name)
    let version = version(base.appending("Version")) ?? .first
    let definitions = definitions()
    let methods = methods(definitions, version)
    let schemas = MethodSchemas(methods, definitions)
    let definition = definition(name, version, schemas)
    guard errors == 0 else { return nil }
    return AnnouncedPoint(definition, schemas, file: file)
  }

  /// Whether the program was built with the point: the file is then only compared.
  var isCompiled: Bool { known.points.contains(ExtensionPoint(rawValue: identifier)) }

  private mutating func hasDictionary() -> Bool {
    if reader.value(base) == nil {
      reader.fail(base, "The point has no dictionary Annex.", "Write one with “host points export”.")
    }
    return reader.dictionary(base) != nil
  }

  // MARK: Names

  private mutating func checkIdentifier() -> Bool {
    let path = PropertyListKeyPath(identifier)
    guard ManifestNames.isIdentifier(identifier) else {
      reader.fail(
        path, "“\(identifier.prefix(100))” is not the identifier of an extension point.",
        "Use letters, digits and hyphens in components joined by dots: org.example.site.renderer.")
      return false
    }
    guard known.points.contains(ExtensionPoint(rawValue: identifier)) || !identifier.hasPrefix("com.apple.") else {
      reader.fail(path, "The identifier belongs to Apple.", "Begin it with a domain of your own, turned around.")
      return false
    }
    return true
  }

  private mutating func checkNames(_ name: String) {
    let point = ExtensionPoint(rawValue: identifier)
    let own = known.points.contains(point) ? known.points.definition(of: point) : nil
    for (key, word) in [("Name", name), ("Prefix", prefix)] where !word.isEmpty {
      let path = base.appending(reader.value(base.appending(key)) == nil ? "Name" : key)
      guard ManifestNames.isWord(word, atMost: 40) else {
        reader.fail(path, "“\(word.prefix(100))” is not one word.", "Use small letters, digits and dashes: renderer.")
        return
      }
      guard own?.shortName != word, own?.prefix != word, known.names.contains(word) else { continue }
      reader.fail(path, "“\(word)” is the name of something that this host has itself.", "Choose another name.")
      return
    }
  }

  mutating func version(_ path: PropertyListKeyPath) -> PointVersion? {
    guard let text = reader.string(path) else { return nil }
    if let version = PointVersion(text) { return version }
    reader.fail(path, "“\(text.prefix(100))” is not a version.", "Write two numbers joined by a dot: 1.0.")
    return nil
  }

  mutating func text(_ key: String) -> String? {
    guard let text = reader.string(base.appending(key)) else { return nil }
    if text.utf8.count <= 120, !text.unicodeScalars.contains(where: { $0.value < 0x20 }) { return text }
    reader.fail(base.appending(key), "The text is too long, or has a line break.", "Keep it to a few words.")
    return nil
  }
}
