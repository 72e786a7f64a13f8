import Testing

/// What the files of each target import, compared with the tables of `Package.swift`. The package manager does not look: it
/// finds every module that happens to be built before.
@Suite(.timeLimit(.minutes(1))) struct `A module that a target imports` {
  /// Modules of the toolchain and of the system.
  private static let system: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Observation", "PackageDescription", "PackagePlugin",
    "Swift", "Synchronization", "Testing",
  ]
  /// What a program has that stands in no row of the table: `program(_:path:exclude:linker:)` of the manifest.
  private static let defaultNeeds: Set<String> = ["AppExtensions"]
  /// What all tests have: `tests(_:_:)` of the manifest.
  private static let sharedByTests: Set<String> = ["TestPrograms", "TestSupport"]

  /// The target that a file belongs to; `nil` for a file of another package, or of none.
  private static func target(of path: String) -> String? {
    let parts = path.split(separator: "/").map(String.init)
    if path.hasPrefix("Sources/Tool/Benchmarks/") { return House.needs[parts[3]] == nil ? "benchmarks" : parts[3] }
    if path.hasPrefix("Sources/Tool/EmbeddedFiles/") || path.hasPrefix("Sources/Tool/FeatureList/") { return nil }
    if path.hasPrefix("Sources/") { return House.module(of: path) }
    if path.hasPrefix("Plugins/") { return packages.contains { path.hasPrefix($0) } ? nil : parts[1] }
    // Built with the compiler's own libraries, by the script that draws faults.
    if path.hasPrefix("Tests/Mutants/") { return nil }
    if path.hasPrefix("Tests/Fixtures/") { return parts[2] }
    if path.hasPrefix("Tests/Fuzz/Driver/") { return "fuzz" }
    return parts.first { $0.hasSuffix("Tests") && $0 != "Tests" } ?? (parts.count > 3 ? parts[2] : nil)
  }

  /// The folders of samples that are packages of their own, and of what new packages are made of.
  private static let packages =
    SourceTree.files(below: "Plugins", suffix: "/Package.swift").map { String($0.path.dropLast("Package.swift".count)) }
    + ["Plugins/Templates/"]

  /// The modules that a target may import, by the tables of a manifest.
  private static func declared(
    for target: String, _ needs: [String: Set<String>], _ testNeeds: [String: Set<String>]
  ) -> Set<String> {
    guard target.hasSuffix("Tests") else { return needs[target] ?? defaultNeeds }
    let tested = String(target.dropLast("Tests".count))
    let own = needs[tested].map { $0.union([tested]) } ?? []
    return own.union(sharedByTests).union(testNeeds[target] ?? [])
  }

  /// The files of this package with their targets and imports, read once.
  private static let files: [(path: String, target: String, imports: Set<String>)] =
    SourceTree.files(below: "Sources", "Plugins", "Tests").compactMap { file in
      guard !file.isGeneratedPackage, let target = target(of: file.path) else { return nil }
      return (file.path, target, Set(House.imports(of: file)).subtracting(system))
    }

  /// Imports of modules that the target of a file does not need, as `PATH imports MODULE`.
  private static func undeclared(
    _ needs: [String: Set<String>] = House.needs, _ testNeeds: [String: Set<String>] = House.testNeeds
  ) -> [String] {
    var known: [String: Set<String>] = [:]
    for target in Set(files.map(\.target)) { known[target] = declared(for: target, needs, testNeeds) }
    return files.flatMap { file in
      file.imports.subtracting(known[file.target] ?? []).subtracting([file.target]).sorted()
        .map { "\(file.path) imports \($0)" }
    }
  }

  @Test func `is one of its needs in Package.swift`() {
    #expect(House.needs.count > 80 && House.testNeeds.count > 15)
    #expect(House.needs.keys.allSatisfy { !$0.contains("#") })
    let undeclared = Self.undeclared()
    for line in undeclared { Issue.record("\(line), which Package.swift does not name among the needs of its target") }
  }

  @Test(arguments: [
    ("SharedFiles", "EventLoop", "Sources/Base/SharedFiles/"), ("FeatureCommands", "TerminalText", "Sources/Features/"),
    ("benchmarks", "Images", "Sources/Tool/Benchmarks/"), ("PhotoTones", "CPNG", "Plugins/PhotoTones/"),
    ("TransferWorker", "Transfers", "Tests/Fixtures/TransferWorker/"), ("WebTokens", "Text", "Sources/Base/WebTokens/"),
  ])
  func `is reported when the need is removed`(target: String, need: String, folder: String) {
    var needs = House.needs
    #expect(needs[target]?.remove(need) != nil, "\(target) does not need \(need)")
    let undeclared = Self.undeclared(needs)
    #expect(undeclared.contains { $0.hasPrefix(folder) && $0.hasSuffix(" imports \(need)") }, "\(undeclared)")
  }

  @Test func `is reported when the need of a test is removed`() {
    var needs = House.testNeeds
    #expect(needs["FilesTests"]?.remove("Time") != nil)
    let undeclared = Self.undeclared(House.needs, needs)
    #expect(undeclared.contains { $0.hasPrefix("Tests/Base/FilesTests/") && $0.hasSuffix(" imports Time") })
  }
}
