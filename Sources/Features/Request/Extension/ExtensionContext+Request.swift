public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON

extension ExtensionContext {
  /// The host app, with the types that it accepts; `nil` when the host does not say.
  public var hostApp: Request.HostApp? { (scope as? RequestScope)?.begin.host }

  /// Where a Share or Action extension can show something; `nil` where the host does not say.
  public var presentation: Request.Presentation? { (scope as? RequestScope)?.begin.presentation }

  /// Puts something off until a Share or Action request has been completed and its items delivered: the end of an upload,
  /// a cache to write. The host waits for it a few seconds; then the task is cancelled, and soon the process ends.
  public func afterCompletion(_ work: @escaping @Sendable () async -> Void) {
    (scope as? RequestScope)?.add(work)
  }

  /// Performs work that should not be interrupted when the host no longer needs this extension.
  ///
  /// - Parameters:
  ///   - reason: a description of the work, for people.
  ///   - work: the work; its task is cancelled when the host waits no longer.
  /// - Throws: `limitExceeded` when too many activities run; the work has not begun then.
  public func performExpiringActivity(
    reason: String, _ work: @escaping @Sendable () async -> Void
  ) async throws(ExtensionError) {
    let activity = try await call(Request.BeginExpiringActivity(reason: reason))
    if let scope = scope as? RequestScope { await scope.expiring(work) } else { await work() }
    _ = try? await call(Request.EndExpiringActivity(token: activity.token))
  }
}
