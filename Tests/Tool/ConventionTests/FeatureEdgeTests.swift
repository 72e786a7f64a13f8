import Testing

/// Which features stand on which others, computed from the names that each one declares and uses, in every layer.
///
/// A feature that no other one stands on can be removed with its folder and its word in `Package.swift`. One that others
/// stand on can be removed with those.
@Suite(.timeLimit(.minutes(1))) struct `A feature that another stands on` {
  /// The features that each feature stands on.
  private static let written = """
    Action: Items Request Today
    Auth: Network
    Data: Auth
    DocumentPicker: FileProvider Request
    Items: OpenURL Request
    Keyboard: Request
    OpenURL: Request Sessions
    PhotoEditing: Request
    Request: Items
    Sessions: Defaults
    Share: Action Items Request Sessions
    Today: Data Defaults Request
    """

  /// The pairs that stand on each other: a request hands items over, and an item is given out for an open request.
  private static let mutual: Set<Set<String>> = [["Items", "Request"]]

  private static let code: [String: String] = Dictionary(
    SourceTree.files(below: "Sources/Features").compactMap { file in
      House.feature(of: file.path).map { ($0, file.code) }
    }, uniquingKeysWith: { "\($0)\n\($1)" })

  /// The names of the types that code declares, with what stands before each in its line.
  private static func types(in code: String) -> [(before: Substring, name: String)] {
    code.matches(of: #/(?m)^(.*)\b(?:struct|enum|class|actor|protocol|typealias|associatedtype)\s+(\w+)/#)
      .map { ($0.1, String($0.2)) }
  }

  /// The features that each feature stands on: it names a type that only the other declares, and none that is its own.
  private static func computed() -> [String: Set<String>] {
    let types = code.mapValues(types)
    var owners: [String: Set<String>] = [:]
    for (feature, types) in types {
      for type in types where !type.before.hasPrefix(" ") && !type.before.contains("private") {
        owners[type.name, default: []].insert(feature)
      }
    }
    return code.reduce(into: [:]) { edges, entry in
      let own = Set(types[entry.key, default: []].map(\.name))
      var names: Set<String> = []
      for word in entry.value.matches(of: #/(\.?)\b([A-Z]\w*)/#) where word.1.isEmpty { names.insert(String(word.2)) }
      let others = names.subtracting(own).compactMap { name in owners[name]?.count == 1 ? owners[name]?.first : nil }
      if !others.isEmpty { edges[entry.key] = Set(others) }
    }
  }

  @Test func `is one that is written down`() {
    let rows = Self.computed().sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.sorted().joined(separator: " "))" }
    #expect(rows == Self.written.split(separator: "\n").map(String.init))
  }

  @Test func `does not stand on that one, but where both are of the core`() {
    let edges = Self.computed()
    let mutual = edges.flatMap { feature, others in
      others.filter { edges[$0, default: []].contains(feature) }.map { Set([feature, $0]) }
    }
    #expect(Set(mutual) == Self.mutual)
  }
}
