public import Contracts
import ExtensionHosting
public import ExtensionProtocol
import Synchronization

/// An open compose sheet: the host's end of the compose contract for one request. Valid inside
/// `ExtensionProcess.compose(_:requests:service:terms:_:)`.
public final class ShareSheet: Sendable {
  /// The most completions of a text.
  public static let completionLimit = 20

  /// The request that the sheet is open for.
  public let requestID: String
  private let process: ExtensionProcess
  private let requests: RequestService
  private let state = Mutex(State())

  private struct State {
    var machine = ComposeStateMachine()
    /// What became of the wish to post: whatever brought the decision, ``post(deadline:)`` carries it out.
    var decision: ComposeStateMachine.Action?

    mutating func event(_ event: ComposeStateMachine.Event) -> ComposeStateMachine.Action? {
      let action = machine.event(event).first
      switch (event, action) {
      case (_, .post), (_, .refuse): decision = action
      // The extension is asked about a new wish.
      case (.selectPost, .validate): decision = nil
      default: break
      }
      return action
    }
  }

  init(requestID: String, process: ExtensionProcess, requests: RequestService) {
    self.requestID = requestID
    self.process = process
    self.requests = requests
  }

  /// The extension's judgement of the current text; `nil` until it arrives.
  public var contentState: Share.ContentState? { state.withLock { $0.machine.contentState } }

  /// Returns the initial content of the sheet; empty when the extension does not serve the call.
  ///
  /// - Throws: the extension's error; `deadlineExceeded`, `peerExited`.
  public func presentation() async throws(ExtensionError) -> Share.Presentation.Result {
    try await optional(Share.Presentation(requestID: requestID)) ?? Share.Presentation.Result()
  }

  /// Returns the settings besides the text.
  ///
  /// - Throws: the errors of ``presentation()``.
  public func configurationItems() async throws(ExtensionError) -> [Share.ConfigurationItem] {
    try await optional(Share.ConfigurationItems(requestID: requestID))?.items ?? []
  }

  /// The user chose an item, and then a value for it.
  ///
  /// - Parameters:
  ///   - id: the item that was chosen.
  ///   - value: without one, the answer may bring choices for it.
  /// - Returns: the items as they are now.
  /// - Throws: what the extension throws: `invalidParams` for a value that is no choice.
  public func select(_ id: String, value: String? = nil) async throws(ExtensionError) -> [Share.ConfigurationItem] {
    try await process.call(Share.SelectConfigurationItem(requestID: requestID, id: id, value: value)).items
  }

  /// The text is another: the extension is asked whether it takes it.
  ///
  /// - Throws: as ``presentation()``.
  public func setText(_ text: String) async throws(ExtensionError) -> Share.ContentState {
    _ = try await follow(.textChanged(text))
    return contentState ?? Share.ContentState(isValid: true)
  }

  /// Returns completions of the current text, at most ``completionLimit``; none when the extension does not serve the
  /// call.
  ///
  /// - Throws: the errors of ``presentation()``.
  public func completions() async throws(ExtensionError) -> [Share.Completion] {
    let text = state.withLock { $0.machine.contentText }
    let asked = try await optional(Share.Completions(requestID: requestID, contentText: text))
    return Array((asked?.completions ?? []).prefix(Self.completionLimit))
  }

  /// Tells the extension what happens to the host app.
  public func hostStateDidChange(to state: Request.HostStateDidChange.State) async {
    await process.notify(Request.HostStateDidChange(requestID: requestID, state: state))
  }

  /// Posts the text as it stands, and waits for the end of the request.
  ///
  /// - Throws: `contentInvalid` when the extension does not take the text: the sheet stays open, and
  ///   `share/didSelectPost` is not called.
  public func post(deadline: Duration = .seconds(60)) async throws -> RequestService.Outcome {
    var failure: ExtensionError?
    do throws(ExtensionError) { _ = try await follow(.selectPost) } catch { failure = error }
    let decision = state.withLock { state in
      let decision = state.decision
      state.decision = nil
      // The wish ends with the failure: what the extension says later posts nothing.
      if failure != nil, decision == nil { _ = state.event(.textChanged(state.machine.contentText)) }
      return decision
    }
    switch decision {
    case .post(let text):
      _ = try await process.call(Share.DidSelectPost(requestID: requestID, contentText: text), deadline: deadline)
      return try await requests.end(of: requestID, on: process, deadline: deadline)
    case .refuse(let state):
      let over = state.charactersRemaining.map { $0 < 0 ? " It is \(-$0) characters too long." : "" } ?? ""
      throw ExtensionError(.contentInvalid, "\(process.caller.identity.displayName) does not accept this text.\(over)")
    default:
      throw failure ?? ExtensionError(.alreadyCompleted, "The sheet has been posted or cancelled.")
    }
  }

  /// Closes the sheet without posting, and waits for the extension to cancel its request.
  ///
  /// - Returns: how the request ended; an extension that takes its time, or does not serve the call, is not asked.
  /// - Throws: `alreadyCompleted` for a sheet that was posted or cancelled; what the extension throws.
  public func cancel(deadline: Duration = .seconds(5)) async throws -> RequestService.Outcome {
    guard case .cancel = try await follow(.selectCancel) else {
      throw ExtensionError(.alreadyCompleted, "The sheet has been posted or cancelled.")
    }
    do {
      _ = try await process.call(Share.DidSelectCancel(requestID: requestID), deadline: deadline)
      return try await requests.end(of: requestID, on: process, deadline: deadline)
    } catch let error as ExtensionError where [.methodNotFound, .deadlineExceeded].contains(error.code) {
      await process.notify(Request.Withdraw(requestID: requestID, error: .userCancelled))
      return .cancelled(.userCancelled)
    }
  }

  /// `share/setContentState`.
  func set(_ content: Share.ContentState) { state.withLock { _ = $0.event(.stateSet(content)) } }

  func end() { state.withLock { _ = $0.event(.ended) } }

  /// Does what the machine asks for, until there is something that only the caller can do.
  private func follow(_ event: ComposeStateMachine.Event) async throws(ExtensionError) -> ComposeStateMachine.Action? {
    var action = state.withLock { $0.event(event) }
    while case .validate(let text) = action {
      let asked = try await optional(Share.ValidateContent(requestID: requestID, contentText: text))
      let content = asked ?? Share.ContentState(isValid: true)
      action = state.withLock { $0.event(.validated(text, content)) }
    }
    return action
  }

  /// The result of a call that an extension need not serve.
  private func optional<Method: RemoteMethod>(_ method: Method) async throws(ExtensionError) -> Method.Result? {
    do {
      return try await process.call(method)
    } catch {
      guard error.code == .methodNotFound else { throw error }
      return nil
    }
  }

  var key: ShareService.Key { ShareService.Key(instance: process.caller.instance, requestID: requestID) }
}
