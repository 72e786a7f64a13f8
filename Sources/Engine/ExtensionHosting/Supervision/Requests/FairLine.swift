import EventLoop

/// Makes tasks wait until they may enter: see ``FairLineStateMachine``. The actor runs on the host's loop.
actor FairLine {
  enum Refusal: Error, Equatable {
    /// So many wait already.
    case full(Int)
    /// The task waited longer than the limit.
    case late(Duration)
    case closed
    case cancelled
  }

  private struct Waiter {
    let continuation: CheckedContinuation<Result<Void, Refusal>, Never>
    let timer: TimerToken
  }

  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let limits: FairLineStateMachine.Limits
  private var machine: FairLineStateMachine
  private var number: UInt64 = 0
  /// The waiting tasks, and those that are about to wait.
  private var waiters: [UInt64: Waiter?] = [:]
  /// The results of tasks that were about to wait when the decision came.
  private var settled: [UInt64: Result<Void, Refusal>] = [:]
  private var isClosed = false

  init(_ limits: FairLineStateMachine.Limits, on loop: EventLoop) {
    self.limits = limits
    self.loop = loop
    machine = FairLineStateMachine(limits)
  }

  /// How many tasks are inside, and how many wait.
  var counts: (inside: Int, waiting: Int) { (machine.inside, machine.waiting) }

  /// Goes in, when there is room; ``leave(_:)`` has to follow.
  func enter(_ kind: String, within limit: Duration) async throws(Refusal) {
    if isClosed { throw .closed }
    number += 1
    let number = number
    switch machine.come(number, kind) {
    case .enters: return
    case .refused: throw .full(limits.waiting)
    case .waits: waiters[number] = .some(nil)
    }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at in here: the loop may have done something else before this closure is called.
        if let known = settled.removeValue(forKey: number) { return continuation.resume(returning: known) }
        let timer = loop.schedule(after: limit) { [weak self] in
          self?.assumeIsolated { $0.giveUp(number, .late(limit)) }
        }
        waiters[number] = Waiter(continuation: continuation, timer: timer)
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.giveUp(number, .cancelled) } }
    }
    try outcome.get()
  }

  /// Leaves, and lets others in.
  func leave(_ kind: String) {
    for number in machine.leave(kind) { settle(number, .success(())) }
  }

  /// Admits no more tasks and refuses the waiting ones.
  func close() {
    isClosed = true
    machine.dismissAll()
    for number in Array(waiters.keys) { settle(number, .failure(.closed)) }
  }

  private func giveUp(_ number: UInt64, _ refusal: Refusal) {
    guard waiters[number] != nil else { return }
    machine.giveUp(number)
    settle(number, .failure(refusal))
  }

  private func settle(_ number: UInt64, _ outcome: Result<Void, Refusal>) {
    guard let entry = waiters.removeValue(forKey: number) else { return }
    guard let waiter = entry else { return settled[number] = outcome }
    loop.cancel(waiter.timer)
    waiter.continuation.resume(returning: outcome)
  }
}
