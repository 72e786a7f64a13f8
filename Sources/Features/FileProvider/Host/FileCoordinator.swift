import Contracts
import ExtensionHosting
public import ExtensionProtocol
import JSONRPC
import Synchronization

/// The documents of one app while its file provider runs: who uses which, and what the provider does for it. Valid inside
/// ``FileProviderService/withDocuments(of:provider:_:)``.
public final class FileCoordinator: Sendable {
  typealias Machine = FileCoordinatorStateMachine

  /// How long things may take.
  public struct Times: Sendable {
    /// From the last use of a document to `provider/stopProviding`.
    public var idle: Duration
    /// That a claim waits for others.
    public var queue: Duration
    /// That a provider may take to hear of a change, or of the end.
    public var notice: Duration

    /// Makes the times; one that is not given is as long as the default says.
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
    /// Who hears how far a document has come, by path.
    var hearers: [String: [UInt64: @Sendable (CallProgress) -> Void]] = [:]
    /// Ends the provision of a path.
    var cancel: [String: AsyncStream<Never>.Continuation] = [:]
    /// Calls to the provider that are under way.
    var underway = 0
    /// Who waits until there are none.
    var settling: [AsyncStream<Never>.Continuation] = []
    /// What the provider said of changes, by path.
    var failures: [String: ExtensionError] = [:] {
      didSet { hold?.set(failures.reduce(0) { $0 + $1.key.utf8.count + $1.value.weight }) }
    }
    /// Of the failures.
    var hold: LedgerHold?
    var isClosing = false
  }

  /// Which of the service's coordinators this is: part of the tokens that processes get.
  let number: UInt64
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

  /// Waits until a document may be used, and has it provided when that is needed.
  ///
  /// - Parameters:
  ///   - owner: the process that asks; 0 is the host.
  ///   - onProgress: hears how far the provider has come; must not block.
  /// - Returns: a token for ``release(_:changed:)``.
  /// - Throws: the provider's error; `deadlineExceeded` when others use the document for too long; `documentRefused`.
  func claim(
    _ path: String, for intent: FileProvider.Intent, options: FileProvider.Coordinate.Options? = nil,
    purpose: String? = nil, owner: UInt64 = 0, onProgress: (@Sendable (CallProgress) -> Void)? = nil
  ) async throws(ExtensionError) -> UInt64 {
    try DocumentPath.check(path)
    let token = state.withLock { state in
      state.last += 1
      if let onProgress { state.hearers[path, default: [:]][state.last] = onProgress }
      return state.last
    }
    defer { state.withLock { _ = $0.hearers[path]?.removeValue(forKey: token) } }
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

  /// A process is done with a claim of its own; a token of somebody else's means nothing.
  func giveBack(_ token: UInt64, by owner: UInt64) { event(.giveBack(token, owner: owner)) }

  /// The process is gone, and its claims with it.
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

  /// Whoever waited gives up.
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
        // Nobody comes back after the end: there is nothing to wait for.
        case .waitIdle(let path, let pause) where state.isClosing:
          rest += state.machine.event(.idle(path, pause: pause))
        case .grant(let token):
          if let waiter = state.waiters.removeValue(forKey: token) { answers.append((waiter, nil)) }
        case .refuse(let token, let refusal):
          if let waiter = state.waiters.removeValue(forKey: token) { answers.append((waiter, refusal)) }
        case .cancelProviding(let path): state.cancel[path]?.finish()
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

  /// Waits until the provider has heard of everything.
  ///
  /// - Throws: what it said of a change.
  public func settle() async throws(ExtensionError) {
    await untilQuiet()
    let failure = state.withLock { state in
      defer { state.failures = [:] }
      return state.failures.min { $0.key < $1.key }?.value
    }
    if let failure { throw failure }
  }

  /// Takes everything back, and tells the provider that nobody uses its documents.
  func close() async {
    state.withLock { $0.isClosing = true }
    event(.close)
    await untilQuiet()
    act.finish()
  }

  private func untilQuiet() async {
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
        .deadlineExceeded, "“\(path)” was used by somebody else for more than \(times.queue).",
        recovery: "Try again when the other reader or writer is done.")
    case .ownDocument: .document(.ownDocument, "The file provider waits for “\(path)”, which it provides itself.")
    case .tooMany: ExtensionError(.limitExceeded, "At most \(Machine.limit) documents can be used at one time.")
    case .closed: ExtensionError(.shuttingDown, "The documents are closed.")
    }
  }
}
