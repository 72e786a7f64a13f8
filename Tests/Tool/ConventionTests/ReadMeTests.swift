import Testing

/// The pages that stand in the wings and the systems, compared with the folders beside them.
@Suite(.timeLimit(.minutes(1))) struct `The README of a wing or a system` {
  private static let folders =
    House.Wing.allCases.map { "Sources/\($0.rawValue)" }
    + names(in: "Sources/Systems").map { "Sources/Systems/\($0)" }.sorted()

  /// The names of the folders with text files in a folder.
  private static func names(in folder: String) -> Set<String> {
    let depth = folder.split(separator: "/").count
    return Set(
      SourceTree.files(below: folder, suffix: "").map { $0.path.split(separator: "/") }
        .filter { $0.count > depth + 1 }.map { String($0[depth]) })
  }

  /// The names that the list of a page has before its colons.
  private static func rows(of text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("- ") }.flatMap { line in
      line.prefix { $0 != ":" }.matches(of: #/`([\w-]+)`/#).map { String($0.1) }
    }
  }

  @Test func `has at most 20 lines, and a word for each room and for nothing else`() throws {
    #expect(Self.folders.count == 13)
    for folder in Self.folders {
      let text = try #require(SourceTree.file("\(folder)/README.md"), "\(folder) has no README.md").text
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 21, "\(folder)/README.md is long")
      #expect(Self.rows(of: text).sorted() == Self.names(in: folder).sorted(), "\(folder)/README.md")
    }
  }
}
