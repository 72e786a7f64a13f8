public import Contracts
import ExtensionProtocol
public import ExtensionRuntime
import Glibc

/// The app that contains extensions. Mark the type `@main`.
///
/// A host starts the app, confined like an extension, when a user or an extension opens one of its URLs. An app that a
/// user starts stays and accepts URLs until it is interrupted; hosts then send URLs to that process.
public protocol ContainingApp: AppExtension {
  /// `CFBundleIdentifier` of the app's manifest.
  static var bundleIdentifier: String { get }

  /// Opens a URL of one of the app's schemes.
  ///
  /// - Returns: what the app shows for it, as text; `nil` when the app does not know the URL.
  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String?

  /// Called when transfers of the app or of its extensions have ended and no other process takes their events
  /// (`application(_:handleEventsForBackgroundURLSession:completionHandler:)`). The app has 30 s to read all events of
  /// the session. Unread events are delivered again; an app without this method is started for them three times.
  func handleEvents(forBackgroundSession session: BackgroundSession, in context: ExtensionContext) async throws
}

extension ContainingApp {
  /// The default handles no events.
  public func handleEvents(forBackgroundSession session: BackgroundSession, in context: ExtensionContext) async throws {
  }

  /// The containing app itself.
  public static var points: [ExtensionPointDefinition] { OpenURL.points }

  /// The handler for the host's call `app/openURL`.
  public var handlers: [SessionHandler] { handlers(showing: { _ in }) }

  /// Serves the host that started the app. When a user started it, waits for URLs until it is interrupted.
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

  /// What a host calls when transfers of the app's or of its extensions' are over: `session/handleEvents`.
  var eventsHandler: SessionHandler {
    SessionHandler(Sessions.HandleEvents.self) { params, session in
      let owned = session.features.feature(OwnedSessions.self)
      if owned.has(params.sessionID) {
        return Sessions.HandleEvents.Result(acked: await owned.deliver(params, session))
      }
      let context = ExtensionContext(session: session)
      let queue = EventQueue(params.events, ends: true)
      try await handleEvents(
        forBackgroundSession: BackgroundSession(params.sessionID, epoch: params.epoch, tasks: [], queue, context),
        in: context)
      let handled = queue.handled(of: params.events)
      if handled.count == params.events.count {
        _ = try await context.call(Sessions.EventsHandled(sessionID: params.sessionID, epoch: params.epoch))
      }
      return Sessions.HandleEvents.Result(acked: handled)
    }
  }
}
