import AppExtensions
import SitePlugins

/// A renderer with a bug: the site is built without it.
@main
struct Crashing: PointExtension {
  typealias Point = Renderer

  var methods: [PointHandler] {
    [
      PointHandler(Renderer.Render.self) { page, _ in
        preconditionFailure("The recipe \(page.name) has no ingredients.")
      }
    ]
  }
}
