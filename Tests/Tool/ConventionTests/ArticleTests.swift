import Contracts
import ExtensionProtocol
import Testing

/// The tables of the articles, compared with what there is.
@Suite(.timeLimit(.minutes(1))) struct `An article` {
  static func text(_ name: String) throws -> String {
    try #require(SourceTree.all.first { $0.path.hasSuffix(".docc/\(name).md") }, "\(name).md is missing").text
  }

  /// The services of the features, by name.
  static let services: [(name: String, module: String)] = SourceTree.files(below: "Sources/Features").flatMap { file in
    file.code.split(separator: "\n").filter { $0.hasSuffix(": HostService {") }.compactMap { line in
      line.split(separator: ":").first?.split(separator: " ").last.map {
        (String($0), House.module(of: file.path) ?? "")
      }
    }
  }

  @Test func `for authors has every extension point`() throws {
    let article = try Self.text("WritingAnExtension")
    for point in Features.points.points + [.containingApp] {
      #expect(article.contains("| `\(point.rawValue)` |"), "the table of the points lacks \(point.rawValue)")
    }
  }

  @Test func `for embedders has every service`() throws {
    let (guide, front) = (try Self.text("EmbeddingAHost"), try Self.text("HostServices"))
    #expect(Self.services.count > 10)
    for (service, module) in Self.services {
      #expect(guide.contains("| `\(service)` |"), "the table of the services lacks \(service)")
      let line = module == "HostServices" ? "- ``\(service)``" : "| `\(module)` | `\(service)` |"
      #expect(front.contains(line), "the front page of HostServices lacks \(service)")
    }
  }

  @Test func `is linked from the front page of its catalogue`() throws {
    for file in SourceTree.files(below: "Sources", suffix: ".md") {
      let parts = file.path.split(separator: "/")
      guard let catalogue = parts.lastIndex(where: { $0.hasSuffix(".docc") }) else { continue }
      let front = "\(parts[...catalogue].joined(separator: "/"))/\(parts[catalogue].dropLast(5)).md"
      if file.path == front { continue }
      let page = try #require(SourceTree.file(front), "\(front) is missing")
      #expect(page.text.contains("<doc:\(file.name.dropLast(3))>"), "\(front) does not link to \(file.name)")
    }
  }
}
