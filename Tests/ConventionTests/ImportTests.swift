import Testing

@Suite(.timeLimit(.minutes(1))) struct `An import` {
  static let graph = LayerGraph(markdown: SourceTree.file("CONTRIBUTING.md")?.text ?? "")
  static let files = SourceTree.files(below: "Sources", "Plugins")
  /// Programs above the picture: they build, measure or show what is below, and nobody imports them.
  static let summits: Set<String> = ["Benchmarks", "EmbeddedFiles", "FeatureList", "Plugins", "host"]

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

  @Test func `comes from a module of the picture in CONTRIBUTING`() {
    #expect(Self.graph.height.count > 20)
    #expect(!Self.graph.neighbours.isEmpty)
    for file in Self.files {
      guard let module = LayerGraph.module(of: file.path), !Self.summits.contains(module) else { continue }
      #expect(Self.graph.height[module] != nil, "\(module) (\(file.path)) is not in the picture")
    }
  }

  @Test func `points down`() {
    var ours = Set(Self.files.compactMap { LayerGraph.module(of: $0.path) })
    ours.formUnion(Self.graph.height.keys)
    for file in Self.files {
      guard let module = LayerGraph.module(of: file.path) else { continue }
      for imported in Self.imports(of: file) where ours.contains(imported) {
        let allowed =
          Self.summits.contains(module) ? !Self.summits.contains(imported) : Self.graph.allows(module, imported)
        #expect(allowed, "\(file.path): \(module) must not import \(imported)")
      }
    }
  }

  /// Foundation costs an extension 3 ms and 30 MB at its start; FoundationEssentials does not.
  @Test func `into an extension is never Foundation`() {
    let folders = [
      "Sources/EventLoop/", "Sources/JSONRPC/", "Sources/PropertyList/", "Sources/ExtensionProtocol/",
      "Sources/ExtensionRuntime/", "Sources/DataConnect/", "Plugins/",
    ]
    let heavy: Set<String> = ["Foundation", "FoundationNetworking", "FoundationXML", "Dispatch"]
    // A generated package is for every platform; on this one it has FoundationEssentials, which the linked samples show.
    for file in Self.files where !file.isGeneratedPackage {
      let isLinked = ["Contracts", "AppExtensions"].contains(LayerGraph.module(of: file.path))
      guard isLinked || folders.contains(where: { file.path.hasPrefix($0) }) else { continue }
      let found = heavy.intersection(Self.imports(of: file))
      #expect(found.isEmpty, "\(file.path) imports \(found.sorted())")
    }
  }

  @Test(arguments: [
    ("Sources/Features/Today/Host/A.swift", "HostServices"), ("Sources/Features/Today/Contract/A.swift", "Contracts"),
    ("Sources/Features/Today/Command/A.swift", "FeatureCommands"),
    ("Sources/Features/Today/Conformance/A.swift", "FeatureChecks"),
    ("Sources/Servers/ContentServer/A.swift", "ContentServer"), ("Sources/JSONRPC/Wire/A.swift", "JSONRPC"),
    ("Plugins/Clock/Clock.swift", "Plugins"), ("Sources/host/main.swift", "host"),
  ])
  func `is counted for its module`(path: String, module: String) {
    #expect(LayerGraph.module(of: path) == module)
  }

  @Test(arguments: [
    ("ExtensionProtocol", "HostServices"), ("AppExtensions", "HostServices"), ("JSONRPC", "ExtensionProtocol"),
    ("EventLoop", "JSONRPC"),
  ])
  func `that points up or sideways is refused`(importer: String, imported: String) {
    #expect(!Self.graph.allows(importer, imported))
  }
}
