import EventLoop

/// Comes by at everything that takes part, one after the other, at a fixed pace: one timer for all of them, which is set
/// only while somebody takes part. Lives on its loop; so does who takes part.
actor Round {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let pace: Duration
  private var members: [ObjectIdentifier: @Sendable () -> Void] = [:]
  private var timer: TimerToken?

  init(every pace: Duration, on loop: EventLoop) {
    self.pace = pace
    self.loop = loop
  }

  /// How many take part.
  var count: Int { members.count }

  /// Takes part from now on; who does so already has the new action.
  func join(_ member: AnyObject, _ action: @escaping @Sendable () -> Void) {
    members[ObjectIdentifier(member)] = action
    if timer == nil { wait() }
  }

  /// Takes part no more; who does not is no error.
  func leave(_ member: AnyObject) {
    members[ObjectIdentifier(member)] = nil
    guard members.isEmpty, let timer else { return }
    loop.cancel(timer)
    self.timer = nil
  }

  private func wait() {
    timer = loop.schedule(after: pace) { [weak self] in self?.assumeIsolated { $0.comeBy() } }
  }

  private func comeBy() {
    timer = nil
    // Who leaves meanwhile is not called any more; who joins is in the next round.
    for member in Array(members.keys) { members[member]?() }
    if timer == nil, !members.isEmpty { wait() }
  }
}
