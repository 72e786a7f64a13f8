import AppExtensions
import SitePlugins

/// Headings, lists and paragraphs of Markdown.
@main
struct Markdown: PointExtension {
  typealias Point = Renderer

  var methods: [PointHandler] {
    [
      PointHandler(Renderer.Render.self) { page, _ in .init(html: html(of: page.text)) }
    ]
  }

  func html(of text: String) -> String {
    text.split(separator: "\n").map { line in
      let level = line.prefix { $0 == "#" }.count
      let rest = line.drop { "# -".contains($0) }
      if 1...6 ~= level { return "<h\(level)>\(escaped(rest))</h\(level)>" }
      return line.hasPrefix("- ") ? "<li>\(escaped(rest))</li>" : "<p>\(escaped(line))</p>"
    }.joined(separator: "\n")
  }

  func escaped(_ text: Substring) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
  }
}
