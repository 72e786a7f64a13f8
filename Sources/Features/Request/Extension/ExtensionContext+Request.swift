public import Contracts
public import ExtensionProtocol
public import ExtensionRuntime
import JSON

extension ExtensionContext {
  /// Who asks, and what it takes back; `nil` where the host does not say.
  public var hostApp: Request.HostApp? { (scope as? RequestScope)?.begin.host }

  /// Where a Share or Action extension can show something; `nil` where the host does not say.
  public var presentation: Request.Presentation? { (scope as? RequestScope)?.begin.presentation }

  /// Puts something off until a Share or Action request has been completed and its items delivered: the end of an upload,
  /// a cache to write. The host waits for it a few seconds; then the task is cancelled, and soon the process ends.
  public func afterCompletion(_ work: @escaping @Sendable () async -> Void) {
    (scope as? RequestScope)?.add(work)
  }

  /// Does something that should not be interrupted when the host is done with this extension.
  ///
  /// - Parameters:
  ///   - reason: what is done, for people.
  ///   - work: its task is cancelled when the host does not wait any longer.
  /// - Throws: `limitExceeded` when there are too many such activities; nothing has been done then.
  public func performExpiringActivity(
    reason: String, _ work: @escaping @Sendable () async -> Void
  ) async throws(ExtensionError) {
    let activity = try await call(Request.BeginExpiringActivity(reason: reason))
    if let scope = scope as? RequestScope { await scope.expiring(work) } else { await work() }
    _ = try? await call(Request.EndExpiringActivity(token: activity.token))
  }
}
