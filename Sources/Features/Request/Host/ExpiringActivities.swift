import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// The work of extensions that the host no longer needs: the host waits for it for a limited time.
final class ExpiringActivities: Sendable {
  /// The time limits of the host.
  struct Grace: Sendable {
    /// The time for the work to end by itself.
    var work: Duration = .seconds(5)
    /// After `context/willExpire`.
    var warning: Duration = .milliseconds(500)
  }

  /// Activities of one process at a time.
  static let limit = 16

  private struct Open {
    var tokens: Set<String> = []
    /// Finished when there are no tokens any more.
    var waiters: [AsyncStream<Void>.Continuation] = []
  }

  private let processes = Mutex<(next: UInt64, byInstance: [UInt64: Open])>((0, [:]))
  let grace: Grace

  init(grace: Grace) { self.grace = grace }

  var expiresInMs: Int { Int(grace.work.wholeMilliseconds) }

  /// - Throws: `limitExceeded` when the process has too many.
  func begin(for caller: Caller) throws(ExtensionError) -> String {
    let token: String? = processes.withLock { processes in
      processes.next += 1
      let token = "e\(processes.next)"
      guard processes.byInstance[caller.instance, default: Open()].tokens.count < Self.limit else { return nil }
      processes.byInstance[caller.instance, default: Open()].tokens.insert(token)
      return token
    }
    guard let token else {
      throw ExtensionError(
        .limitExceeded, "\(caller.identity.displayName) has \(Self.limit) expiring activities already.")
    }
    return token
  }

  /// - Throws: `invalidParams` when the process has no such activity.
  func end(_ token: String, of caller: Caller) throws(ExtensionError) {
    let (found, waiters): (Bool, [AsyncStream<Void>.Continuation]) = processes.withLock { processes in
      guard processes.byInstance[caller.instance]?.tokens.remove(token) != nil else { return (false, []) }
      guard processes.byInstance[caller.instance]?.tokens.isEmpty == true else { return (true, []) }
      return (true, processes.byInstance.removeValue(forKey: caller.instance)?.waiters ?? [])
    }
    for waiter in waiters { waiter.finish() }
    if !found {
      throw ExtensionError(
        .invalidParams, "There is no expiring activity \(token).",
        recovery: "End each activity once, with the token that its beginning returned.")
    }
  }

  /// Removes the activities of a process that has exited.
  func forget(_ instance: UInt64) {
    for waiter in processes.withLock({ $0.byInstance.removeValue(forKey: instance) })?.waiters ?? [] { waiter.finish() }
  }

  /// Waits until the process has no activities, or, after a warning, no longer.
  func settle(_ process: ExtensionProcess) async {
    let instance = process.caller.instance
    guard let work = wait(for: instance) else { return }
    if await ends(work, within: grace.work, process) { return }
    await process.notify(Request.WillExpire(deadlineMs: Int(grace.warning.wholeMilliseconds)))
    if let rest = wait(for: instance) { _ = await ends(rest, within: grace.warning, process) }
    forget(instance)
  }

  private func wait(for instance: UInt64) -> AsyncStream<Void>? {
    processes.withLock { processes in
      guard processes.byInstance[instance]?.tokens.isEmpty == false else { return nil }
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      processes.byInstance[instance]?.waiters.append(continuation)
      return stream
    }
  }

  private func ends(_ work: AsyncStream<Void>, within limit: Duration, _ process: ExtensionProcess) async -> Bool {
    do {
      try await process.within(limit) {
        for await _ in work {}
      } timeout: {
        ExtensionError(.deadlineExceeded, "The work did not end in time.")
      }
      return true
    } catch {
      return false
    }
  }
}
