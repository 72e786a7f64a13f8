import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A document` {
  static let documents = SourceTree.all.filter { $0.path.hasSuffix(".md") }

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
    for document in Self.documents {
      let pattern = try NSRegularExpression(pattern: #"<!-- ([\w/.+-]+\.swift) -->"#)
      for match in pattern.matches(in: document.text, range: NSRange(document.text.startIndex..., in: document.text)) {
        let path = String(document.text[try #require(Range(match.range(at: 1), in: document.text))])
        let source = try #require(SourceTree.file(path), "\(document.path) names \(path)")
        #expect(Self.block(naming: path, in: document.text) == source.text, "\(document.path) and \(path) differ")
        compared += 1
      }
    }
    #expect(compared > 0)
    #expect(Self.block(naming: "Plugins/Clock/Clock.swift", in: SourceTree.file("README.md")?.text ?? "") != nil)
  }

  @Test func `has every method that crosses the wire in its catalogue`() throws {
    let catalogue = try #require(Self.documents.first { $0.path.hasSuffix("/AnotherLanguage.md") }).text
    let goldens = try FileManager.default.subpathsOfDirectory(atPath: SourceTree.root.path + "/Tests")
      .filter { $0.hasSuffix(".ndjson") }
    var methods: Set<String> = []
    for golden in goldens {
      let text = try String(contentsOfFile: "\(SourceTree.root.path)/Tests/\(golden)", encoding: .utf8)
      for line in text.split(separator: "\n") {
        let message = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if let method = message?["method"] as? String { methods.insert(method) }
      }
    }
    #expect(methods.count > 60)
    for method in methods.sorted() {
      let isThere = ["`\(method)`", "`\(method) ", "\"\(method)\""].contains { catalogue.contains($0) }
      #expect(isThere, "the catalogue lacks \(method)")
    }
  }

  @Test func `links to files that are there`() throws {
    let pattern = try NSRegularExpression(pattern: #"\]\(([^)#\s]+)[^)]*\)"#)
    // The built-in content links to its own pictures.
    for document in Self.documents where !document.path.hasPrefix("Sources/Systems/Content/ContentRepository/WKND/") {
      let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
      for match in pattern.matches(in: document.text, range: NSRange(document.text.startIndex..., in: document.text)) {
        let link = String(document.text[try #require(Range(match.range(at: 1), in: document.text))])
        if link.contains("://") || link.hasPrefix("mailto:") || link.hasPrefix("doc:") { continue }
        #expect(SourceTree.exists(folder.isEmpty ? link : "\(folder)/\(link)"), "\(document.path) links to \(link)")
      }
    }
  }
}
