public import Contracts
public import ExtensionRuntime

/// The app that contains extensions. The host starts it when somebody opens one of its URLs. Mark the type `@main`.
public protocol ContainingApp: AppExtension {
  /// Opens a URL of one of the app's schemes.
  ///
  /// - Returns: what the app shows for it, as text; `nil` when the app does not know the URL.
  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String?
}

extension ContainingApp {
  public var handlers: [SessionHandler] {
    [
      SessionHandler(OpenURL.Deliver.self) { params, session in
        let context = ExtensionContext(requestID: "open-url", session: session)
        let presentation = try await open(params.url, from: params.source, in: context)
        return OpenURL.Deliver.Result(handled: presentation != nil, presentation: presentation)
      }
    ]
  }
}
