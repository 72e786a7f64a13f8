import Foundation
import Testing

/// The page that says what each room is for, compared with the folders.
@Suite(.timeLimit(.minutes(1))) struct `The page of the architecture` {
  static let path = "Sources/Documentation/ExtensionHosting.docc/Architecture.md"

  static func text() throws -> String { try #require(SourceTree.file(path), "\(path) is missing").text }

  /// The names in the first column of the page's tables.
  static func rows() throws -> [String] {
    try text().split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/^\| `([\w-]+)` \|/#).map { String($0.1) }
    }
  }

  @Test func `has a line for each room, once`() throws {
    let rows = try Self.rows()
    for (module, wing) in House.wings where wing != .c {
      let count = rows.count { $0 == module }
      #expect(count == 1, "\(module) of \(wing.rawValue) stands \(count) times in \(Self.path)")
    }
  }

  @Test func `has no line for a room that is not there`() throws {
    let wings = Set(House.Wing.allCases.map(\.rawValue))
    for row in try Self.rows() where !wings.contains(row) {
      #expect(House.wings[row] != nil, "\(Self.path) tells of \(row)")
    }
  }

  @Test func `tells six journeys in ten steps each, by files that are there`() throws {
    let text = try Self.text()
    let journeys = try #require(text.components(separatedBy: "## Six journeys\n").last).components(
      separatedBy: "\n### "
    )
    .dropFirst()
    #expect(journeys.count == 6)
    let names = Set(SourceTree.files(below: "Sources", suffix: "").map(\.name))
    for journey in journeys {
      let title = journey.prefix { $0 != "\n" }
      #expect(journey.matches(of: #/\n\d+\. /#).count == 10, "\(title) has not ten steps")
      let files = journey.matches(of: #/`([\w+-]+\.(?:swift|c))`/#).map { String($0.1) }
      #expect(files.count >= 10, "\(title) names few files")
      for file in files { #expect(names.contains(file), "\(title) names \(file), which is not there") }
    }
  }
}
