import EventLoop

/// Calls the action of every member at a fixed interval, from one timer that runs only while there are members. The
/// actor and its members live on its loop.
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

  /// The number of members.
  var count: Int { members.count }

  /// Adds a member; an existing member receives the new action.
  func join(_ member: AnyObject, _ action: @escaping @Sendable () -> Void) {
    members[ObjectIdentifier(member)] = action
    if timer == nil { wait() }
  }

  /// Removes a member; does nothing when the object is not one.
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
    // A member that leaves meanwhile is not called; one that joins is called in the next round.
    for member in Array(members.keys) { members[member]?() }
    if timer == nil, !members.isEmpty { wait() }
  }
}
