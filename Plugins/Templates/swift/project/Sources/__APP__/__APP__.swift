import AppExtensions

/// The app that the extension comes with. A host starts it when somebody opens one of its URLs.
@main
struct __APP__: ContainingApp {
  static let bundleIdentifier = "__APP_ID__"

  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String? {
    "__APP__ was asked to open \(url)."
  }
}
