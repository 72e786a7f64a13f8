import Contracts
import ExtensionProtocol
import Synchronization

/// The pickers that one process shows.
final class PickerSessions: Sendable {
  private struct Open {
    var picker: PickerSession
    var cancel: AsyncStream<Never>.Continuation?
  }

  private let open = Mutex<[String: Open]>([:])

  func open(_ picker: PickerSession) throws(ExtensionError) {
    let isNew = open.withLock { open in
      guard open[picker.requestID] == nil else { return false }
      open[picker.requestID] = Open(picker: picker)
      return true
    }
    guard isNew else { throw ExtensionError(.invalidParams, "The picker \(picker.requestID) is shown already.") }
  }

  func picker(_ requestID: String) throws(ExtensionError) -> PickerSession {
    guard let picker = open.withLock({ $0[requestID]?.picker }) else {
      throw ExtensionError(.requestUnknown, "There is no picker for the request \(requestID).")
    }
    return picker
  }

  /// Forgets a picker, and cancels what the user chose in it.
  func close(_ requestID: String) { open.withLock { $0.removeValue(forKey: requestID) }?.cancel?.finish() }

  /// Runs an author's code until the picker is withdrawn.
  func run(
    _ picker: PickerSession, _ body: @escaping @concurrent @Sendable () async throws -> PickerGrant?
  ) async throws -> PickerGrant? {
    let (withdrawn, continuation) = AsyncStream<Never>.makeStream()
    let isOpen = open.withLock { open in
      open[picker.requestID]?.cancel = continuation
      return open[picker.requestID] != nil
    }
    // It was withdrawn after the call had found it.
    guard isOpen else { throw CancellationError() }
    return try await withThrowingTaskGroup(of: PickerGrant?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await _ in withdrawn {}
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}
