public import Contracts
public import ExtensionProtocol
import ExtensionRuntime

/// Transfers that continue after this process has exited (`URLSession` with `URLSessionConfiguration.background`).
///
/// ```swift
/// let session = try await context.backgroundSession("com.example.photos.upload", sharedContainer: "group.com.example.photos")
/// try await session.upload("https://example.com/photos/1", file: path)
/// ```
///
/// The owner of the session receives the results by ``events``. When no process owns the session, the host starts the
/// containing app for them: see ``ContainingApp/handleEvents(forBackgroundSession:in:)``.
public struct BackgroundSession: Sendable {
  /// The identifier that the creator chose.
  public let identifier: String
  /// Grows whenever another process takes the session up; calls with an older one are refused as `wasDisconnected`.
  public let epoch: Int64
  /// The tasks when the session was taken up; see ``currentTasks()``.
  public let tasks: [Sessions.TaskStatus]
  private let queue: EventQueue
  private let context: ExtensionContext

  init(
    _ identifier: String, epoch: Int64, tasks: [Sessions.TaskStatus], _ queue: EventQueue, _ context: ExtensionContext
  ) {
    self.identifier = identifier
    self.epoch = epoch
    self.tasks = tasks
    self.queue = queue
    self.context = context
  }

  /// Downloads a file into the shared container. The task is stored when this returns; the file appears there
  /// completely or not at all.
  ///
  /// - Parameters:
  ///   - request: the request to the server.
  ///   - destination: the path in the shared container.
  ///   - sha256: the expected digest in hexadecimal; a file with another one fails the task.
  /// - Returns: the task's identifier.
  /// - Throws: `permissionDenied` for a server that the manifest does not name, `limitExceeded`, `framework` with
  ///   `wasDisconnected`, `invalidParams` for a destination outside of the container.
  @discardableResult
  public func download(
    _ request: Sessions.Request, to destination: String, sha256: String? = nil
  ) async throws(ExtensionError) -> Int64 {
    let method = Sessions.DownloadTask(
      sessionID: identifier, epoch: epoch, request: request, destination: destination, sha256: sha256)
    return try await context.call(method).taskID
  }

  /// Downloads what `GET` gives into the shared container, as ``download(_:to:sha256:)``.
  @discardableResult
  public func download(
    _ url: String, to destination: String, sha256: String? = nil
  ) async throws(ExtensionError) -> Int64 {
    try await download(Sessions.Request(url: url), to: destination, sha256: sha256)
  }

  /// Uploads a file in its current state. The task and a copy of the file are stored when this returns.
  ///
  /// - Parameters:
  ///   - request: the request to the server; `PUT` by default.
  ///   - file: the absolute path in the shared container or the scratch directory, or the path relative to the latter.
  ///   - sha256: the expected digest in hexadecimal; a file with another one is refused.
  /// - Returns: the task's identifier.
  /// - Throws: the errors of ``download(_:to:sha256:)``.
  @discardableResult
  public func upload(
    _ request: Sessions.Request, file: String, sha256: String? = nil
  ) async throws(ExtensionError) -> Int64 {
    let method = Sessions.UploadTask(
      sessionID: identifier, epoch: epoch, request: request, file: file, sha256: sha256)
    // The host copies the file before it answers.
    return try await context.call(method, deadline: Sessions.UploadTask.serviceDeadline).taskID
  }

  /// Puts a file to a URL, as ``upload(_:file:sha256:)``.
  @discardableResult
  public func upload(_ url: String, file: String, sha256: String? = nil) async throws(ExtensionError) -> Int64 {
    try await upload(Sessions.Request(url: url), file: file, sha256: sha256)
  }

  /// Returns the tasks that have not ended, and those with unhandled events.
  ///
  /// - Throws: `framework` with `wasDisconnected`.
  public func currentTasks() async throws(ExtensionError) -> [Sessions.TaskStatus] {
    try await context.call(Sessions.Tasks(sessionID: identifier, epoch: epoch)).tasks
  }

  /// Ends a task, which completes with the error `cancelled`.
  ///
  /// - Throws: `framework` with `wasDisconnected`, `invalidParams` when the session has no such task.
  public func cancel(_ taskID: Int64) async throws(ExtensionError) {
    _ = try await context.call(Sessions.CancelTask(sessionID: identifier, epoch: epoch, taskID: taskID))
  }

  /// Takes no more tasks, and lets go of the session with the last event of those it has.
  ///
  /// - Throws: `framework` with `wasDisconnected`.
  public func finishAndInvalidate() async throws(ExtensionError) {
    _ = try await context.call(Sessions.FinishAndInvalidate(sessionID: identifier, epoch: epoch))
  }

  /// Ends all tasks, and lets go of the session with the last event of them.
  ///
  /// - Throws: `framework` with `wasDisconnected`.
  public func invalidateAndCancel() async throws(ExtensionError) {
    _ = try await context.call(Sessions.InvalidateAndCancel(sessionID: identifier, epoch: epoch))
  }

  /// The events of the tasks, in order, for one reader. When the reader asks for the next event, the previous one is
  /// handled and is not delivered again.
  public var events: BackgroundSessionEvents { BackgroundSessionEvents(queue: queue) }
}

/// The events of a ``BackgroundSession``. In a containing app that was started for them it ends behind the last one, else
/// with the task that reads it.
public struct BackgroundSessionEvents: AsyncSequence, Sendable {
  /// Something that happened to a task.
  public typealias Element = Sessions.Event
  let queue: EventQueue

  /// Call it once: several iterators would share the events.
  public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

  /// Returns one event after another.
  public struct Iterator: AsyncIteratorProtocol {
    let queue: EventQueue

    /// The next event; the one before is handled by that.
    ///
    /// - Throws: `cancelled` when the task is.
    public func next() async throws(ExtensionError) -> Sessions.Event? { try await queue.next() }
  }
}

extension ExtensionContext {
  /// Makes a background session, or takes up the one that a process of this extension made before, with its tasks.
  ///
  /// - Parameters:
  ///   - identifier: of this extension alone, among those of its containing app.
  ///   - group: an app group of both manifests, in whose container downloads arrive.
  ///   - configuration: for tasks that are added from now on.
  /// - Throws: `framework` with `inUseByAnotherProcess` while another process has it, or with `requiresSharedContainer`;
  ///   `permissionDenied` without the permission `network`; `groupNotEntitled`.
  public func backgroundSession(
    _ identifier: String, sharedContainer group: String, configuration: Sessions.Configuration? = nil
  ) async throws(ExtensionError) -> BackgroundSession {
    let owned = session.features.feature(OwnedSessions.self)
    let isNew = !owned.has(identifier)
    let queue = owned.queue(of: identifier)
    do throws(ExtensionError) {
      let answer = try await call(
        Sessions.Create(
          sessionID: identifier, sharedContainerIdentifier: group, configuration: configuration))
      return BackgroundSession(identifier, epoch: answer.epoch, tasks: answer.tasks, queue, self)
    } catch {
      if isNew { owned.forget(identifier) }
      throw error
    }
  }
}
