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

  /// Transfers of the app's, or of an extension of its, are over, and nobody else is there to hear of it
  /// (`application(_:handleEventsForBackgroundURLSession:completionHandler:)`). The app has 30 s: read the session's
  /// events to their end. Events that are not read come again; an app without this method gets them three times in vain.
  func handleEvents(forBackgroundSession session: BackgroundSession, in context: ExtensionContext) async throws
}

extension ContainingApp {
  /// The default handles no events.
  public func handleEvents(forBackgroundSession session: BackgroundSession, in context: ExtensionContext) async throws {
  }

  /// The containing app itself.
  public static var points: [ExtensionPointDefinition] { OpenURL.points }

  /// What a host calls: `app/openURL`.
  public var handlers: [SessionHandler] { handlers(showing: { _ in }) }

  /// Serves the host that started it; started by a user, it waits for URLs until it is interrupted.
  public static func main() {
    guard ResidentApp.isStartedByUser else {
      return ExtensionMain.run(Self.self, starts: Features.starts) { Self().handlers }
    }
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
      },
      eventsHandler,
    ]
  }
}
