import AppExtensions
import Glibc
import SitePlugins

/// Tables of comma-separated values, row by row: a large one is never whole in memory.
@main
struct Tables: PointExtension {
  typealias Point = Renderer

  var methods: [PointHandler] {
    [
      PointHandler(Renderer.Render.self) { page, _ in
        .init(html: "<table>\n\(page.text.split(separator: "\n").map(row).joined())</table>")
      },
      PointHandler(answering: Renderer.RenderLarge.self) { page, context in
        let path = "\(context.host?.directories.scratch ?? "")/\(page.path)"
        let stream = try context.openStream()
        return Answer(Renderer.RenderLarge.Result(stream: stream.id)).filling(stream) {
          guard let file = fopen(path, "re") else {
            throw ExtensionError(.handlerFailed, "The page cannot be read: \(String(cString: strerror(errno))).")
          }
          defer { fclose(file) }
          try await stream.send(Array("<table>\n".utf8))
          var line: UnsafeMutablePointer<CChar>?
          var capacity = 0
          defer { free(line) }
          while getline(&line, &capacity, file) > 0, let text = line.map({ String(cString: $0) }) {
            try await stream.send(Array(row(text.dropLast(text.hasSuffix("\n") ? 1 : 0)).utf8))
          }
          try await stream.send(Array("</table>".utf8))
        }
      },
    ]
  }

  func row(_ line: Substring) -> String {
    let cells = line.split(separator: ",", omittingEmptySubsequences: false).map { cell in
      "<td>\(cell.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined())</td>"
    }
    return "<tr>\(cells.joined())</tr>\n"
  }
}
