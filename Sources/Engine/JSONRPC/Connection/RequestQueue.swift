import EventLoop

/// The messages of the peer that wait for a worker or are being handled, and the idle workers.
///
/// `@unchecked Sendable`, because: it is used on the loop's thread only, which every method checks. It is not isolated
/// to the connection, as workers are not.
final class RequestQueue: @unchecked Sendable {
  /// Workers that are kept for messages to come.
  private static let maximumIdle = 64
  /// The number of message slots whose memory is kept for reuse.
  private static let keptPlaces = 1024

  private let loop: EventLoop
  private var requests: RequestStateMachine<RunningTask>
  private var notifications = 0
  /// The tasks that fill streams, by the stream.
  private var fillings: [String: RunningTask] = [:]
  /// Accepted and not taken: from `taken` on.
  private var accepted: [AcceptedMessage?] = []
  private var taken = 0
  private var idle: [IdleWorker] = []
  private var isClosed = false
  /// What the messages take that are not done.
  private var account: LedgerAccount

  init(on loop: EventLoop, limit: Int, ledger: PeerLedger) {
    self.loop = loop
    account = LedgerAccount(ledger)
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

  /// A request is done that was added.
  func finished(_ id: RequestID, _ message: AcceptedMessage) {
    requireLoop()
    requests.finished(id, message.slot)
    account.remove(message.weight)
  }

  /// A request was refused after it had begun.
  func drop(_ id: RequestID, _ slot: Int) {
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

  func finishedNotification(_ message: AcceptedMessage) {
    requireLoop()
    notifications -= 1
    account.remove(message.weight)
  }

  // MARK: Streams that answer

  /// Registers the task that fills a stream. The task is cancelled here when the receiver has dropped the stream.
  func fills(_ stream: String, _ task: RunningTask, isOver: Bool) {
    requireLoop()
    if isOver { return task.cancel() }
    fillings[stream] = task
  }

  func cancelFilling(of stream: String) {
    requireLoop()
    fillings[stream]?.cancel()
  }

  func filled(_ stream: String) {
    requireLoop()
    fillings[stream] = nil
  }

  // MARK: Workers

  /// Messages that no worker has taken.
  var waiting: Int {
    requireLoop()
    return accepted.count - taken
  }

  func add(_ message: AcceptedMessage) {
    requireLoop()
    accepted.append(message)
    account.add(message.weight)
  }

  /// The message that has waited longest.
  func take() -> AcceptedMessage? {
    requireLoop()
    guard taken < accepted.count else { return nil }
    let message = accepted[taken]
    accepted[taken] = nil
    taken += 1
    if taken == accepted.count {
      if taken <= Self.keptPlaces { accepted.clear() } else { accepted.removeAll() }
      taken = 0
    }
    return message
  }

  /// - Returns: false when none is idle.
  func wakeWorker() -> Bool {
    requireLoop()
    guard let worker = idle.popLast() else { return false }
    worker.resume(true)
    return true
  }

  func addIdle(_ worker: IdleWorker) {
    requireLoop()
    if isClosed || idle.count >= Self.maximumIdle { return worker.resume(false) }
    idle.append(worker)
  }

  /// Ends the idle workers; the others end with the message at hand.
  func dismissWorkers() {
    requireLoop()
    isClosed = true
    for worker in idle { worker.resume(false) }
    idle.removeAll()
  }

  /// Discards the waiting messages when the connection has ended and no worker is left.
  func close() {
    requireLoop()
    accepted.removeAll()
    taken = 0
    account.close()
  }
}
