import Foundation
import Testing

/// The page says which test proves a promise: the test has to be there.
@Suite(.timeLimit(.minutes(1))) struct `The threat model` {
  struct Proof: Sendable, Hashable, CustomTestStringConvertible {
    let suite: String
    let test: String

    var testDescription: String { "\(suite): \(test)" }
  }

  /// The lines of the tables under a heading of the page, without heads and rules.
  static func rows(under heading: String) -> [[String]] {
    guard let page = SourceTree.all.first(where: { $0.path.hasSuffix("/ThreatModel.md") }),
      let start = page.text.range(of: "\n## \(heading)\n")
    else { return [] }
    let rest = page.text[start.upperBound...]
    let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    return section.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 2 && $0[0] != "Promise" && !$0[0].hasPrefix("---") }
  }

  /// The suite and the test that a cell names.
  static func proof(in cell: String) -> Proof? {
    let parts = cell.components(separatedBy: "`")
    guard parts.count == 5, parts[0].isEmpty, parts[2] == ": ", parts[4].isEmpty else { return nil }
    return Proof(suite: parts[1], test: parts[3])
  }

  static let proofs = rows(under: "What is promised").compactMap { proof(in: $0[1]) }

  @Test func `has a proof for each promise`() {
    let rows = Self.rows(under: "What is promised")
    #expect(rows.count > 25)
    for row in rows { #expect(Self.proof(in: row[1]) != nil, "“\(row[0])” has no proof of the form `suite`: `test`") }
  }

  @Test(arguments: proofs) func `names a test that there is`(proof: Proof) {
    let files = SourceTree.files(below: "Tests").filter { $0.text.contains("struct `\(proof.suite)`") }
    #expect(!files.isEmpty, "no suite is called \(proof.suite)")
    #expect(files.contains { $0.text.contains("func `\(proof.test)`(") }, "\(proof.suite) has no test “\(proof.test)”")
  }

  @Test func `says what is not promised`() throws {
    let page = try #require(SourceTree.all.first { $0.path.hasSuffix("/ThreatModel.md") })
    #expect(page.text.contains("\n## What is not promised\n"))
    #expect(try #require(SourceTree.file("README.md")).text.contains("ThreatModel.md"))
  }
}
