public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime

/// A Photo Editing extension. Mark the type `@main`.
///
/// The host starts a session with a photo, lets the extension finish it, and saves what it made. One session at a time.
public protocol PhotoEditingExtension: AppExtension {
  /// Whether the edit that this data describes can be taken up. When it can, the session begins with the original photo
  /// and this data; else with the photo as it looks now.
  func canHandle(_ adjustmentData: AdjustmentData) async -> Bool

  /// A session begins. Throwing ends it.
  func startContentEditing(_ session: PhotoEditingSession) async throws

  /// Makes the edited photo: write it to ``PhotoEditingSession/outputPath(for:)``, upright (orientation 1), and return it
  /// with new adjustment data (``PhotoEditingSession/output(type:adjustmentData:)``). `nil` saves nothing. Throwing ends
  /// the session. The task is cancelled when the user cancels.
  func finishContentEditing(_ session: PhotoEditingSession) async throws -> PhotoEditingOutput?

  /// Whether cancelling now would lose work.
  func shouldShowCancelConfirmation(_ session: PhotoEditingSession) async -> Bool

  /// The session is cancelled, its output has been taken, or its finish made none or failed: clean up.
  func endContentEditing(_ session: PhotoEditingSession) async
}

extension PhotoEditingExtension {
  /// Photo Editing extensions.
  public static var points: [ExtensionPointDefinition] { PhotoEditing.points }

  /// The default takes no edit up: each session begins with the photo as it looks now.
  public func canHandle(_ adjustmentData: AdjustmentData) async -> Bool { false }
  /// The default does nothing.
  public func startContentEditing(_ session: PhotoEditingSession) async throws {}
  /// The default loses no work.
  public func shouldShowCancelConfirmation(_ session: PhotoEditingSession) async -> Bool { false }
  /// The default does nothing.
  public func endContentEditing(_ session: PhotoEditingSession) async {}

  /// The handlers for the host's calls, for one session at a time.
  public var handlers: [SessionHandler] {
    let sessions = PhotoEditingSessions()
    return [
      SessionHandler(PhotoEditing.CanHandleAdjustmentData.self) { params, _ in
        PhotoEditing.CanHandleAdjustmentData.Result(canHandle: await canHandle(params.adjustmentData))
      },
      SessionHandler(PhotoEditing.StartContentEditing.self) { params, channel in
        let session = PhotoEditingSession(params, channel)
        try sessions.open(session)
        do { try await startContentEditing(session) } catch {
          sessions.close(session.id)
          throw error
        }
        return Empty()
      },
      SessionHandler(PhotoEditing.ShouldShowCancelConfirmation.self) { params, _ in
        PhotoEditing.ShouldShowCancelConfirmation.Result(
          show: await shouldShowCancelConfirmation(try sessions.session(params.sessionID)))
      },
      SessionHandler(PhotoEditing.FinishContentEditing.self) { params, _ in
        let session = try sessions.session(params.sessionID).finishing(params)
        let output: PhotoEditingOutput?
        do {
          output = try await sessions.finish(session) { try await finishContentEditing(session) }
        } catch {
          if let session = sessions.close(session.id) { await endContentEditing(session) }
          throw error
        }
        if output == nil, let session = sessions.close(session.id) { await endContentEditing(session) }
        return PhotoEditing.FinishContentEditing.Result(output: output)
      },
      SessionHandler(notification: PhotoEditing.OutputConsumed.self) { params, _ in
        if let session = sessions.close(params.sessionID) { await endContentEditing(session) }
      },
      SessionHandler(PhotoEditing.CancelContentEditing.self) { params, _ in
        if let session = sessions.close(params.sessionID) { await endContentEditing(session) }
        return Empty()
      },
    ]
  }
}
