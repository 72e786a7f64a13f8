import Contracts
package import ExtensionProtocol
package import ExtensionRuntime
import JSONRPC
import Synchronization

/// The requests that a host has begun and this extension has not ended yet.
package final class OpenRequests: Sendable {
  private struct Entry {
    var scope: RequestScope
    var withdraw: (@Sendable () -> Void)?
  }

  private let entries = Mutex<[String: Entry]>([:])
  /// The requests that have ended and whose work continues.
  private let finishing = Mutex<[String: RequestScope]>([:])
  private let stateDidChange: @Sendable (Request.HostStateDidChange.State) async -> Void

  /// - Parameter stateDidChange: called when the state of the host app changes while a request is open.
  package init(stateDidChange: @escaping @Sendable (Request.HostStateDidChange.State) async -> Void = { _ in }) {
    self.stateDidChange = stateDidChange
  }

  /// The handlers of `context/…` that every point with requests serves.
  package var handlers: [SessionHandler] {
    [
      ProvidedItems.handler,
      SessionHandler(Request.Begin.self) { begin, _ in
        try self.begin(begin)
        return Request.Begin.Result()
      },
      SessionHandler(notification: Request.Withdraw.self) { withdrawal, _ in
        let entry = self.entries.withLock { $0.removeValue(forKey: withdrawal.requestID) }
        entry?.withdraw?()
      },
      SessionHandler(notification: Request.HostStateDidChange.self) { change, _ in
        guard self.entries.withLock({ $0[change.requestID] != nil }) else { return }
        await self.stateDidChange(change.state)
      },
      SessionHandler(notification: Request.WillExpire.self) { expiry, _ in
        for scope in self.scopes(of: expiry.requestID) { scope.expire() }
      },
    ]
  }

  private func begin(_ begin: Request.Begin) throws(ExtensionError) {
    let isNew = entries.withLock { entries in
      guard entries[begin.requestID] == nil else { return false }
      entries[begin.requestID] = Entry(scope: RequestScope(begin: begin))
      return true
    }
    guard isNew else {
      throw ExtensionError(.invalidParams, "The request \(begin.requestID) has already begun.")
    }
  }

  private func scopes(of requestID: String?) -> [RequestScope] {
    let open = entries.withLock { $0.filter { requestID == nil || $0.key == requestID }.map(\.value.scope) }
    return open + finishing.withLock { $0.filter { requestID == nil || $0.key == requestID }.map(\.value) }
  }

  /// Returns the input items of an open request.
  package func items(of requestID: String) throws(ExtensionError) -> [ExtensionItem] {
    try scope(of: requestID).begin.inputItems
  }

  /// Returns the scope of an open request.
  package func scope(of requestID: String) throws(ExtensionError) -> RequestScope {
    guard let entry = entries.withLock({ $0[requestID] }) else {
      throw ExtensionError(.requestUnknown, "The request \(requestID) has not begun, or has ended.")
    }
    return entry.scope
  }

  /// Runs an author's code and ends the request with what it returns or throws. When the host withdraws the request, the
  /// code is cancelled and nothing is sent.
  package func run(
    _ requestID: String, on session: ExtensionSession, _ body: @escaping @Sendable () async throws -> [ExtensionItem]
  ) async {
    let (withdrawn, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOpen = entries.withLock { entries in
      entries[requestID]?.withdraw = { continuation.finish() }
      return entries[requestID] != nil
    }
    guard isOpen else { return }
    let outcome = await withTaskGroup(of: Result<[ExtensionItem], any Error>?.self) { group in
      group.addTask {
        do { return .success(try await body()) } catch { return .failure(error) }
      }
      group.addTask {
        for await _ in withdrawn {}
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    guard let entry = entries.withLock({ $0.removeValue(forKey: requestID) }), let outcome else { return }
    finishing.withLock { $0[requestID] = entry.scope }
    await end(requestID, with: outcome, entry.scope, on: session)
    finishing.withLock { _ = $0.removeValue(forKey: requestID) }
  }

  private func end(
    _ requestID: String, with outcome: Result<[ExtensionItem], any Error>, _ scope: RequestScope,
    on session: ExtensionSession
  ) async {
    do {
      switch outcome {
      case .success(let items):
        let hasWork = scope.hasWork
        let answer = try await session.call(
          Request.Complete(requestID: requestID, returningItems: items, completionWork: hasWork ? true : nil))
        guard hasWork else { return }
        await scope.finish()
        if let token = answer.token { _ = try await session.call(Request.EndExpiringActivity(token: token)) }
      case .failure(let error):
        if !(error is Request.Cancel.Failure) { ThrownError.report(error, serving: "the request \(requestID)") }
        _ = try await session.call(Request.Cancel(requestID: requestID, error: Request.Cancel.Failure(error)))
      }
    } catch {
      await session.notify(Log(level: .error, message: "The host did not take the end of the request: \(error)"))
    }
  }
}

extension Request.Cancel.Failure {
  /// Any error as an error domain and a code.
  init(_ error: any Error) {
    switch error {
    case let failure as Request.Cancel.Failure: self = failure
    case is CancellationError: self = .userCancelled
    default:
      let error = ExtensionError(wrapping: error)
      self.init(domain: "ExtensionErrorDomain", code: error.code.number, localizedDescription: error.message)
    }
  }
}
