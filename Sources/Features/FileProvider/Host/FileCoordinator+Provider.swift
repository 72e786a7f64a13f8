import Contracts
import ExtensionHosting
import ExtensionProtocol
import JSONRPC
import Synchronization
import Text

/// Performs the actions of the state machine: the calls to the provider, and the checks of their results.
extension FileCoordinator {
  func perform(_ action: Machine.Action) async {
    switch action {
    case .providePlaceholder(let path):
      do {
        try await providePlaceholder(path)
        event(.placeholderProvided(path))
      } catch {
        event(.placeholderFailed(path, ExtensionError(wrapping: error)))
      }
    case .startProviding(let path):
      do {
        try await startProviding(path)
        event(.provided(path))
      } catch {
        event(.providingFailed(path, ExtensionError(wrapping: error)))
      }
    case .itemChanged(let path, let purpose):
      await tell(path) { provider throws(ExtensionError) in
        _ = try await provider.call(
          FileProvider.ItemChanged(path: path, purposeIdentifier: purpose, documentStorage: self.storage.reference),
          deadline: self.times.notice)
      }
      event(.changeDelivered(path))
    case .stopProviding(let path):
      await tell(nil) { provider throws(ExtensionError) in
        _ = try await provider.call(
          FileProvider.StopProviding(path: path, documentStorage: self.storage.reference), deadline: self.times.notice)
        if !self.storage.hasPlaceholder(of: path) { try await self.providePlaceholder(path) }
      }
      event(.stopped(path))
    case .waitIdle(let path, let pause):
      do { try await clock.sleep(for: times.idle) } catch { return }
      event(.idle(path, pause: pause))
      return
    case .grant, .refuse, .cancelProviding: return
    }
    ended()
  }

  /// Ends a call.
  private func ended() {
    let settling = state.withLock { state in
      state.underway -= 1
      guard state.underway == 0 else { return [AsyncStream<Never>.Continuation]() }
      defer { state.settling = [] }
      return state.settling
    }
    for waiter in settling { waiter.finish() }
  }

  private func tell(_ path: String?, _ body: (ExtensionProcess) async throws(ExtensionError) -> Void) async {
    guard let provider else { return }
    do {
      try await body(provider)
      if let path { state.withLock { _ = $0.failures.removeValue(forKey: ExactText(path)) } }
    } catch {
      if let path { state.withLock { $0.failures[ExactText(path)] = error } }
    }
  }

  private func running() throws(ExtensionError) -> ExtensionProcess {
    if let provider { return provider }
    throw .fileProvider(.providerNotFound, "The app \(providerIdentifier) has no file provider that runs.")
  }

  /// Has the provider write the placeholder, unless it exists.
  func providePlaceholder(_ path: String) async throws(ExtensionError) {
    if storage.hasPlaceholder(of: path) { return }
    _ = try await running().call(FileProvider.ProvidePlaceholder(path: path, documentStorage: storage.reference))
    guard storage.hasPlaceholder(of: path) else {
      throw .document(.placeholderWritten, "The file provider wrote no placeholder for “\(path)”.")
    }
  }

  /// Has the content provided, until no claim needs it any longer.
  private func startProviding(_ path: String) async throws {
    let provider = try running()
    let (cancelled, continuation) = AsyncStream<Never>.makeStream()
    state.withLock { $0.cancel[ExactText(path)] = continuation }
    defer { state.withLock { _ = $0.cancel.removeValue(forKey: ExactText(path)) } }
    // What was cancelled before it began.
    if state.withLock({ $0.machine.isCancelling(path) }) { continuation.finish() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await self.providePlaceholder(path)
        _ = try await provider.call(
          FileProvider.StartProviding(path: path, documentStorage: self.storage.reference)
        ) { progress in
          for hear in self.state.withLock({ Array($0.hearers[ExactText(path), default: [:]].values) }) {
            hear(progress)
          }
        }
      }
      group.addTask {
        for await _ in cancelled {}
        throw CancellationError()
      }
      defer { group.cancelAll() }
      try await group.next()
    }
    guard case .content = try storage.presence(of: path) else {
      throw ExtensionError.document(.contentProvided, "The file provider did not put “\(path)” into the storage.")
    }
  }
}
