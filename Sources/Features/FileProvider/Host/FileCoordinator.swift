import Contracts
import ExtensionHosting
public import ExtensionProtocol
import JSONRPC
import Synchronization
import Text

/// Coordinates the use of an app's documents while its file provider runs, and the provider's work for them. Valid
/// inside ``FileProviderService/withDocuments(of:provider:_:)``.
public final class FileCoordinator: Sendable {
  typealias Machine = FileCoordinatorStateMachine

  /// The time limits of a coordinator.
  public struct Times: Sendable {
    /// From the last use of a document to `provider/stopProviding`.
    public var idle: Duration
    /// The longest time that a claim waits for others.
    public var queue: Duration
    /// The time limit of the provider for a notification of a change or of the end.
    public var notice: Duration

    /// Creates time limits with these defaults.
    public init(idle: Duration = .seconds(2), queue: Duration = .seconds(25), notice: Duration = .seconds(30)) {
      self.idle = idle
      self.queue = queue
      self.notice = notice
    }
  }

  struct State {
    var machine: Machine
    var last: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Machine.Refusal?, Never>] = [:]
    /// The progress handlers of waiting claims, by path.
    var hearers: [ExactText: [UInt64: @Sendable (CallProgress) -> Void]] = [:]
    /// Ends the provision of a path.
    var cancel: [ExactText: AsyncStream<Never>.Continuation] = [:]
    /// Calls to the provider that are under way.
    var underway = 0
    /// The callers that wait until no notification is open.
    var settling: [AsyncStream<Never>.Continuation] = []
    /// The provider's errors about changes, by path.
    var failures: [ExactText: ExtensionError] = [:] {
      didSet { hold?.set(failures.reduce(0) { $0 + $1.key.text.utf8.count + $1.value.weight }) }
    }
    /// The memory of the failures.
    var hold: LedgerHold?
    var isClosing = false
  }

  /// The number of this coordinator within the service, which is part of the tokens.
  let number: UInt64
  /// The folder of the documents.
  package let storage: DocumentStorage
  /// The provider's own `purposeIdentifier`.
  public let providerIdentifier: String
  let provider: ExtensionProcess?
  let times: Times
  let clock: any Clock<Duration>
  let state: Mutex<State>
  private let actions: AsyncStream<Machine.Action>
  private let act: AsyncStream<Machine.Action>.Continuation

  init(
    _ number: UInt64, storage: DocumentStorage, providerIdentifier: String, provider: ExtensionProcess?, times: Times,
    clock: any Clock<Duration>
  ) {
    self.number = number
    self.storage = storage
    self.providerIdentifier = providerIdentifier
    self.provider = provider
    self.times = times
    self.clock = clock
    state = Mutex(
      State(
        machine: Machine(providerPurpose: providerIdentifier, providerOwner: provider?.caller.instance),
        hold: provider?.hold()))
    (actions, act) = AsyncStream.makeStream()
  }

  /// Waits until a document may be used, and has it provided if necessary.
  ///
  /// - Parameters:
  ///   - owner: the process that claims the document; 0 is the host.
  ///   - onProgress: called with the provider's progress; must not block.
  /// - Returns: a token for ``release(_:changed:)``.
  /// - Throws: the provider's error; `deadlineExceeded` when others hold the document for too long; `documentRefused`.
  func claim(
    _ path: String, for intent: FileProvider.Intent, options: FileProvider.Coordinate.Options? = nil,
    purpose: String? = nil, owner: UInt64 = 0, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> UInt64 {
    try DocumentPath.check(path)
    let token = state.withLock { state in
      state.last += 1
      if let onProgress { state.hearers[ExactText(path), default: [:]][state.last] = onProgress }
      return state.last
    }
    defer {
      state.withLock { state in
        state.hearers[ExactText(path)]?[token] = nil
        if state.hearers[ExactText(path)]?.isEmpty == true { state.hearers[ExactText(path)] = nil }
      }
    }
    let claim = Machine.Claim(
      token: token, path: path, intent: intent, metadataOnly: options?.metadataOnly ?? false,
      replacing: options?.replacing ?? false, purpose: purpose, owner: owner)
    let refusal = await wait(for: claim)
    if Task.isCancelled {
      if refusal == nil { release(token, changed: false) }
      throw ExtensionError(.cancelled, "Waiting for “\(path)” was cancelled.")
    }
    if let refusal { throw error(refusal, path) }
    return token
  }

  /// The claim's holder is done.
  ///
  /// - Parameter changed: whether it changed the document; only for one that might.
  func release(_ token: UInt64, changed: Bool = true) { event(.release(token, changed: changed)) }

  /// Releases a process's own claim; a token of another process is ignored.
  func giveBack(_ token: UInt64, by owner: UInt64) { event(.giveBack(token, owner: owner)) }

  /// Releases the claims of a process that has exited.
  func ownerDidExit(_ owner: UInt64) { event(.ownerExited(owner)) }

  private func wait(for claim: Machine.Claim) async -> Machine.Refusal? {
    await withTaskGroup(of: Machine.Refusal??.self) { group in
      group.addTask { await self.answer(to: claim) }
      group.addTask { [clock, times] in
        do { try await clock.sleep(for: times.queue) } catch { return nil }
        self.event(.expired(claim.token))
        return nil
      }
      defer { group.cancelAll() }
      for await answer in group {
        if let answer { return answer }
      }
      return .closed
    }
  }

  private func answer(to claim: Machine.Claim) async -> Machine.Refusal? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiters[claim.token] = continuation }
        event(.claim(claim))
        if Task.isCancelled { withdraw(claim.token) }
      }
    } onCancel: {
      withdraw(claim.token)
    }
  }

  /// Withdraws a waiting claim.
  private func withdraw(_ token: UInt64) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: token) }
    guard let waiter else { return }
    event(.release(token, changed: false))
    waiter.resume(returning: .closed)
  }

  func event(_ event: Machine.Event) {
    let answers = state.withLock { state -> [(CheckedContinuation<Machine.Refusal?, Never>, Machine.Refusal?)] in
      var answers: [(CheckedContinuation<Machine.Refusal?, Never>, Machine.Refusal?)] = []
      var rest = state.machine.event(event)[...]
      while let action = rest.popFirst() {
        switch action {
        // After the end no claim can come, so there is no pause to wait for.
        case .waitIdle(let path, let pause) where state.isClosing:
          rest += state.machine.event(.idle(path, pause: pause))
        case .grant(let token):
          if let waiter = state.waiters.removeValue(forKey: token) { answers.append((waiter, nil)) }
        case .refuse(let token, let refusal):
          if let waiter = state.waiters.removeValue(forKey: token) { answers.append((waiter, refusal)) }
        case .cancelProviding(let path): state.cancel[ExactText(path)]?.finish()
        default:
          if case .waitIdle = action {} else { state.underway += 1 }
          act.yield(action)
        }
      }
      return answers
    }
    for (waiter, refusal) in answers { waiter.resume(returning: refusal) }
  }

  /// Does what the machine asks for, until ``close()``.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await action in actions { group.addTask { await self.perform(action) } }
      group.cancelAll()
    }
  }

  /// Waits until the provider has answered all notifications.
  ///
  /// - Throws: the provider's error about a change.
  public func settle() async throws(ExtensionError) {
    await untilQuiet()
    let failure = state.withLock { state in
      defer { state.failures = [:] }
      return state.failures.min { $0.key < $1.key }?.value
    }
    if let failure { throw failure }
  }

  /// Withdraws all claims, and tells the provider that its documents are no longer used.
  func close() async {
    state.withLock { $0.isClosing = true }
    event(.close)
    await untilQuiet()
    act.finish()
  }

  func untilQuiet() async {
    let (quiet, continuation) = AsyncStream<Never>.makeStream()
    let isQuiet = state.withLock { state in
      if state.underway > 0 { state.settling.append(continuation) }
      return state.underway == 0
    }
    if !isQuiet { for await _ in quiet {} }
  }

  private func error(_ refusal: Machine.Refusal, _ path: String) -> ExtensionError {
    switch refusal {
    case .provider(let error): error
    case .expired:
      ExtensionError(
        .deadlineExceeded, "“\(path)” was used by another program for more than \(times.queue).",
        recovery: "Try again when the other reader or writer is done.")
    case .ownDocument: .document(.ownDocument, "The file provider waits for “\(path)”, which it provides itself.")
    case .tooMany: ExtensionError(.limitExceeded, "At most \(Machine.limit) documents can be used at one time.")
    case .closed: ExtensionError(.shuttingDown, "The documents are closed.")
    }
  }
}
