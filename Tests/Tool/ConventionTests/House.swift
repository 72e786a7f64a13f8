/// The plan of the sources, read off the folders: wings with rooms, each room a module.
///
/// `Sources/<Wing>/<Module>` is a room; the wing of the systems has a folder for each system between the two. A feature has
/// a folder in its wing, and each of its layers belongs to the module of that layer.
enum House {
  /// The wings, from the ground up.
  enum Wing: String, CaseIterable {
    case c = "C"
    case base = "Base"
    case engine = "Engine"
    case systems = "Systems"
    case features = "Features"
    case tool = "Tool"

    /// The wings that a module of this one may import beside its own.
    var below: Set<Wing> {
      switch self {
      case .c: []
      case .base: [.c]
      case .engine, .systems: [.c, .base]
      case .features: [.c, .base, .engine, .systems]
      case .tool: [.c, .base, .engine, .systems, .features]
      }
    }
  }

  /// The modules that the layers of the features make.
  static let layers = [
    "Command": "FeatureCommands", "Conformance": "FeatureChecks", "Contract": "Contracts",
    "Extension": "AppExtensions", "Host": "HostServices",
  ]

  /// The features, as `Package.swift` lists them. Any other folder of their wing is a room.
  static let features: [String] = {
    let manifest = SourceTree.file("Package.swift")?.text ?? ""
    let list = manifest.firstMatch(of: #/let features = names\(\s*"""([^"]*)"""/#)?.1 ?? ""
    return list.split(whereSeparator: \.isWhitespace).map(String.init)
  }()

  /// The feature that a file belongs to; `nil` for a file of no feature.
  static func feature(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    return wing(of: path) == .features && parts.count > 3 && features.contains(parts[2]) ? parts[2] : nil
  }

  /// The modules of the host layers that are products of their own, by feature: as `Package.swift` says.
  static let hostProducts: [String: String] = Dictionary(
    uniqueKeysWithValues: manifest.matches(of: /"(\w+Services)": "(\w+)"/).map { (String($0.2), String($0.1)) })

  /// The features whose commands the tool itself has: as `Package.swift` says.
  static let lightCommands: Set<String> = Set(
    (manifest.firstMatch(of: /let lightCommands = names\("([^"]*)"\)/)?.1 ?? "").split(separator: " ").map(String.init))

  /// What each library and program needs, as `Package.swift` says.
  static let needs = table("libraries", of: manifest)
  /// What the tests of a target need beside that target and its needs, as `Package.swift` says.
  static let testNeeds = table("testNeeds", of: manifest)

  /// Reads a table of a manifest: rows "NAME: WORDS", several of them on a line with semicolons. A row without a name goes
  /// on with the words of the row before it, and "#" begins a heading.
  static func table(_ name: String, of manifest: String) -> [String: Set<String>] {
    let beginning = "let \(name) = table(\n  \"\"\"\n"
    guard let start = manifest.firstRange(of: beginning)?.upperBound,
      let end = manifest[start...].firstRange(of: "\"\"\"")?.lowerBound
    else { return [:] }
    var (rows, name): ([String: Set<String>], String) = ([:], "")
    for line in manifest[start..<end].split(separator: "\n") where !line.hasPrefix("  #") {
      for row in line.split(separator: ";") {
        let parts = row.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count > 1 { name = parts[0].split(separator: " ").joined() }
        rows[name, default: []].formUnion((parts.last ?? "").split(separator: " ").map(String.init))
      }
    }
    return rows
  }
  private static let manifest = SourceTree.file("Package.swift")?.text ?? ""

  /// The wing that a file stands in; `nil` outside of the wings.
  static func wing(of path: String) -> Wing? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? Wing(rawValue: String(parts[1])) : nil
  }

  /// The module that a file belongs to; `nil` for a file of no room.
  static func module(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    switch wing(of: path) {
    case nil: return nil
    case .systems: return parts.count > 4 ? parts[3] : nil
    case .features where feature(of: path) != nil:
      guard parts.count > 4 else { return nil }
      if parts[3] == "Command", lightCommands.contains(parts[2]) { return "LightCommands" }
      return (parts[3] == "Host" ? hostProducts[parts[2]] : nil) ?? layers[parts[3]]
    default: return parts.count > 3 ? parts[2] : nil
    }
  }

  /// The files of Swift in the wings.
  static let files = SourceTree.files(below: "Sources").filter { module(of: $0.path) != nil }

  /// The wing of each module that has Swift in it, and of each module of C.
  static let wings: [String: Wing] = {
    var wings: [String: Wing] = [:]
    for file in SourceTree.all {
      if let module = module(of: file.path), let wing = wing(of: file.path) { wings[module] = wing }
    }
    return wings
  }()

  /// The files of a module.
  static func files(of module: String) -> [SourceTree.File] { files.filter { Self.module(of: $0.path) == module } }

  /// The modules that each module imports.
  static let imports: [String: Set<String>] = files.reduce(into: [:]) { imports, file in
    guard let module = module(of: file.path) else { return }
    imports[module, default: []].formUnion(Self.imports(of: file))
  }

  /// The modules that a file imports.
  static func imports(of file: SourceTree.File) -> [String] {
    file.code.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map(String.init)
      guard let at = words.firstIndex(of: "import"), at + 1 < words.count,
        words[..<at].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal", "private"].contains($0) })
      else { return nil }
      let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "typealias", "let", "var"]
      let name = kinds.contains(words[at + 1]) && at + 2 < words.count ? words[at + 2] : words[at + 1]
      return name.split(separator: ".").first.map(String.init)
    }
  }

  /// A module with all that a program links for it: what it imports or needs, and what that does.
  static func linked(by module: String) -> Set<String> {
    var (linked, open): (Set<String>, Set<String>) = ([module], [module])
    while let module = open.popFirst() {
      for other in imports[module, default: []].union(needs[module, default: []]) where wings[other] != nil {
        if linked.insert(other).inserted { open.insert(other) }
      }
    }
    return linked
  }

  /// Whether a module of one wing may import one of another, or of the same.
  static func allows(_ importer: Wing, _ imported: Wing) -> Bool {
    importer == imported || importer.below.contains(imported)
  }

  /// The floor of a module within its wing: 1 when it imports none of its neighbours, else one above the highest of them.
  static func floor(of module: String) -> Int {
    let neighbours = imports[module, default: []].filter { $0 != module && wings[$0] == wings[module] }
    return 1 + (neighbours.map { floor(of: $0) }.max() ?? 0)
  }
}
