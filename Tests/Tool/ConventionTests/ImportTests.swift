import Testing

@Suite(.timeLimit(.minutes(1))) struct `An import` {
  @Test func `comes from a file that stands in a room of a wing`() {
    #expect(Set(House.wings.values) == Set(House.Wing.allCases))
    for file in SourceTree.files(below: "Sources") {
      #expect(House.module(of: file.path) != nil, "\(file.path) is in no room")
    }
  }

  /// C < Base < {Engine, Systems} < Features < Tool; the engine and the systems never import each other.
  @Test func `points down, from wing to wing`() {
    for file in House.files {
      guard let wing = House.wing(of: file.path) else { continue }
      for imported in House.imports(of: file) {
        guard let other = House.wings[imported] else { continue }
        #expect(House.allows(wing, other), "\(file.path): \(wing.rawValue) must not import \(imported)")
      }
    }
  }

  @Test func `makes of the base two floors at most`() {
    for (module, wing) in House.wings where wing == .base {
      let neighbours = House.imports[module, default: []].filter { House.wings[$0] == .base }
      #expect(House.floor(of: module) <= 2, "\(module) stands on \(neighbours.sorted())")
    }
  }

  /// `swift build` builds what tests share too, and a release build with the Swift libraries linked in has no module Testing.
  @Test func `of the module Testing stands in no folder that the build has without tests`() {
    let files = SourceTree.files(below: "Tests/Fixtures", "Sources", "Plugins")
    #expect(files.contains { $0.path.hasSuffix("TestSupport/MadeCertificate.swift") })
    for file in files where !file.path.contains("/Tests/") {
      #expect(!House.imports(of: file).contains("Testing"), "\(file.path)")
    }
  }

  /// Samples are for readers who have the products alone.
  @Test func `of a sample is never one of the tool`() {
    for file in SourceTree.files(below: "Plugins") {
      for imported in House.imports(of: file) where imported != "ExtensionTesting" {
        #expect(House.wings[imported] != .tool, "\(file.path) imports \(imported)")
      }
    }
  }

  /// Foundation costs an extension 3 ms and 30 MB at its start; FoundationEssentials does not.
  @Test func `into an extension is never Foundation`() {
    let linked = House.linked(by: "AppExtensions").union(House.linked(by: "DataConnect"))
    #expect(linked.isSuperset(of: ["Contracts", "EventLoop", "ExtensionRuntime", "JSONRPC"]))
    let heavy: Set<String> = ["Foundation", "FoundationNetworking", "FoundationXML", "Dispatch"]
    // A generated package is for every platform; on this one it has FoundationEssentials, which the linked samples show.
    for file in SourceTree.files(below: "Sources", "Plugins") where !file.isGeneratedPackage {
      guard file.path.hasPrefix("Plugins/") || House.module(of: file.path).map(linked.contains) == true else {
        continue
      }
      let found = heavy.intersection(House.imports(of: file))
      #expect(found.isEmpty, "\(file.path) imports \(found.sorted())")
    }
  }

  /// An embedder links what it names, and the core of a host is small.
  @Test func `of the core of a host leads to no library but SQLite and Expat`() {
    let own: Set<String> = ["CLaunchPolicy", "CLinux"]
    func libraries(_ module: String) -> Set<String> {
      House.linked(by: module).filter { House.wings[$0] == .c }.subtracting(own)
    }
    #expect(libraries("HostServices") == ["CExpat", "CSQLite"])
    #expect(libraries("ExtensionHosting") == ["CExpat"])
    // The tool itself starts quickly; servers, clients and databases are in its second program.
    #expect(libraries("host") == ["CExpat", "CSQLite"])
    #expect(libraries("host-services").isSuperset(of: ["CCurl", "CMicroHTTPD", "CPostgreSQL", "CTurboJPEG"]))
    #expect(Set(House.hostProducts.values).count == 5)
    for product in House.hostProducts.values {
      #expect(libraries(product).isSubset(of: ["CCrypto", "CCurl", "CExpat", "CSQLite"]), "\(product)")
    }
  }

  @Test(arguments: [
    ("Sources/Features/Content/Host/A.swift", "ContentServices"), ("Sources/Features/Fetching/A.swift", "Fetching"),
    ("Sources/Features/HostServices/A.swift", "HostServices"),
    ("Sources/Features/Today/Host/A.swift", "HostServices"), ("Sources/Features/Today/Contract/A.swift", "Contracts"),
    ("Sources/Features/Today/Command/A.swift", "FeatureCommands"),
    ("Sources/Features/Defaults/Command/A.swift", "LightCommands"),
    ("Sources/Features/Today/Conformance/A.swift", "FeatureChecks"),
    ("Sources/Features/CommandRuntime/Run/A.swift", "CommandRuntime"),
    ("Sources/Systems/Content/ContentServer/A.swift", "ContentServer"),
    ("Sources/Engine/JSONRPC/Wire/A.swift", "JSONRPC"), ("Sources/Tool/host/main.swift", "host"),
  ])
  func `is counted for its module`(path: String, module: String) {
    #expect(House.module(of: path) == module)
  }

  @Test(arguments: [
    (House.Wing.engine, House.Wing.systems), (.systems, .engine), (.base, .engine), (.features, .tool), (.c, .base),
  ])
  func `that points up or sideways is refused`(importer: House.Wing, imported: House.Wing) {
    #expect(!House.allows(importer, imported))
  }
}
