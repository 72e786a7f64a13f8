public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization
import Text

/// `context/…`: takes the one end of each request that the host began.
public final class RequestService: HostService {
  /// The methods that are served, those under `context/`.
  public typealias Contract = Request

  /// How a request ended.
  public enum Outcome: Sendable, Equatable {
    /// The extension completed the request with these items, without attachments that are not visible to the host app.
    case completed([ExtensionItem])
    /// The extension cancelled the request.
    case cancelled(Request.Cancel.Failure)
  }

  private struct Key: Hashable {
    var instance: UInt64
    var requestID: String
  }

  private enum State {
    case open
    case waiting(CheckedContinuation<Result<Outcome, ExtensionError>, Never>)
    case ended(Result<Outcome, ExtensionError>, callerIsGone: Bool)
    /// The extension ended the request and the host has finished with it. A second end differs from the end of an
    /// unknown request.
    case closed
  }

  /// A host's description of itself at the beginning of a request.
  public struct Terms: Sendable {
    /// The host app; `nil` for no description.
    public var host: Request.HostApp?
    /// Where the extension can show something; `nil` says nothing of it.
    public var presentation: Request.Presentation?

    /// Creates the terms; without any, the extension is told nothing of the host.
    public init(host: Request.HostApp? = nil, presentation: Request.Presentation? = nil) {
      self.host = host
      self.presentation = presentation
    }
  }

  /// The input of an open request.
  private struct Given {
    /// The host app, where it named itself.
    var hostApp: String?
    /// The attachments that show themselves to the extension, by `itemID`.
    var attachments: Set<ExactText>
  }

  /// The memory of the results that the extension returned, until the host has used them.
  private let holds = Mutex<[Key: LedgerHold]>([:])

  private let requests = Mutex<[Key: State]>([:])
  private let given = Mutex<[Key: Given]>([:])
  private let log: any LogSink
  let activities: ExpiringActivities

  /// - Parameters:
  ///   - log: receives a warning for each request that an extension ends twice.
  ///   - grace: how long the host waits for announced work after the end of a request.
  public init(log: any LogSink = NoLog(), grace: Duration = .seconds(5)) {
    self.log = log
    activities = ExpiringActivities(grace: ExpiringActivities.Grace(work: grace))
  }

