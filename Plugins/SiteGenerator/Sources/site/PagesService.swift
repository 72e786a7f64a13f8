import ExtensionHosting
import SitePlugins

/// Tells renderers which pages there are.
struct PagesService: HostService {
  typealias Contract = Pages

  let titles: [String: String]

  var handlers: [Handler] {
    Handler(Pages.Titles.self) { _, _ in Pages.Titles.Result(titles: titles) }
  }
}
