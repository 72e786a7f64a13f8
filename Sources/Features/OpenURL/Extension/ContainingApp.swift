public import Contracts
public import ExtensionRuntime
import Glibc

/// The app that contains extensions. Mark the type `@main`.
///
/// A host starts it, confined like an extension, when somebody opens one of its URLs. Started by a user it stays and
/// takes URLs until it is interrupted; hosts then reach that process.
public protocol ContainingApp: AppExtension {
  /// `CFBundleIdentifier` of the app's manifest.
  static var bundleIdentifier: String { get }

  /// Opens a URL of one of the app's schemes.
  ///
  /// - Returns: what the app shows for it, as text; `nil` when the app does not know the URL.
  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String?
}

extension ContainingApp {
  /// The containing app itself.
  public static var points: [ExtensionPointDefinition] { OpenURL.points }

  /// What a host calls: `app/openURL`.
  public var handlers: [SessionHandler] { handlers(showing: { _ in }) }

  /// Serves the host that started it; started by a user, it waits for URLs until it is interrupted.
  public static func main() {
    guard ResidentApp.isStartedByUser else { return ExtensionMain.run(Self.self) { Self().handlers } }
    let show: @Sendable (String) -> Void = { ResidentApp.write("\($0)\n", to: STDOUT_FILENO) }
    ResidentApp.run(Self.self, identifier: bundleIdentifier) { Self().handlers(showing: show) }
  }

  private func handlers(showing show: @escaping @Sendable (String) -> Void) -> [SessionHandler] {
    [
      SessionHandler(OpenURL.Deliver.self) { params, session in
        let context = ExtensionContext(requestID: "", session: session)
        let presentation = try await open(params.url, from: params.source, in: context)
        if let presentation { show(presentation) }
        return OpenURL.Deliver.Result(handled: presentation != nil, presentation: presentation)
      }
    ]
  }
}
