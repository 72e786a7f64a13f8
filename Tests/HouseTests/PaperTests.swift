import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A paper` {
  static let papers = SourceTree.all.filter { $0.path.hasSuffix(".md") }

  /// The fenced block behind a comment that names a file.
  static func block(naming path: String, in text: String) -> String? {
    guard let comment = text.range(of: "<!-- \(path) -->"),
      let open = text[comment.upperBound...].range(of: "```swift\n"),
      let close = text[open.upperBound...].range(of: "```")
    else { return nil }
    return String(text[open.upperBound..<close.lowerBound])
  }

  @Test func `shows the code that is compiled`() throws {
    var compared = 0
    for paper in Self.papers {
      let pattern = try NSRegularExpression(pattern: #"<!-- ([\w/.+-]+\.swift) -->"#)
      for match in pattern.matches(in: paper.text, range: NSRange(paper.text.startIndex..., in: paper.text)) {
        let path = String(paper.text[try #require(Range(match.range(at: 1), in: paper.text))])
        let source = try #require(SourceTree.file(path), "\(paper.path) names \(path)")
        #expect(Self.block(naming: path, in: paper.text) == source.text, "\(paper.path) and \(path) differ")
        compared += 1
      }
    }
    #expect(compared > 0)
    #expect(Self.block(naming: "Plugins/Clock/Clock.swift", in: SourceTree.file("README.md")?.text ?? "") != nil)
  }

  @Test func `links to files that are there`() throws {
    let pattern = try NSRegularExpression(pattern: #"\]\(([^)#\s]+)[^)]*\)"#)
    for paper in Self.papers {
      let folder = paper.path.split(separator: "/").dropLast().joined(separator: "/")
      for match in pattern.matches(in: paper.text, range: NSRange(paper.text.startIndex..., in: paper.text)) {
        let link = String(paper.text[try #require(Range(match.range(at: 1), in: paper.text))])
        if link.contains("://") || link.hasPrefix("mailto:") || link.hasPrefix("doc:") { continue }
        #expect(SourceTree.exists(folder.isEmpty ? link : "\(folder)/\(link)"), "\(paper.path) links to \(link)")
      }
    }
  }
}
