import Testing

@Suite(.timeLimit(.minutes(1))) struct `The name of a type` {
  /// Names that two modules may both declare, with the reason.
  private static let shared: [String: String] = [
    "Timestamp": "Both are public: of the SDK, as its makers call it, and of the protocol."
  ]

  /// A type that stands in no other, and may be seen outside of its file.
  private static func type(declaredBy line: Substring) -> String? {
    var words = line.split(separator: " ").drop { $0.hasPrefix("@") }
    let modifiers: Set<Substring> = ["public", "package", "internal", "final", "indirect", "nonisolated"]
    words = words.drop { modifiers.contains($0) }
    let kinds: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
    guard line.first?.isWhitespace == false, let kind = words.first, kinds.contains(kind), words.count > 1 else {
      return nil
    }
    return words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
  }

  @Test func `means one thing in all modules`() {
    var modules: [String: Set<String>] = [:]
    for file in House.files {
      guard let module = House.module(of: file.path) else { continue }
      for line in file.code.split(separator: "\n") {
        if let name = Self.type(declaredBy: line) { modules[name, default: []].insert(module) }
      }
    }
    #expect(modules.count > 1_000)
    for (name, declaring) in modules where declaring.count > 1 && Self.shared[name] == nil {
      Issue.record("\(name) is declared in \(declaring.sorted().joined(separator: ", "))")
    }
    for name in Self.shared.keys { #expect(modules[name, default: []].count > 1, "\(name) is declared once") }
  }
}
