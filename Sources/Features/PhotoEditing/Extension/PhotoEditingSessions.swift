import JSON
import Contracts
import ExtensionProtocol
import Synchronization

/// The sessions of one process: at most one is open.
final class PhotoEditingSessions: Sendable {
  private struct Open {
    var session: PhotoEditingSession
    var cancel: (@Sendable () -> Void)?
  }

  private let current = Mutex<Open?>(nil)

  func open(_ session: PhotoEditingSession) throws(ExtensionError) {
    let isFree = current.withLock { current in
      guard current == nil else { return false }
      current = Open(session: session)
      return true
    }
    guard isFree else { throw Self.refusal("sessionBusy", "A photo is being edited already.") }
  }

  func session(_ id: String) throws(ExtensionError) -> PhotoEditingSession {
    guard let session = current.withLock({ $0?.session }), session.id == id else {
      throw Self.refusal("noSession", "There is no session \(id).")
    }
    return session
  }

  /// Closes a session and cancels its finish, when one runs.
  @discardableResult func close(_ id: String) -> PhotoEditingSession? {
    let closed = current.withLock { current -> Open? in
      guard let open = current, open.session.id == id else { return nil }
      current = nil
      return open
    }
    closed?.cancel?()
    return closed?.session
  }

  /// Runs the author's code in a task of its own, so that a cancellation can arrive meanwhile.
  func finish(
    _ session: PhotoEditingSession, _ body: @escaping @concurrent @Sendable () async throws -> PhotoEditingOutput?
  ) async throws -> PhotoEditingOutput? {
    let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
    let isOpen = current.withLock { current in
      guard current?.session.id == session.id else { return false }
      current?.cancel = { continuation.finish() }
      return true
    }
    // It was cancelled after the call had found it.
    guard isOpen else { throw CancellationError() }
    return try await withThrowingTaskGroup(of: PhotoEditingOutput?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        for await _ in cancelled {}
        throw CancellationError()
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private static func refusal(_ reason: String, _ message: String) -> ExtensionError {
    ExtensionError(.editingFailed, message, details: ["reason": .string(reason)])
  }
}