  /// Answers the methods under `context/`, for requests that the caller was given.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Request.Complete.self) { params, caller in try self.complete(params, for: caller) }
    Handler(Request.BeginExpiringActivity.self) { _, caller in
      Request.BeginExpiringActivity.Result(
        token: try self.activities.begin(for: caller), expiresInMs: self.activities.expiresInMs)
    }
    Handler(Request.EndExpiringActivity.self) { params, caller in
      try self.activities.end(params.token, of: caller)
      return Empty()
    }
    Handler(Request.Cancel.self) { params, caller in
      if params.error.isUnexpected {
        await caller.process.threw(
          params.error.localizedDescription ?? "It says no more.", serving: "the request \(params.requestID)")
      }
      try self.end(params.requestID, of: caller, with: .cancelled(params.error))
      return Empty()
    }
  }

  /// Whether a request is still open: calls that act for the user need one.
  public func isOpen(_ requestID: String, of caller: Caller) -> Bool {
    requests.withLock { requests in
      switch requests[Key(instance: caller.instance, requestID: requestID)] {
      case .open, .waiting: true
      case .ended, .closed, nil: false
      }
    }
  }

  /// Whether an open request was begun with an attachment, and the attachment shows itself to the extension. A name that
  /// two attachments share stands for neither when one of them is hidden.
  func shows(_ itemID: String, in requestID: String, to caller: Caller) -> Bool {
    let key = Key(instance: caller.instance, requestID: requestID)
    return given.withLock { $0[key]?.attachments.contains(ExactText(itemID)) ?? false }
  }

  /// Opens a request, runs the body, and closes it: a call of the extension that names the request is valid meanwhile.
  /// When the body throws, the request is withdrawn from the extension; else work that the extension announced to do
  /// afterwards is waited for.
  public func withRequest<Result>(
    of process: ExtensionProcess, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let requestID = RequestIDs.next()
    let key = Key(instance: process.caller.instance, requestID: requestID)
    requests.withLock { $0[key] = .open }
    holds.withLock { $0[key] = process.hold() }
    process.beginRequest(requestID)
    defer {
      requests.withLock { $0[key] = Self.closed($0[key]) }
      given.withLock { _ = $0.removeValue(forKey: key) }
      holds.withLock { _ = $0.removeValue(forKey: key) }
      process.endRequest(requestID)
    }
    do {
      let result = try await MessageMeta.withRequest(requestID) { try await body(requestID) }
      await activities.settle(process)
      return result
    } catch {
      let reason = Request.Cancel.Failure(withdrawing: ExtensionError(wrapping: error))
      await process.notify(Request.Withdraw(requestID: requestID, error: reason))
      throw (error as? ExtensionError)?.asInterruption ?? error
    }
  }

  /// Returns what remains of a request: nothing, unless the extension ended it and may try to end it again.
  private static func closed(_ state: State?) -> State? {
    if case .ended(.success, callerIsGone: false) = state { .closed } else { nil }
  }

  /// Hands the items of a request over, without the attachments that do not show themselves to the extension.
  ///
  /// - Returns: the items that were handed over.
  /// - Throws: `handlerFailed` when the extension does not accept them; else what the call throws.
  @discardableResult
  public func begin(
    _ requestID: String, with items: [ExtensionItem], on process: ExtensionProcess, terms: Terms = Terms()
  ) async throws -> [ExtensionItem] {
    let identity = process.caller.identity
    let hostApp = terms.host?.bundleID
    var hidden: Set<ExactText> = []
    let visible = items.visible(from: hostApp, to: identity.containingApp) { hidden.insert(ExactText($0.itemID)) }
    let attachments = Set(visible.flatMap(\.attachments).map { ExactText($0.itemID) }).subtracting(hidden)
    given.withLock {
      let key = Key(instance: process.caller.instance, requestID: requestID)
      $0[key] = Given(hostApp: hostApp, attachments: attachments)
    }
    let answer = try await process.call(
      Request.Begin(
        requestID: requestID, point: identity.point, inputItems: visible, host: terms.host,
        presentation: terms.presentation))
    guard answer.accepted else {
      throw ExtensionError(
        .handlerFailed, "\(identity.displayName) did not accept the request.", recovery: "Pass something else.")
    }
    return visible
  }

  /// Waits for the end of a request that was opened with ``withRequest(of:_:)``.
  ///
  /// - Throws: `deadlineExceeded`, or `peerExited` when the process ends first.
  public func end(of requestID: String, on process: ExtensionProcess, deadline: Duration) async throws -> Outcome {
    let key = Key(instance: process.caller.instance, requestID: requestID)
    let result = try await process.within(deadline) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { self.wait(for: key, $0) }
      } onCancel: {
        self.fail(key, ExtensionError(.cancelled, "The request was cancelled."))
      }
    } timeout: {
      ExtensionError(
        .deadlineExceeded, "\(process.caller.identity.displayName) did not end the request within \(deadline).")
    }
    switch result {
    case .success(let outcome): return outcome
    case .failure(let error) where error.code == .peerExited:
      throw await process.exit(before: "it ended the request")
    case .failure(let error): throw error
    }
  }

  /// Ends the requests of the process with `peerExited`, and forgets its activities.
  public func callerDidExit(_ caller: Caller) async {
    let keys = requests.withLock { requests in
      requests = requests.filter { key, state in
        if case .closed = state { key.instance != caller.instance } else { true }
      }
      return requests.keys.filter { $0.instance == caller.instance }
    }
    activities.forget(caller.instance)
    let error = ExtensionError(.peerExited, "\(caller.identity.displayName) ended before it completed the request.")
    for key in keys { fail(key, error, callerIsGone: true) }
  }

  private func wait(for key: Key, _ continuation: CheckedContinuation<Result<Outcome, ExtensionError>, Never>) {
    let ended: Result<Outcome, ExtensionError>? = requests.withLock { requests in
      switch requests[key] {
      case .open:
        requests[key] = .waiting(continuation)
        return nil
      case .ended(let result, _): return result
      case .waiting, .closed, nil:
        return .failure(ExtensionError(.requestUnknown, "The request \(key.requestID) is not open."))
      }
    }
    if let ended { continuation.resume(returning: ended) }
  }

  /// Marks the request as completed before it notifies observers, so that work the extension announced is not lost.
  private func complete(_ params: Request.Complete, for caller: Caller) throws(ExtensionError)
    -> Request.Complete.Result
  {
    let token = params.completionWork == true ? try activities.begin(for: caller) : nil
    do {
      let items = visible(params.returningItems ?? [], of: params.requestID, from: caller)
      try end(params.requestID, of: caller, with: .completed(items))
    } catch {
      if let token { try? activities.end(token, of: caller) }
      throw error
    }
    return Request.Complete.Result(token: token, expiresInMs: token.map { _ in activities.expiresInMs })
  }

  /// Returns an extension's items without the attachments that are not visible to the host.
  private func visible(_ items: [ExtensionItem], of requestID: String, from caller: Caller) -> [ExtensionItem] {
    let hostApp = given.withLock { $0[Key(instance: caller.instance, requestID: requestID)]?.hostApp }
    return items.visible(from: caller.identity.containingApp, to: hostApp) { attachment in
      log.log(
        .notice, "an attachment was left out that does not show itself to the host app",
        metadata: [
          "extension.id": .string(caller.identity.id), "request.id": .string(requestID),
          "item.id": .string(attachment.itemID),
        ])
    }
  }

  private func end(_ requestID: String, of caller: Caller, with outcome: Outcome) throws(ExtensionError) {
    let key = Key(instance: caller.instance, requestID: requestID)
    let (waiter, refusal): (CheckedContinuation<Result<Outcome, ExtensionError>, Never>?, ExtensionError?) =
      requests.withLock { requests in
        switch requests[key] {
        case .open:
          requests[key] = .ended(.success(outcome), callerIsGone: false)
          return (nil, nil)
        case .waiting(let continuation):
          requests[key] = .ended(.success(outcome), callerIsGone: false)
          return (continuation, nil)
        case .ended, .closed:
          return (nil, ExtensionError(.alreadyCompleted, "The request \(requestID) has already ended."))
        case nil:
          return (nil, ExtensionError(.requestUnknown, "There is no request \(requestID) of this extension."))
        }
      }
    if let refusal {
      log.log(
        .warning, "a request was ended that is not open",
        metadata: [
          "extension.id": .string(caller.identity.id), "request.id": .string(requestID),
          "why": .string(refusal.code.name),
        ])
      throw refusal
    }
    waiter?.resume(returning: .success(outcome))
    try keep(outcome, on: holds.withLock { $0[key] })
  }

  private func keep(_ outcome: Outcome, on hold: LedgerHold?) throws(ExtensionError) {
    switch outcome {
    case .completed(let items): try hold?.keep(items)
    case .cancelled(let failure): try hold?.keep(failure)
    }
  }

  /// Ends a request that has not ended yet.
  private func fail(_ key: Key, _ error: ExtensionError, callerIsGone: Bool = false) {
    let waiter: CheckedContinuation<Result<Outcome, ExtensionError>, Never>? = requests.withLock { requests in
      switch requests[key] {
      case .waiting(let continuation):
        requests[key] = .ended(.failure(error), callerIsGone: callerIsGone)
        return continuation
      case .open:
        requests[key] = .ended(.failure(error), callerIsGone: callerIsGone)
        return nil
      case .ended(let result, let wasGone):
        requests[key] = .ended(result, callerIsGone: callerIsGone || wasGone)
        return nil
      case .closed, nil:
        return nil
      }
    }
    waiter?.resume(returning: .failure(error))
  }
}

/// Identifiers of user requests, unique within this process.
enum RequestIDs {
  private static let counter = Atomic<UInt64>(0)

  static func next() -> String { "r\(counter.add(1, ordering: .relaxed).newValue)" }
}
