import AppExtensions
import SitePlugins

/// A renderer that wants the weather of today. It may ask for the network, as its manifest says; nobody has allowed it.
@main
struct Asking: PointExtension {
  typealias Point = Renderer

  var methods: [PointHandler] {
    [
      PointHandler(Renderer.Render.self) { page, context in
        let weather = try await context.fetch("https://weather.example.org/today")
        return .init(html: "<p>\(weather.status)</p>")
      }
    ]
  }
}
