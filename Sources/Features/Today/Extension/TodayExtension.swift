public import Contracts
public import ExtensionRuntime

/// A Today widget. Mark the type `@main`.
public protocol TodayExtension: AppExtension {
  /// Brings the widget up to date. What it throws counts as `failed`: the host shows the last view, marked as stale.
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult
}

extension TodayExtension {
  public var handlers: [SessionHandler] {
    [
      SessionHandler(Today.PerformUpdate.self) { update, session in
        try await performUpdate(in: ExtensionContext(requestID: update.requestID, session: session))
      }
    ]
  }
}
