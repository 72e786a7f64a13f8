import EventLoop

/// The messages of the peer that are being worked on, and the workers that wait for the next one.
///
/// `@unchecked Sendable`, because: it is used on the loop's thread only, which every entrance checks. It is no part of
/// the connection's isolation, as workers are not isolated.
final class WorkBoard: @unchecked Sendable {
  /// Workers that are kept for messages to come.
  private static let maximumIdle = 64

  private let loop: EventLoop
  private var requests: RequestStateMachine<RunningTask>
  private var notifications = 0
  private var idle: [IdleWorker] = []
  private var isClosed = false

  init(on loop: EventLoop, limit: Int) {
    self.loop = loop
    requests = RequestStateMachine(limit: limit)
  }

  @inline(__always)
  private func requireLoop() { precondition(loop.isOnLoop, "a worker ran outside of its loop") }

  // MARK: Messages

  func begin(_ id: RequestID) -> RequestStateMachine<RunningTask>.Begin {
    requireLoop()
    return requests.begin(id)
  }

  /// The task that works on a request; it is cancelled here when the peer has cancelled already.
  func started(_ slot: Int, _ task: RunningTask) {
    requireLoop()
    if requests.started(slot, task) { task.cancel() }
  }

  func cancel(_ id: RequestID) -> RequestStateMachine<RunningTask>.Cancel {
    requireLoop()
    return requests.cancel(id)
  }

  func finished(_ id: RequestID, _ slot: Int) {
    requireLoop()
    requests.finished(id, slot)
  }

  /// - Returns: false when too many notifications are being worked on.
  func beginNotification(limit: Int) -> Bool {
    requireLoop()
    guard notifications < limit else { return false }
    notifications += 1
    return true
  }

  func finishedNotification() {
    requireLoop()
    notifications -= 1
  }

  // MARK: Workers

  /// Gives messages to workers that wait, in order, and forgets them, if there are enough workers.
  func handOut(_ messages: inout [AcceptedMessage]) -> Bool {
    requireLoop()
    guard messages.count <= idle.count else { return false }
    for message in messages { idle.removeLast().resume(message) }
    messages.removeAll(keepingCapacity: true)
    return true
  }

  func rest(_ worker: IdleWorker) {
    requireLoop()
    if isClosed || idle.count >= Self.maximumIdle { return worker.resume(nil) }
    idle.append(worker)
  }

  /// Ends the workers that wait; the others end with the message at hand.
  func dismissWorkers() {
    requireLoop()
    isClosed = true
    for worker in idle { worker.resume(nil) }
    idle.removeAll()
  }
}
