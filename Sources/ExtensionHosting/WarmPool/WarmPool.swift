import EventLoop
import ExtensionProtocol

/// The processes that are started ahead: launched, confined, the handshake done, and waiting for a user.
///
/// Each runs in a scope of its own, a child of the host's `run()`, whose body is parked here until the process is used up
/// or ends.
actor WarmPool {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// A process that is there.
  struct Kept: Sendable {
    let life: UInt64
    let process: ExtensionProcess
    let target: LaunchTarget
    let stamp: TargetStamp
    let supervisor: ExtensionSupervisor
    let rule: ExtensionPointDefinition.Reuse
  }

  private final class Entry {
    let kept: Kept
    /// A request has it.
    var isTaken = false
    /// The process ends or has ended: nobody gets it any more.
    var isOver = false
    /// Another version was tried and failed, while its files were these.
    var refused: TargetStamp?
    var parked: CheckedContinuation<Void, Never>?
    var used: UInt64

    init(_ kept: Kept, used: UInt64) {
      self.kept = kept
      self.used = used
    }
  }

  let capacity: Int
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var waiters: [ObjectIdentifier: [CheckedContinuation<Void, Never>]] = [:]
  private var orders: AsyncStream<WarmOrder>.Continuation?
  private var uses: UInt64 = 0

  init(capacity: Int, loop: EventLoop) {
    self.capacity = capacity
    self.loop = loop
  }

  /// Carries orders out until the task is cancelled; then everything that is kept has ended.
  func run(_ start: @escaping @Sendable (WarmOrder) async -> Void) async {
    let (stream, continuation) = AsyncStream.makeStream(of: WarmOrder.self)
    orders = continuation
    await withDiscardingTaskGroup { group in
      for await order in stream {
        group.addTask(executorPreference: loop) {
          await start(order)
          order.finish(throwing: ExtensionError(.shuttingDown, "The host ended."))
        }
      }
      orders = nil
      for key in entries.keys { unpark(key) }
      group.cancelAll()
    }
  }

  var isRunning: Bool { orders != nil }
  var freeCount: Int { entries.values.count { !$0.isOver && !$0.isTaken } }
  var count: Int { entries.values.count { !$0.isOver } }

  /// Orders a process and waits until it is ready.
  ///
  /// - Parameter version: the version that goes on when this one fails.
  /// - Throws: `shuttingDown` when nobody runs the host, `limitExceeded` when every process that is kept is in use; else
  ///   what the launch throws.
  func start(_ target: LaunchTarget, replacing version: String? = nil) async throws(ExtensionError) {
    guard let orders else {
      throw ExtensionError(
        .shuttingDown, "Nothing is started ahead: the host does not run.", recovery: "Call ExtensionHost.run() first.")
    }
    if version == nil, count >= capacity, !evict() {
      throw ExtensionError(.limitExceeded, "\(capacity) processes are kept already, and all are in use.")
    }
    let order = WarmOrder(target: target, replaces: version)
    if case .terminated = orders.yield(order) {
      // The host ends, and nobody takes orders any more.
      order.finish(throwing: ExtensionError(.shuttingDown, "The host ended."))
    }
    try await order.value()
  }

  /// Ends the free process that was not used for the longest time.
  private func evict() -> Bool {
    let free = entries.filter { !$0.value.isTaken && !$0.value.isOver }
    guard let key = free.min(by: { $0.value.used < $1.value.used })?.key else { return false }
    unpark(key)
    return true
  }

  /// A process is ready; this returns when it is to end.
  func park(_ kept: Kept, for order: WarmOrder) async {
    let key = ObjectIdentifier(kept.process)
    uses += 1
    entries[key] = Entry(kept, used: uses)
    await kept.supervisor.event(.kept, of: kept.life)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard entries[key]?.isOver == false, !Task.isCancelled else { return continuation.resume() }
        entries[key]?.parked = continuation
        order.finish()
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.unpark(key) } }
    }
  }

  /// Whether a process of an extension waits.
  func holds(_ id: String) -> Bool { find(id) != nil }

  private func find(_ id: String) -> ObjectIdentifier? {
    entries.first { $0.value.kept.target.identity.id == id && !$0.value.isTaken && !$0.value.isOver }?.key
  }

  /// Takes a process out for one request, which begins here, as the supervisor lives on the same loop: each way to another
  /// actor would cost a turn of it, and a request of a user's is to cost a round trip.
  ///
  /// - Returns: the process, and whether the request has begun; it has not when the files are not those that the process
  ///   started from, and were not refused yet.
  func take(_ id: String) -> (kept: Kept, hasBegun: Bool)? {
    while let key = find(id), let entry = entries[key] {
      let kept = entry.kept
      entry.isTaken = true
      uses += 1
      entry.used = uses
      let now = TargetStamp(kept.target)
      guard now == kept.stamp || now == entry.refused else { return (kept, false) }
      if kept.supervisor.assumeIsolated({ $0.beginRequest(kept.life) }) { return (kept, true) }
      giveBack(kept, isReusable: false)
    }
    return nil
  }

  /// The request of a process is over.
  ///
  /// - Parameter stop: why the process ends; `nil` when another request may have it.
  func finish(_ kept: Kept, stop: StopReason?) {
    kept.supervisor.assumeIsolated { supervisor in
      supervisor.event(.requestEnded, of: kept.life)
      supervisor.event(.completionDone, of: kept.life)
      supervisor.event(stop.map { .stop($0) } ?? .kept, of: kept.life)
    }
    giveBack(kept, isReusable: stop == nil)
  }

  /// A request is done with a process.
  ///
  /// - Parameter isReusable: whether another request may have it.
  func giveBack(_ kept: Kept, isReusable: Bool) {
    let key = ObjectIdentifier(kept.process)
    entries[key]?.isTaken = false
    if !isReusable || entries[key]?.isOver == true {
      unpark(key)
    }
  }

  /// The files of a process that was taken changed, and what they hold now does not start.
  func refuse(_ stamp: TargetStamp, insteadOf kept: Kept) { entries[ObjectIdentifier(kept.process)]?.refused = stamp }

  /// A process ends: its body goes on.
  func ended(_ process: ExtensionProcess) {
    let key = ObjectIdentifier(process)
    entries[key]?.isOver = true
    if entries[key]?.isTaken == false { unpark(key) }
  }

  /// Waits until nothing is left of a process.
  func gone(_ kept: Kept) async {
    let key = ObjectIdentifier(kept.process)
    await withCheckedContinuation { continuation in
      // Looked at in here: the loop may do something else before this closure is called.
      guard entries[key] != nil else { return continuation.resume() }
      waiters[key, default: []].append(continuation)
    }
  }

  /// The scope of a process is over.
  func scopeEnded(_ process: ExtensionProcess) {
    entries[ObjectIdentifier(process)] = nil
    for waiter in waiters.removeValue(forKey: ObjectIdentifier(process)) ?? [] { waiter.resume() }
  }

  private func unpark(_ key: ObjectIdentifier) {
    entries[key]?.isOver = true
    let parked = entries[key]?.parked
    entries[key]?.parked = nil
    parked?.resume()
  }
}
