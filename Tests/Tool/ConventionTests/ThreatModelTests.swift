import Foundation
import TestSupport
import Testing

/// The page says which test proves a promise: the test has to be there.
@Suite(.timeLimit(.minutes(1))) struct `The threat model` {
  struct Proof: Sendable, Hashable, CustomTestStringConvertible {
    let suite: String
    let test: String

    var testDescription: String { "\(suite): \(test)" }
  }

  private static let heads = ["Promise", "Service", "---"]

  /// The lines of the tables under a heading of the page, without heads and rules. The last cell has the proof.
  static func rows(under heading: String) -> [[String]] {
    guard let page = SourceTree.all.first(where: { $0.path.hasSuffix("/ThreatModel.md") }),
      let start = page.text.range(of: "\n## \(heading)\n")
    else { return [] }
    let rest = page.text[start.upperBound...]
    let section = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
    return section.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { row in !Self.heads.contains { row.first?.hasPrefix($0) ?? true } }
  }

  /// The suite and the test that a cell names.
  static func proof(in cell: String) -> Proof? {
    let parts = cell.components(separatedBy: "`")
    guard parts.count == 5, parts[0].isEmpty, parts[2] == ": ", parts[4].isEmpty else { return nil }
    return Proof(suite: parts[1], test: parts[3])
  }

  static let proofs = rows(under: "What is promised").compactMap { proof(in: $0.last ?? "") }

  @Test func `has a proof for each promise`() {
    let rows = Self.rows(under: "What is promised")
    #expect(rows.count > 25)
    for row in rows {
      #expect(Self.proof(in: row.last ?? "") != nil, "“\(row[0])” has no proof of the form `suite`: `test`")
    }
  }

  @Test(arguments: try Cases.present(proofs)) func `names a test that there is`(proof: Proof) throws {
    let files = try #require(SourceTree.suites[proof.suite], "no suite is called \(proof.suite)")
    #expect(files.contains { $0.text.contains("func `\(proof.test)`(") }, "\(proof.suite) has no test “\(proof.test)”")
  }

  /// What in the host layer of a feature opens files, connects to servers or starts programs.
  static let deeds: [(heading: String, signs: [String])] = [
    ("files", ["GrantedFile", "clinux_open", "clinux_make", "File.read(", "File.replace(", ".take(", ".grant("]),
    ("addresses", ["HTTPClient", "FetchRun", "HTTPRequest("]), ("programs", ["withApp(", "posix_spawn"]),
  ]

  @Test(arguments: deeds) func `names each feature whose service does something for a caller`(
    heading: String, signs: [String]
  ) throws {
    let page = try #require(SourceTree.all.first { $0.path.hasSuffix("/ThreatModel.md") })
    let start = try #require(page.text.range(of: "\n### Who asks the host to do what: \(heading)\n"))
    let table = page.text[start.upperBound...].components(separatedBy: "\n### ")[0]
    for file in SourceTree.files(below: "Sources/Features") where file.path.contains("/Host/") {
      guard let sign = signs.first(where: { file.text.contains($0) }),
        let folder = file.path.components(separatedBy: "/Host/").first
      else { continue }
      let contract = SourceTree.files(below: "\(folder)/Contract").lazy.compactMap {
        $0.text.firstMatch(of: /static let name = "([a-z]+)"/)?.output.1
      }.first
      guard let prefix = contract else { continue }
      #expect(
        table.contains("`\(prefix)/"), "\(file.path) uses \(sign), and the table of \(heading) has no \(prefix)/…")
    }
  }

  @Test func `says what is not promised`() throws {
    let page = try #require(SourceTree.all.first { $0.path.hasSuffix("/ThreatModel.md") })
    #expect(page.text.contains("\n## What is not promised\n"))
    #expect(try #require(SourceTree.file("README.md")).text.contains("ThreatModel.md"))
  }
}
