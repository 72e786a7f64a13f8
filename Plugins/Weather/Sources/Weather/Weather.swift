import AppExtensions

/// The app that the extension comes with. A host starts it when somebody opens one of its URLs.
@main
struct Weather: ContainingApp {
  static let bundleIdentifier = "com.example.weather"

  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String? {
    "Weather was asked to open \(url)."
  }
}
