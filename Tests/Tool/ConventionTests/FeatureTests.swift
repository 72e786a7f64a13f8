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

  /// The folders of the wing that are no rooms: a room has no layer.
  static let folders = Set(
    SourceTree.files(below: "Sources/Features", suffix: "").map { $0.path.split(separator: "/").map(String.init) }
      .filter { path in layers.contains { $0.0 == path.dropFirst(3).first } }.map { $0[2] }
  ).sorted()

  @Test func `has a folder and a word of one name`() {
    #expect(House.features == Self.folders)
    #expect(!Self.folders.contains("CommandRuntime"))
  }

  @Test func `has no folders but those of its layers`() {
    let layers = Set(Self.layers.map(\.0))
    for file in SourceTree.files(below: "Sources/Features") where House.feature(of: file.path) != nil {
      #expect(layers.contains(file.path.split(separator: "/").map(String.init)[3]), "\(file.path)")
    }
  }

  /// Features that no other one stands on, each with an extension point, checks and a command.
  static let leaves = ["DocumentPicker", "Keyboard", "PhotoEditing"]

  /// The files of one target, with the toy and without the leaves, as they are when folders and words have changed.
  static func files(_ layer: String, of target: String) -> [SourceTree.File] {
    let own = House.files(of: target).filter { !leaves.contains(House.feature(of: $0.path) ?? "") }
    let toy = ToyFeature.files.filter { $0.path.contains("/\(layer)/") }
    guard let list = TypeChecker.generated(for: target) else { return own + toy }
    let suffix = ["Contract": "", "Command": "Commands", "Extension": "Start"][layer] ?? layer
    var text = leaves.reduce(list) { $0.replacing("\($1)\(suffix).self, ", with: "") }
    if toy.contains(where: { $0.name == "\(ToyFeature.name)\(suffix).swift" }) {
      text = text.replacing(".self]", with: ".self, \(ToyFeature.name)\(suffix).self]")
    }
    return own + toy + [SourceTree.File(path: "Features+\(layer).swift", text: text)]
  }

  @Test(.enabled("the tool is not built", { TypeChecker.isPossible }))
  func `is one folder and one word, whether one comes or goes`() throws {
    #expect(Set(Self.folders).isSuperset(of: Self.leaves) && !Self.folders.contains(ToyFeature.name))
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
