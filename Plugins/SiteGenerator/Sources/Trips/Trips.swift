import AppExtensions
import SitePlugins

/// A list of what a persisted query of AEM answers; the page is the name of the query. The host fetches it, so that the
/// renderer needs no network.
@main
struct Trips: PointExtension {
  typealias Point = Renderer

  struct Adventures: Decodable, Sendable {
    struct List: Decodable, Sendable { var items: ContentItems<Adventure> }
    struct Adventure: Decodable, Sendable {
      var title: String?
      var tripLength: String?
    }
    var adventureList: List?
  }

  var methods: [PointHandler] {
    [
      PointHandler(Renderer.Render.self) { page, context in
        let query = String(page.text.prefix { !$0.isWhitespace })
        let answer = try await context.content(query, as: Adventures.self)
        let rows = (answer.data.adventureList?.items.items ?? []).map { adventure in
          "<li>\(escaped(adventure.title ?? "")): \(escaped(adventure.tripLength ?? ""))</li>\n"
        }
        return .init(html: "<ul>\n\(rows.joined())</ul>")
      }
    ]
  }

  func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
  }
}
