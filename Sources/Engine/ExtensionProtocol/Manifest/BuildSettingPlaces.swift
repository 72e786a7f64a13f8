import PropertyList

/// Finds build settings in a manifest that has not been filled in: one problem for each setting, at its first place.
struct BuildSettingPlaces {
  private var found: [(name: String, text: String, paths: [PropertyListKeyPath])] = []

  private static let maximum = 50

  /// Creates a search without findings.
  init() {}

  /// Every setting in the texts of a manifest.
  init(in node: PropertyListNode) { visit(node, .root) }

  /// Searches a value.
  ///
  /// - Parameter path: evaluated only for a text that has a setting, which is rare.
  private mutating func visit(_ node: PropertyListNode, _ path: @autoclosure () -> PropertyListKeyPath) {
    switch node.content {
    case .array(let elements):
      for (index, element) in elements.enumerated() { visit(element, path().appending(index)) }
    case .dictionary(let entries):
      for entry in entries { visit(entry.node, path().appending(entry.key)) }
    case .scalar(.string(let text)):
      for name in BuildSettingText.names(in: text) { add(name, text, at: path()) }
    case .scalar: break
    }
  }

  /// Notes a setting; its first text is the one that the problem shows.
  mutating func add(_ name: String, _ text: String, at path: PropertyListKeyPath) {
    if let known = found.firstIndex(where: { $0.name == name }) {
      found[known].paths.append(path)
    } else if found.count < Self.maximum {
      found.append((name, text, [path]))
    }
  }

  /// The paths of texts that have a setting.
  var paths: Set<String> { Set(found.flatMap(\.paths).map(\.description)) }

  /// - Parameters:
  ///   - node: the manifest, for lines.
  ///   - file: the path that problems name.
  ///   - severity: how bad it is that a text at a path is not filled in; of several places the worst counts.
  func problems(
    in node: PropertyListNode, file: String?, severity: (PropertyListKeyPath) -> ManifestProblem.Severity
  ) -> [ManifestProblem] {
    found.map { name, text, paths in
      let place = paths.first { severity($0) == .error } ?? paths[0]
      let shown = text.utf8.count <= 200 ? text : "$(\(name))"
      return ManifestProblem(
        severity(place), file: file, line: node.line(nearest: place), keyPath: place.description,
        "The build setting \(name) has no value here: “\(shown)”.",
        recovery: "Give it a value when the bundle is made, or write the text itself.", setting: name)
    }
  }
}
