import Testing

/// What `Package.swift` and the layers promise of a feature, tried on copies of the sources with a feature more and one
/// less. Only types are checked, against the modules of the build: a whole build takes minutes.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct `A feature` {
  /// The layers with their targets, each after those that it stands on.
  static let layers = [
    ("Contract", "Contracts"), ("Extension", "AppExtensions"), ("Host", "HostServices"),
    ("Conformance", "FeatureChecks"), ("Command", "FeatureCommands"),
  ]

  static let folders = Set(
    SourceTree.all.map { $0.path.split(separator: "/") }
      // The files of a room, which is no feature, lie in it.
      .filter { $0.starts(with: ["Sources", "Features"]) && $0.count > 4 }.map { String($0[2]) }
  ).sorted()

  @Test func `has a folder and a word of one name`() throws {
    let manifest = try #require(SourceTree.file("Package.swift")).text
    let list = try #require(manifest.firstMatch(of: /let features = \[([^\]]*)\]/)?.1)
    #expect(list.matches(of: /"(\w+)"/).map { String($0.1) } == Self.folders)
  }

  @Test func `has no folders but those of its layers`() {
    let layers = Set(Self.layers.map(\.0))
    for file in SourceTree.files(below: "Sources/Features") {
      let parts = file.path.split(separator: "/").map(String.init)
      #expect(parts.count == 4 || layers.contains(parts[3]), "\(file.path)")
    }
  }

  /// A feature that no other one stands on, with an extension point, checks, and a command with views of its own.
  static let leaf = "Keyboard"

  /// The files of one target, with the toy and without the leaf, as they are when folders and words have changed.
  static func files(_ layer: String, of target: String) -> [SourceTree.File] {
    let own = House.files(of: target).filter { $0.path.split(separator: "/")[2] != leaf }
    let toy = ToyFeature.files.filter { $0.path.contains("/\(layer)/") }
    guard let list = TypeChecker.generated(for: target) else { return own + toy }
    let suffix = ["Contract": "", "Command": "Commands"][layer] ?? layer
    let text = list.replacing("\(leaf)\(suffix).self, ", with: "")
      .replacing(".self]", with: ".self, \(ToyFeature.name)\(suffix).self]")
    return own + toy + [SourceTree.File(path: "Features+\(layer).swift", text: text)]
  }

  @Test(.enabled("the tool is not built", { TypeChecker.isPossible }))
  func `is one folder and one word, whether one comes or goes`() throws {
    #expect(Self.folders.contains(Self.leaf) && !Self.folders.contains(ToyFeature.name))
    let checker = try TypeChecker()
    defer { checker.remove() }
    for (layer, target) in Self.layers {
      let files = Self.files(layer, of: target)
      #expect(files.contains { $0.path.contains("/\(ToyFeature.name)/\(layer)/") }, "the toy has no \(layer)")
      let complaints = try checker.check(target, files)
      #expect(complaints.isEmpty, "\(target): \(complaints)")
      if !complaints.isEmpty { return }
    }
  }
}
